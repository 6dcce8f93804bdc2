/** Shows the largest inputs that stay within limits of time and memory. */

import { featureSize } from '../format/number';
import { shorten } from '../format/text';
import { page } from '../state/state';
import { Table } from '../view/table';

export function Fitting() {
  const { data } = page.value;
  const { fitting } = data.answer;
  if (!fitting) return null;
  const { feature } = fitting;
  const written = (of: number) => featureSize(feature, of);
  const unknown = fitting.rows.some((row) => row.at_least === null) ? '; ?: unknown' : '';
  const meaning = `Certainly: the whole interval is within the limit${unknown}.`;
  return (
    <section class="fitting">
      <h2>What fits</h2>
      <Table
        rows={fitting.rows}
        columns={[
          ['limit', 'row', ({ limit }) => limit],
          [
            feature === 'bytes' ? 'largest input' : `largest ${shorten(feature, 20)}`,
            'number',
            ({ size: largest }) => written(largest),
          ],
          ['certainly', 'number', ({ at_least: atLeast }) => (atLeast === null ? '?' : written(atLeast))],
        ]}
      />
      <p class="note">{[meaning, ...fitting.doubts].join(' ')}</p>
    </section>
  );
}
