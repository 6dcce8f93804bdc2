/** One routine by the size of its own input: all charts of its tuples, the fits, the tuples themselves. */

import { useMemo } from 'preact/hooks';

import { lawOf, part, sizesBetween } from '../data/line';
import type { KindWords, ModelExtra, SeriesExtra, SeriesModel, SeriesRow } from '../data/types';
import * as number from '../format/number';
import { shorten, visible } from '../format/text';
import { Plot } from '../plot/plot';
import type { AxisProps, PointSeries, Series } from '../plot/types';
import { useParam } from '../plot/state';
import { aggregate, amortized, chart, smooth, type ChartPoint } from '../routines/charts';
import { aggregation, byCalls, cost, RoutineControls, smoothing } from '../routines/controls';
import { RoutineModels } from '../routines/models';
import { Tuples } from '../routines/tuples';
import { boundOf, boundText, quotients } from '../row/bounding';
import { BoundChoice } from '../row/bounding-plot';
import { ribbonOf } from '../row/figures';
import { href } from '../state/route';
import { page } from '../state/store';
import { CopyButton } from '../view/copy';
import { Name, Section } from '../view/parts';
import { Unknown } from '../view/unknown';

export function Routine({ id }: { id: string }) {
  const index = page.value.seriesIndex.get(id);
  const row = index === undefined ? undefined : page.value.findings.series?.[index];
  const extra = index === undefined ? undefined : page.value.data.series[index];
  if (!row || !extra) return <Unknown view="routine" id={id} />;
  return <Known row={row} extra={extra} />;
}

function Known({ row, extra }: { row: SeriesRow; extra: SeriesExtra }) {
  const model = row[cost.value];
  return (
    <>
      <h1>
        <Name text={row.name} columns={80} />
      </h1>
      <Facts row={row} extra={extra} />
      <Section title="Charts">
        <RoutineControls tuples={extra.observations.length} words={page.value.wordsOf(row)} />
        <div class="charts">
          <CostChart row={row} extra={extra} model={model} />
          <Bounding row={row} extra={extra} />
          <PlainCharts row={row} extra={extra} />
        </div>
      </Section>
      <RoutineModels row={row} extra={extra} />
      <Section title="Tuples">
        <Tuples tuples={extra.observations} name={row.name} words={page.value.wordsOf(row)} />
      </Section>
    </>
  );
}

function Facts({ row, extra }: { row: SeriesRow; extra: SeriesExtra }) {
  return (
    <p class="facts">
      {row.object && (
        <>
          in <Name text={row.object} /> ·{' '}
        </>
      )}
      {row.context && (
        <>
          called by <Name text={row.context} columns={100} /> ·{' '}
        </>
      )}
      {number.plural(row.count, page.value.wordsOf(row).execution)} · {number.plural(row.sizes, 'size')} (
      {row.variables.join(', ').toUpperCase()}) · cost {number.cost(row.outermost_sum ?? row.sum)}{' '}
      {visible(row.unit)}
      {extra.file && (
        <>
          {' '}
          ·{' '}
          <a href={href('source', extra.file, { line: extra.line })}>
            {shorten(extra.file, 60)}:{extra.line}
          </a>
        </>
      )}{' '}
      <CopyButton label="Copy link" text={() => location.href} />
    </p>
  );
}

/** The customisations that a reader asked for: aggregation first, as it makes the points that are smoothed. */
function customised(points: ChartPoint[]): ChartPoint[] {
  return smooth(aggregate(points, aggregation.value), smoothing.value);
}

function pointsOf(
  name: string,
  points: ChartPoint[],
  { execution }: KindWords,
  look: Partial<PointSeries> = {},
): PointSeries {
  const calls = points.map((p) => p.calls);
  return {
    kind: 'points',
    name,
    x: points.map((p) => p.x),
    y: points.map((p) => p.y),
    detail: (id) => [number.plural(calls[id] ?? 0, execution)],
    ...(byCalls.value ? { value: calls, valueLabel: `${execution}s`, valueLog: true } : {}),
    ...look,
  };
}

function sizeAxis(row: SeriesRow) {
  const unit = page.value.wordsOf(row).size_unit;
  return { label: `input size (${row.variables.join(', ').toUpperCase()}, ${unit})` };
}

/** Worst, average or best cost with its fits; the two others behind it. */
function CostChart({ row, extra, model }: { row: SeriesRow; extra: SeriesExtra; model: SeriesModel }) {
  const words = page.value.wordsOf(row);
  const series = useMemo<Series[]>(() => {
    const shown = customised(chart(cost.value, extra.observations));
    const sizes = extra.observations.map((t) => t[0]).filter((s) => s > 0);
    const range: [number, number] = [Math.min(...sizes), Math.max(...sizes)];
    // The interval is drawn behind the points.
    return [...fits(model, extra[cost.value], range), pointsOf(`${cost.value} cost`, shown, words)];
  }, [extra, model, cost.value, smoothing.value, aggregation.value, byCalls.value]);
  const growth = model.models[0]?.growth;
  const said = growth ? `; the growth is ${growth.short}` : '';
  return (
    <Plot
      id="cost"
      link="size"
      title={`${cost.value} cost`}
      summary={`The ${cost.value} cost of a ${words.execution} over the size of its input, ${number.plural(row.sizes, 'size')}${said}.`}
      x={sizeAxis(row)}
      y={{ label: `cost of a ${words.execution}, ${visible(row.unit)}` }}
      series={series}
    />
  );
}

/** The law with its interval, exactly from the smallest size to the largest, and aprof-plot's `a + b·n^c`. */
function fits(
  { models, offset_power: offset }: SeriesModel,
  extra: ModelExtra[],
  [lo, hi]: [number, number],
): Series[] {
  const law = models[0] ? lawOf(models[0], extra[0], null) : null;
  const inside = part(law, lo, hi);
  const lines = ribbonOf(inside);
  if (law && inside.length > 1) {
    const points = inside.map(([n, cost]) => [n, cost] as const);
    lines.push({ kind: 'line', name: law.from, points, tone: 'fit', labelled: true });
  }
  if (offset && lo > 0 && hi > lo) {
    const points = sizesBetween([lo, hi]).map((n) => [n, offset.a + offset.b * n ** offset.c] as const);
    lines.push({ kind: 'line', name: 'a + b·n^c', points, tone: 'second', dash: true });
  }
  return lines;
}

/** Cost ÷ class: flat where the class has the right growth, rising where it grows too slowly. */
function Bounding({ row, extra }: { row: SeriesRow; extra: SeriesExtra }) {
  const model = row[cost.value].models[0];
  const chosen = useParam('guess');
  const bound = model && boundOf(model, chosen);
  const series = useMemo<Series[]>(() => {
    if (!bound) return [];
    const points = chart(cost.value, extra.observations);
    const quotient = quotients(
      bound,
      points.map((p) => p.x),
      points.map((p) => p.y),
    );
    const shown = points.flatMap((p, i) => (quotient[i] === null ? [] : [{ ...p, y: quotient[i] ?? 0 }]));
    return [pointsOf(`${cost.value} cost ÷ ${bound.class}`, customised(shown), page.value.wordsOf(row))];
  }, [extra, bound, cost.value, smoothing.value, aggregation.value, byCalls.value]);
  if (!model || !bound) return null;
  return (
    <Plot
      id="bound"
      link="size"
      title="Curve bounding"
      summary={boundText(bound)}
      x={sizeAxis(row)}
      y={{ label: 'ratio', scale: 'linear', include: [0], format: (v) => number.significant(v, 3) }}
      series={series}
      controls={<BoundChoice model={model} bound={bound} />}
      empty="No size has a quotient that can be drawn."
    />
  );
}

interface Plain {
  id: string;
  title: string;
  /** Of its y axis. */
  y: AxisProps;
  words: string;
  points: ChartPoint[];
}

function plainCharts(
  { amortized: { alpha, spread } }: SeriesRow,
  { observations: tuples }: SeriesExtra,
  { place, execution }: KindWords,
): Plain[] {
  return [
    {
      id: 'total',
      title: 'Total cost',
      y: { label: `cost of all ${execution}s` },
      words: `The cost of all ${execution}s at each size: where the work is.`,
      points: chart('total', tuples),
    },
    {
      id: 'frequency',
      title: 'Frequency',
      y: { label: `${execution}s` },
      words: `How many ${execution}s the ${place} had at each size: its typical workload.`,
      points: chart('frequency', tuples),
    },
    {
      id: 'amortized',
      title: 'Amortized cost',
      y: { label: `cost of a ${execution}`, scale: 'linear', include: [0] },
      words:
        spread.length === 0
          ? 'No size is so rare and expensive that its cost could be spread over the others: these are average costs.'
          : `The cost of ${number.plural(spread.length, 'expensive size')} (shown as 0) is spread over the others, which then pay ${number.significant(1 + alpha, 3)} times their average cost.`,
      points: amortized({ alpha, spread }, tuples),
    },
    {
      id: 'variance',
      title: 'Variance',
      y: { label: 'variance of the cost', scale: 'linear' },
      words: `How much ${execution}s of one size differ in cost: where the size alone does not say what a ${execution} costs.`,
      points: chart('variance', tuples),
    },
  ];
}

function PlainCharts({ row, extra }: { row: SeriesRow; extra: SeriesExtra }) {
  const words = page.value.wordsOf(row);
  const charts = useMemo(
    () =>
      plainCharts(row, extra, words).map(({ title, points, ...rest }) => ({
        ...rest,
        title,
        series: [pointsOf(title.toLowerCase(), customised(points), words)],
      })),
    [row, extra, smoothing.value, aggregation.value, byCalls.value],
  );
  return (
    <>
      {charts.map(({ id, title, y, words, series }) => (
        <Plot
          key={id}
          id={id}
          link="size"
          title={title}
          summary={words}
          x={sizeAxis(row)}
          y={y}
          series={series}
        />
      ))}
    </>
  );
}
