/** Shows a drawing as a table, and saves it as files. */

import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';

import { shorten, visible } from '../format/text';
import { type DataRow, dataRows, exportPlot, type FileKind } from './export';
import { formats } from './gestures';
import type { PlotProps } from './types';
import { route } from '../state/state';
import { Toggle } from '../view/choice';
import { Table } from '../view/table';

const FILES: FileKind[] = ['svg', 'png', 'csv'];

/** Returns true if the reader opened the table of a plot. */
export const hasTable = (id: string) => route.value.params.has(`${id}.table`);

export function Tools({ plot, svg }: { plot: PlotProps; svg: RefObject<SVGSVGElement | null> }) {
  const failed = useSignal(false);
  const save = (kind: FileKind) => {
    failed.value = false;
    exportPlot(kind, plot, svg.current).catch(() => (failed.value = true));
  };
  return (
    <>
      <Toggle kind="quiet" param={`${plot.id}.table`} on={hasTable(plot.id)} text="Table" />
      <span class="joined wrap" role="group" aria-label={`save ${visible(plot.title)}`}>
        {FILES.map((kind) => (
          <button
            key={kind}
            type="button"
            class="quiet"
            title={`save as ${kind.toUpperCase()}`}
            onClick={() => save(kind)}
          >
            {kind.toUpperCase()}
          </button>
        ))}
        {failed.value && (
          <span class="doubt" role="alert">
            could not be saved
          </span>
        )}
      </span>
    </>
  );
}

/** Maximum number of rows in a table; the CSV file has all of them. */
const MOST = 1500;

export function DataTable({ props }: { props: PlotProps }) {
  const rows = useMemo(() => measuredFirst(dataRows(props)), [props.series]);
  const say = formats(props);
  const y = (value: number | null) => (value === null ? '' : say.y(value));
  return (
    <div class="data">
      <Table
        label={`${props.title} as a table`}
        rows={rows.slice(0, MOST)}
        columns={[
          ['series', '', (row) => shorten(row.series, 40)],
          ['name', '', (row) => <bdi>{shorten(row.name, 60)}</bdi>],
          [shorten(props.x.label, 40), 'number', (row) => say.x(row.x)],
          [shorten(props.y.label, 40), 'number', (row) => `${row.approximate ? '≈ ' : ''}${y(row.y)}`],
          ['from', 'number', (row) => y(row.lo)],
          ['to', 'number', (row) => y(row.hi)],
        ]}
      />
      {rows.length > MOST && (
        <p class="note">
          The first {MOST} of {rows.length}; the CSV file has all.
        </p>
      )}
    </div>
  );
}

function measuredFirst(rows: DataRow[]): DataRow[] {
  return [...rows.filter((row) => row.measured), ...rows.filter((row) => !row.measured)];
}
