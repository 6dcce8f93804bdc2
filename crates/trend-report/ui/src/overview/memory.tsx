/** Shows the lines that hold most memory, if that was recorded. */

import { shown } from '../data/predict';
import type { MemoryLine } from '../data/types';
import { bytes, share } from '../format/number';
import { givenText, href, page } from '../state/state';
import { GrowthBadge, Linked, Name } from '../view/parts';
import { Table } from '../view/table';

export function Memory() {
  const lines = page.value.findings.memory_lines ?? [];
  if (lines.length === 0) return null;
  return (
    <section class="memory">
      <h2>Memory by line</h2>
      <Table
        label="Memory by line"
        rows={lines}
        columns={[
          ['line', 'row', (line) => <Line line={line} />],
          ['in', '', (line) => <Name text={line.function} columns={34} />],
          ['held at most', 'number', ({ most }) => bytes(most.max_cost, 2)],
          ['at heap peak', 'number wide', ({ at_peak }) => bytes(at_peak.max_cost, 2)],
          ['of heap peak', 'number wide', ({ at_peak }) => share(at_peak.share_of_largest)],
          ['growth', '', ({ most }) => <GrowthBadge model={shown(most)?.model} />],
          [`at ${givenText()}`, 'number', ({ most }) => then(most)],
        ]}
      />
    </section>
  );
}

function Line({ line: { name, file, line } }: { line: MemoryLine }) {
  if (file === '') return <Name text={name} columns={34} />;
  return <Linked to={href('source', file, { line })} text={name} columns={34} />;
}

/** Returns the most memory that a line will hold at the target. */
function then(most: MemoryLine['most']): string {
  const estimate = shown(most)?.estimate;
  return estimate ? bytes(estimate.cost, 2) : '–';
}
