/** Builds the tree of functions below their sole callers. Pure. */

import { functionId } from '../data/page';
import type { Row } from '../data/types';
import { costsOf } from '../plot/boxes';

/**
 * Returns the functions, callers before their callees, and by falling measured cost. `row` is a function's position in
 * `rows`. A function has no `caller` if it has no sole caller, or if its sole caller is not on the page.
 *
 * - Time: O(rows · log rows)
 */
export function callsOf(
  rows: readonly Pick<Row, 'name' | 'file' | 'only_caller' | 'share_now'>[],
): { caller: number | undefined; row: number }[] {
  const known = new Map(rows.map((row, i) => [functionId(row), i]));
  const callees = new Map<number | undefined, number[]>();
  rows.forEach(({ only_caller: only }, i) => {
    const caller = only && known.get(functionId(only));
    const others = callees.get(caller);
    if (others) others.push(i);
    else callees.set(caller, [i]);
  });
  const nodes: ReturnType<typeof callsOf> = [];
  const add = (caller?: number, of?: number) =>
    callees.get(of)?.forEach((row) => nodes.push({ caller, row }));
  add();
  for (let i = 0; i < nodes.length; i++) add(i, nodes[i]?.row);
  const costs = costsOf({ nodes }, (i, called) => (rows[nodes[i]?.row ?? -1]?.share_now ?? 0) + called);
  // No caller costs less than its callees, so it stays before them.
  const order = [...nodes.keys()].sort((a, b) => (costs[b] ?? 0) - (costs[a] ?? 0) || a - b);
  const places = new Map(order.map((i, place) => [i, place]));
  return order.flatMap((i) => {
    const node = nodes[i];
    return node ? { ...node, caller: places.get(node.caller ?? -1) } : [];
  });
}
