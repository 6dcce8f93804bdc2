/**
 * Draws functions below their only callers. Width is the cost at the target, with the functions that only they call;
 * colour is the growth.
 */

import { useMemo } from 'preact/hooks';

import { shareOf } from '../data/law';
import { plural, share } from '../format/number';
import { callsOf } from './calls';
import type { ModelledRow } from './modelled';
import { wholeThen } from '../overview/answer';
import { costsOf, wholeOf } from '../plot/boxes';
import { Icicle, type Words } from '../plot/icicle';
import { useParam } from '../plot/state';
import { givenText, go, href, page, setParams } from '../state/state';
import { Slider } from '../view/target';

/** True if a function has an only caller, and the cost of the whole program is predicted. */
export const hasCallIcicle = () =>
  wholeThen.value !== null && page.value.findings.functions.some((row) => row.only_caller);

export function CallIcicle({ rows }: { rows: readonly ModelledRow[] }) {
  const { functions } = page.value.findings;
  const tree = useMemo(() => ({ nodes: callsOf(functions) }), [functions]);
  const whole = wholeThen.value?.cost ?? NaN;
  const [costs, words] = useMemo(() => {
    const rowOf = (node: number) => rows[tree.nodes[node]?.row ?? -1];
    const costs = costsOf(tree, (node, called) => (rowOf(node)?.then?.cost ?? 0) + called);
    const shareText = (cost: number) => share(shareOf(cost, cost, whole));
    const at = givenText();
    const words = (node: number): Words => {
      const { id = '', title: name = '', then, row } = rowOf(node) ?? {};
      const [cost, own] = [costs[node] ?? 0, then?.cost];
      const part = shareText(cost);
      const what =
        cost === own ? '' : ` with callees, ${own === undefined ? 'not predicted' : shareText(own)} itself`;
      return { id, name, part, costs: `${part}${what} at ${at}`, growth: row?.growth, warmth: row?.warmth };
    };
    return [costs, words];
  }, [tree, rows, whole]);
  const chosen = useParam('selected');
  const unknown = rows.filter(({ then, costly }) => costly && !then).length;
  const choose = (id: string) => setParams({ selected: id });
  const open = (id: string) => (choose(id), go(href('function', id)));
  return (
    <Icicle
      title={`Functions, as wide as their cost at ${givenText()} with the functions that only they call`}
      growth="growth of the own cost"
      {...{ tree, costs, words, chosen, choose, open, whole: Math.max(whole, wholeOf(tree, costs)) }}
    >
      <Slider />
      <p class="note">
        Below a function stand those that only it calls. Functions with several or unknown callers stand in
        the first row.
        {unknown > 0 && ` Left out is the own cost of ${plural(unknown, 'function')} without a prediction.`}
      </p>
    </Icicle>
  );
}
