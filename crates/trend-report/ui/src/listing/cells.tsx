/** Cells of the tables of clusters and functions. */

import { sourceText } from '../data/growth-class';
import * as number from '../format/number';
import { visible } from '../format/text';
import { predictedCost } from '../view/parts';
import { flagsOf, type ModelledRow } from './modelled';

export function Share({ row }: { row: ModelledRow }) {
  const others = row.extra.share_of_others;
  return (
    <span class="two-lines">
      <span>{number.share(row.shareOfLargest)}</span>
      {others !== undefined && <small class="soft">up to {number.share(others)}</small>}
    </span>
  );
}

export function Predicted({ row }: { row: ModelledRow }) {
  const estimate = row.outlook?.estimate;
  if (!estimate) return <span class="soft">–</span>;
  const { ci } = estimate;
  return (
    <span class="two-lines" title={`from ${sourceText(estimate.source)}`}>
      <span>
        {predictedCost(estimate)}{' '}
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
function riseOf(row: ModelledRow): number | null {
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
    <span class="flags wrap">
      {flagsOf(row).map((flag) => (
        <span key={flag.key} class={`flag ${flag.tone}`} title={visible(flag.hint.slice(0, 1000))}>
          {flag.text}
        </span>
      ))}
    </span>
  );
}
