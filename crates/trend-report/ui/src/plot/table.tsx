/** A drawing as a table, for those who read numbers rather than pictures. */

import { useMemo } from 'preact/hooks';

import { shorten } from '../format/text';
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
    <div class="scroll data" tabIndex={0} role="region" aria-label={`${props.title} as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">series</th>
            <th scope="col">name</th>
            <th scope="col" class="number">
              {shorten(props.x.label, 40)}
            </th>
            <th scope="col" class="number">
              {shorten(props.y.label, 40)}
            </th>
            <th scope="col" class="number">
              from
            </th>
            <th scope="col" class="number">
              to
            </th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
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
