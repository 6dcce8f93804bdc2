/** Cells of the tables of clusters and functions. */

import * as number from '../format/number';
import { visible } from '../format/text';
import { GrowthBadge } from '../view/parts';
import { flagsOf, growthOf, lawOf, type ModelledRow } from './modelled';
import { shareOfOthers } from './shares';

/** What a narrow table has no columns for: beside the name, shown by the style sheet instead of the code. */
export function InBrief({ row }: { row: ModelledRow }) {
  const law = lawOf(row);
  return (
    <span class="in-brief">
      {law && <span>exponent {number.exponent(law.b, law.b_ci)}</span>}
      <GrowthBadge growth={growthOf(row)} />
    </span>
  );
}

export function Share({ row }: { row: ModelledRow }) {
  const others = shareOfOthers(row.shareOfLargest, row.maxShare);
  return (
    <span class="two-lines">
      <span>{number.share(row.shareOfLargest)}</span>
      {others !== null && <small class="soft">up to {number.share(others)}</small>}
    </span>
  );
}

export function Predicted({ row }: { row: ModelledRow }) {
  const estimate = row.outlook?.estimate;
  if (!estimate) return <span class="soft">–</span>;
  const { cost, ci, from, exact } = estimate;
  return (
    <span class="two-lines" title={`from ${visible(from)}, at ${number.size(row.outlook?.at ?? 0)}`}>
      <span>
        {exact ? '' : '≈ '}
        {number.cost(cost, Math.min(number.supportedDigits(cost, ci), 3))}{' '}
        {ci ? (
          <small class="soft">{number.costInterval(ci)}</small>
        ) : (
          <small class="doubt">no interval</small>
        )}
      </span>
      <RankChange row={row} />
    </span>
  );
}

/** How many ranks it rises by the target; negative where it falls. */
export function riseOf(row: ModelledRow): number | null {
  return row.rankThen === null ? null : row.rank - row.rankThen;
}

function RankChange({ row }: { row: ModelledRow }) {
  const rise = riseOf(row) ?? 0;
  const [mark, kind] = rise > 0 ? ['▲', 'steep'] : rise < 0 ? ['▼', 'soft'] : ['', 'soft'];
  return (
    <span class={kind}>
      rank {row.rank} → {row.rankThen} {mark}
    </span>
  );
}

export function Flags({ row }: { row: ModelledRow }) {
  return (
    <span class="flags">
      {flagsOf(row).map((flag) => (
        <span key={flag.key} class={`flag ${flag.tone}`} title={visible(flag.hint.slice(0, 1000))}>
          {flag.text}
        </span>
      ))}
    </span>
  );
}
