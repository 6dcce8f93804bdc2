/** The charts of a routine as small multiples over one size axis. A click enlarges one, Esc goes back. */

import { useMemo } from 'preact/hooks';

import { factorAt, sumAt } from '../data/law';
import { lawOf, part, pointsBetween } from '../data/models';
import type { Bound, Course, KindWords, Model, Observation, SeriesModel } from '../data/types';
import * as number from '../format/number';
import { capitalized, visible } from '../format/text';
import { FigureSet } from '../plot/figure-set';
import { shows } from '../plot/scale';
import { useParam } from '../plot/state';
import type { AxisProps, Figure, PointSeries, Series } from '../plot/types';
import { aggregate, amortized, chart, type ChartPoint, smooth } from './charts';
import { aggregation, byCalls, type Cost, type Entry, oneCost, smoothing, xScale, yScale } from './places';
import { lineOf, ribbonOf } from '../row/figures';
import { page, setParams } from '../state/state';

interface FiguresProps {
  entry: Entry;
  which: Cost;
  /** Range of sizes to which the tuples are filtered. */
  band: readonly [number, number] | undefined;
}

export function Figures({ entry, which, band }: FiguresProps) {
  const { row } = entry;
  const guess = useParam('guess');
  const words = page.value.wordsOf(row);
  const all = useMemo(
    () => figuresOf(entry, which, guess, words),
    [entry, which, guess, oneCost.value, yScale.value, smoothing.value, aggregation.value, byCalls.value],
  );
  const x = useMemo((): AxisProps => {
    const label = `input size (${row.variables.join(', ').toUpperCase()}, ${words.size_unit})`;
    const sizes = row.observations.map((t) => t[0]);
    const include = [sizes[0], sizes[sizes.length - 1]].flatMap((s) => s ?? []);
    return { label, include, scale: xScale.value };
  }, [entry, xScale.value]);
  const onBrush = ([lo, hi]: readonly [number, number]) =>
    setParams({ 'tuples.size': `${Math.floor(lo)}..${Math.ceil(hi)}` }, 'push');
  return <FigureSet link="size" small x={x} figures={all} more={{ onBrush, band }} />;
}

/** Axes by scale and label. A repeated label gets the same object, so that the drawing is not made again. */
const axes = new Map<string, AxisProps>();

function yAxis(label: string): AxisProps {
  const key = `${yScale.value} ${label}`;
  const axis = axes.get(key) ?? { label, scale: yScale.value };
  axes.set(key, axis);
  return axis;
}

/** Applies the reader's options: aggregation first, because smoothing works on aggregated points. */
function customised(points: ChartPoint[]): ChartPoint[] {
  return smooth(aggregate(points, aggregation.value), smoothing.value);
}

/** Returns the charts. In self mode only sums are known, so charts of smallest and largest costs are left out. */
function figuresOf({ row }: Entry, which: Cost, guess: string | null, words: KindWords): Figure[] {
  const { place, execution } = words;
  const { observations: tuples, own_costs: own, amortized: spread } = row;
  const model = row[which]?.models[0];
  const pointsOf = (name: string, all: ChartPoint[], look: Partial<PointSeries> = {}): PointSeries => {
    const points = customised(all);
    const calls = new Map(points.map((p) => [p.id, p.calls]));
    const colour = {
      value: points.map((p) => p.calls),
      valueLabel: `${execution}s`,
      valueScale: 'log' as const,
    };
    return {
      ...{ kind: 'points', name, ids: points.map((p) => p.id) },
      x: points.map((p) => p.x),
      y: points.map((p) => p.y),
      detail: (id) => [number.plural(calls.get(id) ?? 0, execution)],
      ...(byCalls.value ? colour : {}),
      ...look,
    };
  };
  const figure = (
    id: string,
    title: string,
    note: string,
    y: string,
    summary: string,
    series: Series[],
  ): Figure => ({
    ...{ id, title, note, summary, series, y: yAxis(y) },
    ...(id === 'spread' ? { empty: `${capitalized(execution)}s of one size cost the same.` } : {}),
  });
  // Shows one cost with its law, or all together: the average with a bar from best to worst, and the law of the worst.
  const together = which !== 'own' && oneCost.value === null;
  const what = together ? 'average' : which;
  const plain = aggregation.value <= 1 && smoothing.value <= 1;
  const ranges = together && plain ? { ranges: tuples.map((t) => [t[2], t[3]] as const) } : {};
  const growth = model?.growth ? `; the growth is ${model.growth.short}` : '';
  const costs = [
    figure(
      'cost',
      `Cost of a ${execution}`,
      together ? 'bars: best to worst' : which === 'own' ? 'self' : which,
      `cost of a ${execution}, ${visible(row.unit)}`,
      `The ${what} cost of a ${execution} over the size of its input, ${number.plural(row.sizes, 'size')}${growth}.`,
      // The interval is drawn behind the points.
      [...fits(row[which], tuples), pointsOf(`${what} cost`, chart(what, tuples, own), ranges)],
    ),
  ];
  // Cost ÷ class is flat if the class has the right growth, and rises if the class grows too slowly.
  const bound = model && boundOf(model, guess);
  if (bound) {
    const [title, points] = [`Cost ÷ ${bound.class}`, chart(which, tuples, own)];
    const quotient = quotients(bound, points.map((p) => p.x), points.map((p) => p.y)); // prettier-ignore
    const shown = points.flatMap((p, i) => (quotient[i] === null ? [] : [{ ...p, y: quotient[i] ?? 0 }]));
    const [note] = COURSES[bound.course];
    costs.push(
      figure('bound', title, note, title.toLowerCase(), boundText(bound), [
        pointsOf(title.toLowerCase(), shown),
      ]),
    );
  }
  const sums =
    which === 'own'
      ? tuples.map((t, i) => ({ id: i, x: t[0], y: own[i] ?? 0, calls: t[1] }))
      : chart('total', tuples);
  const works = [
    figure(
      'total',
      `All ${execution}s`,
      'where the work is',
      `cost of all ${execution}s`,
      `The cost of all ${execution}s at each size: where the work is.`,
      [pointsOf(`all ${execution}s`, sums)],
    ),
    figure(
      'often',
      'How often',
      `${execution}s by size`,
      `${execution}s`,
      `How many ${execution}s the ${place} had at each size: its typical workload.`,
      [pointsOf('how often', chart('frequency', tuples), { stems: true })],
    ),
  ];
  if (which === 'own') return [...costs, ...works];
  const paying = spread.spread.length;
  const more = number.significant(1 + spread.alpha, 3);
  return [
    ...costs,
    ...works,
    figure(
      'amortized',
      'Amortized cost',
      paying === 0 ? 'nothing to spread' : 'rare costs spread',
      `cost of a ${execution}`,
      paying === 0
        ? 'No size is rare and expensive enough to spread its cost over the others; these are average costs.'
        : `The cost of ${number.plural(paying, 'expensive size')} is spread over the others, which then cost ${more} times their average.`,
      [pointsOf('amortized cost', amortized(spread, tuples))],
    ),
    figure(
      'spread',
      'Spread',
      'standard deviation',
      'standard deviation of the cost',
      `How much ${execution}s of one size differ in cost: large if the size alone does not determine the cost.`,
      [pointsOf('spread', chart('spread', tuples))],
    ),
  ];
}

/** Returns the law with its interval, exactly from the smallest size to the largest, and aprof-plot's `a + b·n^c`. */
function fits(fit: SeriesModel | undefined, tuples: Observation[]): Series[] {
  const sizes = tuples.map((t) => t[0]).filter((s) => s > 0);
  const [lo, hi] = [sizes[0] ?? 0, sizes[sizes.length - 1] ?? 0];
  const model = fit?.models[0];
  const law = model ? lawOf(model, fit ?? { law: null }) : null;
  const inside = part(law, lo, hi);
  const lines = ribbonOf(inside);
  if (law && inside.length > 1) lines.push(lineOf(law.from, inside));
  const offset = fit?.offset_power;
  if (offset && lo > 0 && hi > lo) {
    const power = { kind: 'power', feature: 0, exponent: offset.c, log: false } as const;
    const constant = { coefficient: offset.a, factors: [] };
    const sum = { weight: 1, terms: [constant, { coefficient: offset.b, factors: [power] }] };
    const points = pointsBetween([lo, hi], (n) => sumAt(sum, n));
    lines.push({ kind: 'line', name: 'a + b·n^c', points, tone: 'second', ghost: true, dash: true });
  }
  return lines;
}

/** Returns the class that divides the cost: the chosen one, or else the verdict's best. */
export function boundOf({ bounds = [], growth }: Model, chosen: string | null): Bound | undefined {
  const usual = growth?.classes.find((c) => c.named)?.class ?? 'n';
  const of = (name: string | null) => bounds.find((b) => b.class === name);
  return of(chosen) ?? of(usual) ?? bounds[0];
}

/** Returns the divisor of the cost at a size; NaN if it is not a positive number. */
function divisor(bound: Bound, n: number): number {
  const by = factorAt(bound.term, n) ?? NaN;
  return by > 0 && by < Infinity ? by : NaN;
}

/** Returns cost ÷ class; `null` if one is missing or the quotient cannot be drawn. */
export function quotients(
  bound: Bound,
  x: readonly (number | null)[],
  costs: readonly (number | null)[],
): (number | null)[] {
  return costs.map((cost, i) => {
    const quotient = (cost ?? 0) / divisor(bound, x[i] ?? NaN);
    return shows('log', quotient) ? quotient : null;
  });
}

/** Descriptions of a quotient's course towards large sizes: a short note, and a sentence. */
const COURSES: Record<Course, [note: string, text: (growth: string) => string]> = {
  flat: ['stays flat', (growth) => `it stays flat: ${growth} bounds the cost at the measured sizes.`],
  rises: ['rises: faster than that', (growth) => `it rises: the cost grows faster than ${growth}.`],
  falls: ['falls: slower than that', (growth) => `it falls: the cost grows more slowly than ${growth}.`],
  levels_off: [
    'levels off',
    (growth) => `it levels off: the verdict is ${growth}; only smaller terms still change.`,
  ],
  unclear: ['unclear', (growth) => `the trend is unclear: ${growth} may or may not bound the cost.`],
};

export function boundText({ class: growth, course }: Bound): string {
  return `The cost divided by ${growth}. Towards large sizes ${COURSES[course][1](growth)}`;
}
