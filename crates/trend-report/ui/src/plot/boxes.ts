/**
 * Lays out a call tree as boxes: callees below their caller, as wide as their cost. Pure.
 *
 *     ┌──────────── main ────────────┐
 *     ├──── sort ────┬── query ──┐
 *                    └─ lookup ─┘
 */

/** A tree of calls, callers before their callees. */
export interface Tree {
  nodes: readonly { caller?: number | undefined }[];
}

/** A node of the tree as drawn. `x` and `width` are fractions of the total width. */
export interface Box {
  /** Position in the tree. */
  node: number;
  depth: number;
  x: number;
  width: number;
}

/**
 * Returns `[nodes]`: the cost of each node with its callees, as `costOf` adds it to the callees' cost `called`.
 *
 * - Time: O(nodes)
 */
export function costsOf({ nodes }: Tree, costOf: (node: number, called: number) => number): Float64Array {
  const costs = new Float64Array(nodes.length);
  const called = new Float64Array(nodes.length);
  // Callers stand before their callees.
  for (let i = nodes.length - 1; i >= 0; i--) {
    const cost = (costs[i] = costOf(i, called[i] ?? 0));
    const caller = nodes[i]?.caller;
    if (caller !== undefined) called[caller] = (called[caller] ?? 0) + cost;
  }
  return costs;
}

/** Returns the total cost of the nodes that have no caller. */
export function wholeOf({ nodes }: Tree, costs: Float64Array): number {
  return nodes.reduce((sum, node, i) => (node.caller === undefined ? sum + (costs[i] ?? 0) : sum), 0);
}

/**
 * Returns the boxes that are at least `least` of the whole wide, in the order of the nodes: siblings keep their
 * positions.
 */
export function boxesOf({ nodes }: Tree, costs: Float64Array, whole: number, least: number): Box[] {
  const boxes: Box[] = [];
  if (!(whole > 0)) return boxes;
  /** The box of each drawn node, and the x at which its next callee begins. */
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
export function moved<B extends Box>(
  { nodes }: Tree,
  boxes: readonly B[],
  from: B,
  key: string,
): B | undefined {
  if (key === 'ArrowUp') return boxes.find((box) => box.node === nodes[from.node]?.caller);
  if (key === 'ArrowDown') return boxes.find((box) => nodes[box.node]?.caller === from.node);
  const level = boxes.filter((box) => box.depth === from.depth).sort((a, b) => a.x - b.x);
  const at = level.indexOf(from);
  return key === 'ArrowRight' ? level[at + 1] : key === 'ArrowLeft' ? level[at - 1] : undefined;
}
