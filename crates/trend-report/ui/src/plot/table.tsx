/** A drawing as a table, for those who read numbers rather than pictures. */

import { useMemo } from 'preact/hooks';

import { shorten } from '../format/text';
import { Table } from '../view/table';
import { dataRows, type DataRow } from './data';
import { formats } from './hits';
import type { PlotProps } from './types';

/** More rows are for a file. */
const MOST = 1500;

export function DataTable({ props }: { props: PlotProps }) {
  const rows = useMemo(() => measuredFirst(dataRows(props)), [props.series]);
  const say = formats(props);
  const y = (value: number | null) => (value === null ? '' : say.y(value));
  return (
    <div class="data">
      <Table
        label={`${props.title} as a table`}
        heads={['series', 'name', shorten(props.x.label, 40), shorten(props.y.label, 40), 'from', 'to']}
        numeric={[2, 3, 4, 5]}
      >
        {rows.slice(0, MOST).map((row, i) => (
          <tr key={i}>
            <td>{shorten(row.series, 40)}</td>
            <td>
              <bdi>{shorten(row.name, 60)}</bdi>
            </td>
            <td class="number">{say.x(row.x)}</td>
            <td class="number">{`${row.approximate ? '≈ ' : ''}${y(row.y)}`}</td>
            <td class="number">{y(row.lo)}</td>
            <td class="number">{y(row.hi)}</td>
          </tr>
        ))}
      </Table>
      {rows.length > MOST && (
        <p class="note">
          The first {MOST} of {rows.length}; the CSV file has all.
        </p>
      )}
    </div>
  );
}

function measuredFirst(rows: DataRow[]): DataRow[] {
  const measured = (row: DataRow) => row.kind === 'points';
  return [...rows.filter(measured), ...rows.filter((row) => !measured(row))];
}
