/**
 * Lays out calling contexts as boxes: callees below their caller, as wide as their cost. Pure.
 *
 *     ┌──────────── main ────────────┐
 *     ├──── sort ────┬── query ──┐
 *                    └─ lookup ─┘
 */

import type { CallTree, SeriesRow } from '../data/types';

/** Returns a place's cost with its callees. If the callees' cost `called` is given, adds it to the place's own cost. */
export type CostOf = (row: SeriesRow, called?: number) => number;

/** A context as drawn. `x` and `width` are fractions of the total width. */
export interface Box {
  /** Position in the tree. */
  node: number;
  depth: number;
  x: number;
  width: number;
}

/**
 * Returns `[nodes]`: the cost of each context with its callees. A context that was not profiled costs as much as its
 * callees.
 *
 * - Time: O(nodes)
 */
export function costsOf({ nodes }: CallTree, rows: readonly SeriesRow[], cost: CostOf): Float64Array {
  const costs = new Float64Array(nodes.length);
  const called = new Float64Array(nodes.length);
  // Callers stand before their callees.
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i];
    const row = node?.series === undefined ? undefined : rows[node.series];
    costs[i] = row ? cost(row, called[i]) : (called[i] ?? 0);
    if (node?.caller !== undefined) called[node.caller] = (called[node.caller] ?? 0) + (costs[i] ?? 0);
  }
  return costs;
}

/** Returns the total cost of the contexts that have no caller. */
export function wholeOf({ nodes }: CallTree, costs: Float64Array): number {
  return nodes.reduce((sum, node, i) => (node.caller === undefined ? sum + (costs[i] ?? 0) : sum), 0);
}

/**
 * Returns the cost of each place: the sum over its outermost contexts, so that recursion counts once. `places` is
 * `[nodes]`; an empty text means no place.
 */
export function costsOfPlaces(
  { nodes }: CallTree,
  costs: Float64Array,
  places: readonly string[],
): Map<string, number> {
  const found = new Map<string, number>();
  nodes.forEach((node, i) => {
    const place = places[i] ?? '';
    for (let at = node.caller; at !== undefined; at = nodes[at]?.caller) if (places[at] === place) return;
    if (place !== '') found.set(place, (found.get(place) ?? 0) + (costs[i] ?? 0));
  });
  return found;
}

/** Returns the boxes that are at least `least` wide, in the order of the nodes: siblings keep their positions. */
export function boxesOf(tree: CallTree, costs: Float64Array, least: number): Box[] {
  const whole = wholeOf(tree, costs);
  const { nodes } = tree;
  const boxes: Box[] = [];
  if (!(whole > 0)) return boxes;
  /** The box of each drawn context, and the x at which its next callee begins. */
  const drawn = new Map<number, { box: Box; next: number }>();
  let next = 0;
  nodes.forEach((node, i) => {
    const width = (costs[i] ?? 0) / whole;
    const caller = node.caller === undefined ? null : drawn.get(node.caller);
    if (caller === undefined) return;
    const x = caller ? caller.next : next;
    if (caller) caller.next += width;
    else next += width;
    if (width < least) return;
    const box = { node: i, depth: caller ? caller.box.depth + 1 : 0, x, width };
    drawn.set(i, { box, next: x });
    boxes.push(box);
  });
  return boxes;
}

/** Returns the box that an arrow key leads to: the caller, a callee, or a neighbour at the same depth. */
export function moved({ nodes }: CallTree, boxes: readonly Box[], from: Box, key: string): Box | undefined {
  if (key === 'ArrowUp') return boxes.find((box) => box.node === nodes[from.node]?.caller);
  if (key === 'ArrowDown') return boxes.find((box) => nodes[box.node]?.caller === from.node);
  const level = boxes.filter((box) => box.depth === from.depth).sort((a, b) => a.x - b.x);
  const at = level.indexOf(from);
  return key === 'ArrowRight' ? level[at + 1] : key === 'ArrowLeft' ? level[at - 1] : undefined;
}
