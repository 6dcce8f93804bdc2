/** Names that are like one that is not there: for links that somebody cut, or that are of another study. */

/** How many are offered. */
const MOST = 5;

/** Fewer pairs of letters in common than this is no likeness. */
const ALIKE = 0.3;

/**
 * The names most like `wanted`, by the pairs of letters that they share (Dice's coefficient).
 * Time: O(length of all names).
 */
export function nearNames(wanted: string, names: Iterable<string>): string[] {
  const pairs = pairsOf(wanted);
  const scored: [number, string][] = [];
  for (const name of names) {
    const score = likeness(pairs, pairsOf(name));
    if (score >= ALIKE) scored.push([score, name]);
  }
  scored.sort((a, b) => b[0] - a[0]);
  return scored.slice(0, MOST).map(([, name]) => name);
}

function pairsOf(text: string): Set<string> {
  const lower = text.slice(0, 500).toLowerCase();
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < lower.length; i++) pairs.add(lower.slice(i, i + 2));
  return pairs;
}

function likeness(a: Set<string>, b: Set<string>): number {
  if (a.size + b.size === 0) return 0;
  let shared = 0;
  for (const pair of b) if (a.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size);
}
