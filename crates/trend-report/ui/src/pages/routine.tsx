/** One routine by the size of its own input: all charts of its tuples, the fits, the tuples themselves. */

import { useMemo } from 'preact/hooks';

import type { ModelExtra, SeriesExtra, SeriesModel, SeriesRow } from '../data/types';
import * as number from '../format/number';
import { shorten, visible } from '../format/text';
import { Plot } from '../plot/plot';
import type { PointSeries, Series } from '../plot/types';
import { aggregate, amortized, chart, smooth, type ChartKind, type ChartPoint } from '../routines/charts';
import {
  aggregation,
  byCalls,
  cost,
  GuessControl,
  guess,
  guessText,
  RoutineControls,
  smoothing,
} from '../routines/controls';
import { RoutineModels } from '../routines/models';
import { Tuples } from '../routines/tuples';
import { undrawn } from '../row/bounding';
import { lawOf, part } from '../row/law';
import { href } from '../state/route';
import { page } from '../state/store';
import { CopyButton } from '../view/copy';
import { Name, Section } from '../view/parts';
import { Unknown } from '../view/unknown';

export function Routine({ id }: { id: string }) {
  const index = page.value.routineIndex.get(id);
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
        <RoutineControls tuples={extra.observations.length} />
        <div class="charts">
          <CostChart row={row} extra={extra} model={model} />
          <Bounding row={row} extra={extra} />
          <One kind="total" row={row} extra={extra} />
          <One kind="frequency" row={row} extra={extra} />
          <Amortized row={row} extra={extra} />
          <One kind="variance" row={row} extra={extra} />
        </div>
      </Section>
      <RoutineModels row={row} extra={extra} />
      <Section title="Tuples">
        <Tuples tuples={extra.observations} name={row.name} />
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
      {number.plural(row.count, 'call')} · {number.plural(row.sizes, 'size')} (
      {row.variables.join(', ').toUpperCase()}) · cost {number.cost(row.outermost_sum ?? row.sum)}{' '}
      {visible(page.value.findings.unit)}
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

function pointsOf(name: string, points: ChartPoint[], look: Partial<PointSeries> = {}): PointSeries {
  const calls = points.map((p) => p.calls);
  return {
    kind: 'points',
    name,
    x: points.map((p) => p.x),
    y: points.map((p) => p.y),
    detail: (id) => [number.plural(calls[id] ?? 0, 'call')],
    ...(byCalls.value ? { value: calls, valueLabel: 'calls', valueLog: true } : {}),
    ...look,
  };
}

function sizeAxis(row: SeriesRow) {
  return { label: `input size (${row.variables.join(', ').toUpperCase()}, cells)` };
}

const unit = () => visible(page.value.findings.unit);

/** Worst, average or best cost with its fits; the two others behind it. */
function CostChart({ row, extra, model }: { row: SeriesRow; extra: SeriesExtra; model: SeriesModel }) {
  const series = useMemo<Series[]>(() => {
    const shown = customised(chart(cost.value, extra.observations));
    const sizes = extra.observations.map((t) => t[0]).filter((s) => s > 0);
    const range: [number, number] = [Math.min(...sizes), Math.max(...sizes)];
    // The interval is drawn behind the points.
    return [...fits(model, extra[cost.value], range), pointsOf(`${cost.value} cost`, shown)];
  }, [extra, model, cost.value, smoothing.value, aggregation.value, byCalls.value]);
  const growth = model.models[0]?.growth;
  const said = growth ? `; the growth is ${growth.short}` : '';
  return (
    <Plot
      id="cost"
      link="size"
      title={`${cost.value} cost`}
      summary={`The ${cost.value} cost of a call over the size of its input, ${number.plural(row.sizes, 'size')}${said}.`}
      x={sizeAxis(row)}
      y={{ label: `cost of a call, ${unit()}` }}
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
  const lines: Series[] = [];
  const [model, own] = [models[0], extra[0]];
  const law = model && own && lo < hi ? lawOf(model, own, [lo, hi]) : null;
  const inside = law ? part(law.curve, lo, hi) : [];
  if (law && inside.length > 1) {
    const ribbon = inside.flatMap(([n, , from, to]) =>
      from === null || to === null ? [] : [[n, from, to] as const],
    );
    if (ribbon.length > 1) lines.push({ kind: 'ribbon', name: 'interval', points: ribbon });
    const points = inside.map(([n, cost]) => [n, cost] as const);
    lines.push({ kind: 'line', name: law.from, points, tone: 'fit', labelled: true });
  }
  if (offset && lo > 0 && hi > lo) {
    const steps = Array.from({ length: 65 }, (_, i) => lo * (hi / lo) ** (i / 64));
    lines.push({
      kind: 'line',
      name: 'a + b·n^c',
      points: steps.map((n) => [n, offset.a + offset.b * n ** offset.c]),
      tone: 'second',
      dash: true,
    });
  }
  return lines;
}

/** Cost ÷ guess: flat where the guess has the right growth, rising where it grows too slowly. */
function Bounding({ row, extra }: { row: SeriesRow; extra: SeriesExtra }) {
  const { guess: h } = guess.value;
  const series = useMemo<Series[]>(() => {
    if (!h) return [];
    const ratios = chart(cost.value, extra.observations)
      .map((p) => ({ ...p, y: p.y / h(p.x) }))
      .filter((p) => Number.isFinite(p.y) && Number.isFinite(h(p.x)));
    return [pointsOf(`${cost.value} cost ÷ (${guessText.value})`, customised(ratios))];
  }, [extra, h, guessText.value, cost.value, smoothing.value, aggregation.value, byCalls.value]);
  const why = useMemo(() => {
    const points = chart(cost.value, extra.observations);
    const [x, y] = [points.map((p) => p.x), points.map((p) => p.y)];
    return h ? undrawn(x, y, h, guessText.value).join(' ') : '';
  }, [extra, h, guessText.value, cost.value]);
  return (
    <Plot
      id="bound"
      link="size"
      title="Curve bounding"
      summary={`The ${cost.value} cost divided by ${shorten(guessText.value, 40)}: it levels off where the cost grows no faster than that, and rises where it does. ${why}`.trim()}
      x={sizeAxis(row)}
      y={{ label: 'ratio', scale: 'linear', include: [0], format: (v) => number.significant(v, 3) }}
      series={series}
      controls={<GuessControl />}
      empty={guess.value.error ?? 'No size has a quotient that can be drawn.'}
    />
  );
}

const CHARTS: Record<'total' | 'frequency' | 'variance', { title: string; y: string; words: string }> = {
  total: {
    title: 'Total cost',
    y: 'cost of all calls',
    words: 'The cost of all calls at each size: where the work is.',
  },
  frequency: {
    title: 'Frequency',
    y: 'calls',
    words: 'How often the routine was called at each size: its typical workload.',
  },
  variance: {
    title: 'Variance',
    y: 'variance of the cost',
    words: 'How much calls of one size differ in cost: where the size alone does not say what a call costs.',
  },
};

function One({ kind, row, extra }: { kind: keyof typeof CHARTS; row: SeriesRow; extra: SeriesExtra }) {
  const { title, y, words } = CHARTS[kind];
  const series = useMemo<Series[]>(
    () => [pointsOf(title.toLowerCase(), customised(chart(kind as ChartKind, extra.observations)))],
    [extra, smoothing.value, aggregation.value, byCalls.value],
  );
  return (
    <Plot
      id={kind}
      link="size"
      title={title}
      summary={words}
      x={sizeAxis(row)}
      y={{ label: y, ...(kind === 'variance' ? { scale: 'linear' as const } : {}) }}
      series={series}
      empty={kind === 'variance' ? 'the profile has no sums of squares' : undefined}
    />
  );
}

function Amortized({ row, extra }: { row: SeriesRow; extra: SeriesExtra }) {
  const spread = useMemo(() => amortized(extra.observations), [extra]);
  const series = useMemo<Series[]>(
    () => [pointsOf('amortized cost', customised(spread.points))],
    [spread, smoothing.value, aggregation.value, byCalls.value],
  );
  const words =
    spread.amortizedSizes === 0
      ? 'No size is so rare and expensive that its cost could be spread over the others: these are average costs.'
      : `The cost of ${number.plural(spread.amortizedSizes, 'expensive size')} (shown as 0) is spread over the others, which then pay ${number.significant(1 + spread.alpha, 3)} times their average cost.`;
  return (
    <Plot
      id="amortized"
      link="size"
      title="Amortized cost"
      summary={words}
      x={sizeAxis(row)}
      y={{ label: 'cost of a call', scale: 'linear', include: [0] }}
      series={series}
    />
  );
}
