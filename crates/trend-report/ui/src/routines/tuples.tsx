/** The tuples of a routine: what the profiler recorded per size, exactly. */

import { useMemo } from 'preact/hooks';

import type { KindWords, Observation } from '../data/types';
import { capitalized } from '../format/text';
import { looked } from '../plot/state';
import { numbers, type Column } from '../table/column';
import { Grid } from '../table/grid';
import type { Filter } from '../table/narrow';
import { average, spread } from './charts';

const plain = (v: number) => v.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** A row; not the bare tuple, as a grid's rows are no arrays. */
interface TupleRow {
  tuple: Observation;
  own: number | null;
}

type Value = (row: TupleRow) => number | null;

/** As wide as its longest number, about, in rem. */
function widthOf(rows: readonly TupleRow[], value: Value): number {
  const longest = rows.reduce((most, row) => Math.max(most, plain(value(row) ?? 0).length), 0);
  return Math.max(4.5, longest * 0.55);
}

function columnsOf(rows: readonly TupleRow[], { execution, size_unit: unit }: KindWords) {
  const column = (key: string, title: string, priority: number, value: Value, hint: string) =>
    numbers(key, title, value, plain, { width: widthOf(rows, value), priority, hint });
  const cost = `cost of a ${execution}`;
  const columns: Column<TupleRow>[] = [
    column('size', 'Size', 0, ({ tuple }) => tuple[0], `of the input, in ${unit}`),
    column('calls', capitalized(`${execution}s`), 1, ({ tuple }) => tuple[1], 'of this size'),
    column('min', 'Least', 4, ({ tuple }) => tuple[2], cost),
    column('average', 'Average', 2, ({ tuple }) => average(tuple), cost),
    column('max', 'Greatest', 3, ({ tuple }) => tuple[3], cost),
    column('sum', `All ${execution}s`, 5, ({ tuple }) => tuple[4], `cost of all ${execution}s`),
    column('spread', 'Spread', 6, ({ tuple }) => spread(tuple), 'standard deviation of the cost'),
    column('own', 'Self', 7, ({ own }) => own, `cost of all ${execution}s, without what they called`),
  ];
  return rows.some(({ own }) => own !== null) ? columns : columns.slice(0, -1);
}

const range = (key: string, label: string, value: Value): Filter<TupleRow> => ({
  key,
  label,
  kind: 'range',
  value,
});

const FILTERS: Filter<TupleRow>[] = [
  range('size', 'size', ({ tuple }) => tuple[0]),
  range('n', 'calls', ({ tuple }) => tuple[1]),
  range('avg', 'average', ({ tuple }) => average(tuple)),
  range('most', 'greatest', ({ tuple }) => tuple[3]),
];

interface TuplesProps {
  tuples: Observation[];
  own: number[];
  name: string;
  words: KindWords;
}

export function Tuples({ tuples, own, name, words }: TuplesProps) {
  const rows = useMemo<TupleRow[]>(
    () => tuples.map((tuple, i) => ({ tuple, own: own[i] ?? null })),
    [tuples, own],
  );
  const columns = useMemo(() => columnsOf(rows, words), [rows, words]);
  // What a chart's pointer is at.
  const at = looked.value?.link === 'size' ? tuples[looked.value.id]?.[0] : undefined;
  return (
    <Grid
      name={`tuples of ${name.slice(0, 60)}`}
      noun="tuple"
      prefix="tuples."
      rows={rows}
      columns={columns}
      id={({ tuple }) => String(tuple[0])}
      href={() => null}
      search={({ tuple }) => String(tuple[0])}
      defaultSort="size"
      filters={FILTERS}
      maxHeight="24rem"
      allColumns
      {...(at === undefined ? {} : { selected: String(at) })}
    />
  );
}
