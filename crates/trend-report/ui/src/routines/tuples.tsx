/**
 * The data behind a routine’s charts: the fits of its costs, and its exact tuples, one per input size, as the profiler
 * recorded them.
 */

import { useMemo } from 'preact/hooks';

import { estimate } from '../data/models';
import type { KindWords, Observation, OffsetPowerModel, SeriesRow } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { looked } from '../plot/state';
import { average, spread } from './charts';
import { type Cost, COSTS } from './places';
import { type Column, numbers, shown } from '../table/column';
import { Grid } from '../table/grid';
import type { Filter } from '../table/narrow';
import { ClassText, Doubts, EstimateText, Exponent, Formula, GrowthBadge } from '../view/parts';
import { Table } from '../view/table';

const plain = (v: number) => v.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** A row of the table. It is an object, because the grid's rows cannot be arrays. */
interface TupleRow {
  tuple: Observation;
  own: number | null;
}

type Value = (row: TupleRow) => number | null;

/** Returns the approximate width of the longest number, in rem. */
function widthOf(rows: readonly TupleRow[], value: Value): number {
  const longest = rows.reduce((most, row) => Math.max(most, plain(value(row) ?? 0).length), 0);
  return Math.max(4.5, longest * 0.55);
}

function columnsOf(rows: readonly TupleRow[], { execution, size_unit: unit }: KindWords) {
  const column = (key: string, title: string, priority: number, value: Value, hint: string) =>
    numbers(key, title, hint, [widthOf(rows, value), priority], value, plain);
  const cost = `cost of a ${execution}`;
  const columns: Column<TupleRow>[] = [
    column('size', 'size', 0, ({ tuple }) => tuple[0], `of the input, in ${unit}`),
    column('calls', `${execution}s`, 1, ({ tuple }) => tuple[1], 'of this size'),
    column('min', 'least', 4, ({ tuple }) => tuple[2], cost),
    column('average', 'average', 2, ({ tuple }) => average(tuple), cost),
    column('max', 'greatest', 3, ({ tuple }) => tuple[3], cost),
    column('sum', `all ${execution}s`, 5, ({ tuple }) => tuple[4], `cost of all ${execution}s`),
    column('spread', 'spread', 6, ({ tuple }) => spread(tuple), 'standard deviation of the cost'),
    column('own', 'self', 7, ({ own }) => own, `cost of all ${execution}s, without callees`),
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
  // The size under the pointer in a chart.
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

const ALL = [...COSTS, 'own'] as const;

/** Shows the laws of all costs. `which` is the cost whose law the reader looks at. */
export function RoutineModels({ row, which }: { row: SeriesRow; which: Cost }) {
  const largest = row.observations.at(-1)?.[0] ?? 0;
  const doubts = row[which]?.models[0]?.doubts ?? [];
  const fits = ALL.flatMap((cost) => {
    const { models: [model] = [], law = null, offset_power: offset } = row[cost] ?? {};
    return model ? [{ cost, model, inWhole: { law }, law: model.power_law, offset }] : [];
  });
  const whole = (v: number | undefined) => shown(v, number.grouped);
  return (
    <details class="words">
      <summary>
        Evidence for the law, and the laws of other costs
        {doubts.length > 0 && <span class="doubt"> · {number.plural(doubts.length, 'doubt')}</span>}
      </summary>
      {row[which]?.models[0]?.sentences?.map((sentence, i) => (
        <p key={i}>{visible(sentence)}</p>
      ))}
      <Table
        label="Models"
        rows={fits}
        columns={[
          ['cost', 'row', ({ cost }) => (cost === 'own' ? 'self' : cost)],
          ['growth', '', ({ model }) => <GrowthBadge model={model} />],
          ['power law', '', ({ law }) => (law ? <Formula law={law} feature="n" /> : '–')],
          ['exponent', '', ({ law }) => <Exponent law={law} />],
          ['R²', 'number', ({ law }) => (law ? number.r2(law.r2) : '–')],
          ['sizes', 'number', ({ law }) => whole(law?.points)],
          ['zeros left out', 'number', ({ law }) => whole(law?.ignored_zeros)],
          [<ClassText text="a + b·n^c" />, '', ({ offset }) => <Offset of={offset} />],
          [
            `at ${number.size(10 * largest)}`,
            'number',
            ({ model, inWhole }) => <EstimateText estimate={estimate(model, 10 * largest, inWhole)} />,
          ],
        ]}
      />
      <Doubts doubts={doubts} />
    </details>
  );
}

function Offset({ of }: { of: OffsetPowerModel | undefined }) {
  if (!of) return <>–</>;
  return (
    <span class="formula">
      {number.significant(of.a, 3)} {of.b < 0 ? '−' : '+'} {number.significant(Math.abs(of.b), 3)}·n
      <sup>{number.exponent(of.c, null)}</sup> <span class="soft">(R² {number.r2(of.r2)})</span>
    </span>
  );
}
