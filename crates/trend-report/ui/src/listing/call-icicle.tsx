/**
 * Draws functions below their sole callers. The width is the cost at the target, including the functions that only the
 * function calls. The colour is the growth.
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

/** Returns true if some function has a sole caller and the cost of the whole program is predicted. */
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
      const self = own === undefined ? 'self cost not predicted' : `${shareText(own)} self`;
      const what = cost === own ? '' : ` with callees, ${self}`;
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
      title={`Call tree at ${givenText()}: width is the cost with callees`}
      growth="growth of the self cost"
      {...{ tree, costs, words, chosen, choose, open, whole: Math.max(whole, wholeOf(tree, costs)) }}
    >
      <Slider />
      <p class="note">
        A function stands below its caller if it has only one. Functions with several or unknown callers are
        in the first row.
        {unknown > 0 &&
          ` The self cost of ${plural(unknown, 'function')} is left out because ${unknown === 1 ? 'it has' : 'they have'} no prediction.`}
      </p>
    </Icicle>
  );
}
