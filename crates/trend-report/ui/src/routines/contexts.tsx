/** Draws calling contexts as an icicle: width is the cost at the target, colour is the growth. */

import { useMemo } from 'preact/hooks';

import type { CallTree } from '../data/types';
import * as number from '../format/number';
import { shorten } from '../format/text';
import { wholeOf } from '../plot/boxes';
import { Icicle, type Words } from '../plot/icicle';
import { costAt, costsOfContexts, type Entry, measured, placeId, treeOf, withContexts } from './places';
import { givenText, page, target } from '../state/state';
import { Slider } from '../view/target';

interface Props {
  entry: Entry;
  choose: (id: string) => void;
}

export function Contexts(props: Props) {
  const tree = treeOf(page.value, props.entry.row);
  if (tree) return <Drawing tree={tree} {...props} />;
  return (
    <p class="note">
      Calling contexts were not recorded. To see the call tree here, build the program with{' '}
      <code>trend-prof build --probe routines --contexts</code> and run it again.
    </p>
  );
}

function Drawing({ tree, entry, choose }: Props & { tree: CallTree }) {
  const { findings } = page.value;
  const inRuns = tree.growth_in === 'runs';
  const [costs, words, grown] = useMemo(() => {
    const rows = findings.series;
    const then = inRuns ? costAt(page.value, target.value) : null;
    const now = costsOfContexts(tree, rows, measured);
    const costs = then ? costsOfContexts(tree, rows, then) : now;
    const sharesOf = (all: Float64Array) => {
      const whole = wholeOf(tree, all);
      return (node: number) => number.share((all[node] ?? 0) / whole);
    };
    const [shareNow, shareThen, at] = [sharesOf(now), sharesOf(costs), givenText()];
    const words = (of: number): Words => {
      const node = tree.nodes[of];
      const row = rows[node?.series ?? -1];
      const part = shareThen(of);
      return {
        id: row ? placeId(row, withContexts.value) : '',
        name: row?.name ?? node?.name ?? '',
        ...{ part, growth: row?.growth, warmth: row?.warmth },
        costs: `${then ? `${part} at ${at}, ${shareNow(of)}` : part} in the runs`,
      };
    };
    return [costs, words, then !== null];
  }, [tree, withContexts.value, target.value]);
  const { execution } = page.value.wordsOf(entry.row);
  const features = findings.features.map((f) => shorten(f.name, 24)).join(', ');
  const when = grown ? `at ${givenText()}` : 'in the runs';
  return (
    <Icicle
      title={`Tree of ${execution}s: width is the cost with callees ${when}`}
      growth={`growth in ${inRuns ? features : 'its own input'}`}
      {...{ tree, costs, words, choose, chosen: entry.id, open: choose, whole: wholeOf(tree, costs) }}
    >
      {grown ? (
        <Slider />
      ) : (
        <p class="note">Runs with several values of a feature would show how the widths change.</p>
      )}
    </Icicle>
  );
}
