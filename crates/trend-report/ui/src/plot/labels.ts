/** Where labels stand that would lie on each other. */

/**
 * Places of labels from top to bottom, as near to where they are wanted, which ascends, as a gap between two allows: down
 * from the one above where that is too near, and up from the lowest.
 */
export function apart(wanted: readonly number[], gap: number, highest: number, lowest: number): number[] {
  const places: number[] = [];
  for (const y of wanted) places.push(Math.max(y, (places.at(-1) ?? highest - gap) + gap));
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i] ?? 0, (places[i + 1] ?? lowest + gap) - gap);
  }
  return places;
}
