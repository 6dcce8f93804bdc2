/** The tuples of a routine: what the profiler recorded per size. */

import { useMemo } from 'preact/hooks';

import type { KindWords, Observation } from '../data/types';
import { numbers, type Column } from '../table/column';
import { Grid } from '../table/grid';
import { average, variance } from './charts';

const plain = (v: number) => v.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** A row; not the bare tuple, as a grid's rows are no arrays. */
interface TupleRow {
  tuple: Observation;
}

function column(
  key: string,
  title: string,
  value: (t: Observation) => number | null,
  hint?: string,
): Column<TupleRow> {
  const more = { width: 6.5, priority: 0, ...(hint === undefined ? {} : { hint }) };
  return numbers(key, title, (row) => value(row.tuple), plain, more);
}

const columnsOf = ({ execution, size_unit: unit }: KindWords): Column<TupleRow>[] => [
  column('size', 'size', (t) => t[0], `of the input, in ${unit}`),
  column('calls', `${execution}s`, (t) => t[1]),
  column('min', 'least cost', (t) => t[2]),
  column('average', 'average cost', average),
  column('max', 'greatest cost', (t) => t[3]),
  column('sum', `cost of all ${execution}s`, (t) => t[4]),
  column('variance', 'variance', variance, `of the cost of the ${execution}s`),
];

interface TuplesProps {
  tuples: Observation[];
  name: string;
  words: KindWords;
}

export function Tuples({ tuples, name, words }: TuplesProps) {
  const columns = useMemo(() => columnsOf(words), [words]);
  const rows = useMemo<TupleRow[]>(() => tuples.map((tuple) => ({ tuple })), [tuples]);
  if (rows.length === 0) return <p class="soft">The profile has no tuples of this {words.place}.</p>;
  return (
    <Grid
      name={`tuples of ${name.slice(0, 60)}`}
      noun="tuple"
      prefix="tuples."
      rows={rows}
      columns={columns}
      id={(row) => String(row.tuple[0])}
      href={() => null}
      search={(row) => String(row.tuple[0])}
      defaultSort="size"
    />
  );
}
