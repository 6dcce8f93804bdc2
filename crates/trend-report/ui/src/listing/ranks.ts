/** Ranks of values. */

/** From 1 for the largest; equal ones in their order. */
export function ranksOf(values: readonly number[]): number[] {
  const places = values.map((_, i) => i).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  const ranks: number[] = [];
  places.forEach((row, place) => (ranks[row] = place + 1));
  return ranks;
}
