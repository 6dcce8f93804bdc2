/** The numbers behind a drawing: for "show as table" and for files. */

import { delimited } from '../files/delimited';
import type { PlotProps, Series } from './types';

/** One row for each mark. `lo` and `hi` are intervals. */
export interface DataRow {
  kind: Series['kind'];
  series: string;
  name: string;
  x: number;
  y: number | null;
  lo: number | null;
  hi: number | null;
  value: number | null;
  /** Whether `y` is rounded. */
  approximate: boolean;
}

export function dataRows(props: PlotProps): DataRow[] {
  const rows: DataRow[] = [];
  const none = { name: '', y: null, lo: null, hi: null, value: null, approximate: false };
  for (const s of props.series) {
    const add = (row: Partial<DataRow> & { x: number }) =>
      rows.push({ kind: s.kind, series: s.name, ...none, ...row });
    if (s.kind === 'points') {
      s.y.forEach((y, i) => {
        const x = s.x[i] ?? null;
        if (x === null || y === null) return;
        add({
          x,
          y,
          approximate: s.approximate ?? false,
          name: s.labels?.(s.ids?.[i] ?? i) ?? '',
          value: s.value?.[i] ?? null,
        });
      });
    } else if (s.kind === 'line') s.points.forEach(([x, y]) => add({ x, y }));
    else if (s.kind === 'ribbon') s.points.forEach(([x, lo, hi]) => add({ x, lo, hi }));
    else s.points.forEach((p) => add({ x: p.x, y: p.y, lo: p.lo, hi: p.hi, name: p.label }));
  }
  return rows;
}

/** As a file. */
export function csv(props: PlotProps): string {
  // Lines are drawn through what was measured: who takes the data along wants the measurements.
  const measured = props.series.some((s) => s.kind === 'points');
  const kinds = new Set(measured ? ['points'] : ['line', 'ribbon', 'markers']);
  const rows = dataRows(props).filter((r) => kinds.has(r.kind));
  const colour = props.series.find((s) => s.kind === 'points' && s.valueLabel);
  const valueLabel = colour?.kind === 'points' ? (colour.valueLabel ?? 'value') : null;
  const head = [
    'series',
    'name',
    props.x.label,
    props.y.label,
    'lo',
    'hi',
    ...(valueLabel ? [valueLabel] : []),
  ];
  const lines = rows.map((r) => [r.series, r.name, r.x, r.y, r.lo, r.hi, ...(valueLabel ? [r.value] : [])]);
  return delimited(head, lines, ',');
}
