/** The charts of a routine as small multiples over one axis of sizes; a click makes one large, Esc goes back. */

import { useMemo } from 'preact/hooks';

import { lawOf, part, sizesBetween } from '../data/line';
import type { Course, KindWords, Model, ModelExtra, Observation, SeriesModel } from '../data/types';
import * as number from '../format/number';
import { capitalized, visible } from '../format/text';
import { FigureSet } from '../plot/figure-set';
import { useParam } from '../plot/state';
import type { AxisProps, Figure, PointSeries, Series } from '../plot/types';
import { boundOf, boundText, quotients } from '../row/bounding';
import { ribbonOf } from '../row/figures';
import { setParams } from '../state/route';
import { page } from '../state/store';
import { aggregate, amortized, chart, smooth, type ChartPoint } from './charts';
import { aggregation, byCalls, oneCost, smoothing, xScale, yScale, type Cost } from './choices';
import type { Entry } from './places';

/** What is seen of a quotient towards large sizes. */
const COURSES: Record<Course, string> = {
  flat: 'stays flat',
  rises: 'rises: faster than that',
  falls: 'falls: slower than that',
  levels_off: 'levels off',
  unclear: 'unclear where it goes',
};

interface FiguresProps {
  entry: Entry;
  which: Cost;
  /** Sizes that the tuples are narrowed to. */
  band: readonly [number, number] | undefined;
}

export function Figures({ entry, which, band }: FiguresProps) {
  const { row, extra } = entry;
  const guess = useParam('guess');
  const words = page.value.wordsOf(row);
  const all = useMemo(
    () => figuresOf(entry, which, guess, words),
    [entry, which, guess, oneCost.value, yScale.value, smoothing.value, aggregation.value, byCalls.value],
  );
  const x = useMemo((): AxisProps => {
    const label = `input size (${row.variables.join(', ').toUpperCase()}, ${words.size_unit})`;
    const sizes = extra.observations.map((t) => t[0]);
    const include = [sizes[0], sizes[sizes.length - 1]].flatMap((s) => s ?? []);
    return { label, include, scale: xScale.value };
  }, [entry, xScale.value]);
  const onBrush = ([lo, hi]: readonly [number, number]) =>
    setParams({ 'tuples.size': `${Math.floor(lo)}..${Math.ceil(hi)}` }, 'push');
  return <FigureSet link="size" small x={x} figures={all} more={{ onBrush, ...(band ? { band } : {}) }} />;
}

/** The same for one label, so that a drawing is not made anew. */
const axes = new Map<string, AxisProps>();

function yAxis(label: string): AxisProps {
  const key = `${yScale.value} ${label}`;
  const axis = axes.get(key) ?? { label, scale: yScale.value };
  axes.set(key, axis);
  return axis;
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
  const calls = new Map(points.map((p) => [p.id, p.calls]));
  return {
    kind: 'points',
    name,
    ids: points.map((p) => p.id),
    x: points.map((p) => p.x),
    y: points.map((p) => p.y),
    detail: (id) => [number.plural(calls.get(id) ?? 0, execution)],
    ...(byCalls.value
      ? { value: points.map((p) => p.calls), valueLabel: `${execution}s`, valueLog: true }
      : {}),
    ...look,
  };
}

/** In self mode costs are known as sums alone: what needs least and greatest costs is left out. */
function figuresOf(entry: Entry, which: Cost, guess: string | null, words: KindWords): Figure[] {
  const { row, extra } = entry;
  const { place, execution } = words;
  const { observations: tuples, own_costs: own } = extra;
  const model = row[which]?.models[0];
  const figure = (
    id: string,
    title: string,
    note: string,
    y: string,
    points: ChartPoint[],
    summary: string,
  ) => ({
    ...{ id, title, note, y: yAxis(y), summary },
    ...(id === 'spread' ? { empty: `${capitalized(execution)}s of one size cost the same.` } : {}),
    series: [pointsOf(title.toLowerCase(), customised(points), words, id === 'often' ? { stems: true } : {})],
  });
  const spread = row.amortized.spread.length;
  const sums =
    which === 'own'
      ? tuples.map((t, i) => ({ id: i, x: t[0], y: own[i] ?? 0, calls: t[1] }))
      : chart('total', tuples);
  const figures = [
    costFigure(entry, which, model, words),
    model && boundFigure(entry, which, model, guess, words),
    figure(
      'total',
      `All ${execution}s`,
      'where the work is',
      `cost of all ${execution}s`,
      sums,
      `The cost of all ${execution}s at each size: where the work is.`,
    ),
    figure(
      'often',
      'How often',
      `${execution}s by size`,
      `${execution}s`,
      chart('frequency', tuples),
      `How many ${execution}s the ${place} had at each size: its typical workload.`,
    ),
    which !== 'own' &&
      figure(
        'amortized',
        'Amortized cost',
        spread === 0 ? 'nothing to spread' : 'rare costs spread',
        `cost of a ${execution}`,
        amortized(row.amortized, tuples),
        spread === 0
          ? 'No size is so rare and expensive that its cost could be spread over the others: these are average costs.'
          : `The cost of ${number.plural(spread, 'expensive size')} is spread over the others, which then pay ${number.significant(1 + row.amortized.alpha, 3)} times their average cost.`,
      ),
    which !== 'own' &&
      figure(
        'spread',
        'Spread',
        'standard deviation',
        'standard deviation of the cost',
        chart('spread', tuples),
        `How much ${execution}s of one size differ in cost: where the size alone does not say what a ${execution} costs.`,
      ),
  ];
  return figures.filter((f): f is Figure => Boolean(f));
}

/** One cost with its law; together: the average with a bar from the best to the worst, and the law of the worst. */
function costFigure({ row, extra }: Entry, which: Cost, model: Model | undefined, words: KindWords): Figure {
  const { execution } = words;
  const { observations: tuples, own_costs: own } = extra;
  const together = which !== 'own' && oneCost.value === null;
  const plain = aggregation.value <= 1 && smoothing.value <= 1;
  const shown = customised(chart(together ? 'average' : which, tuples, own));
  const ranges = together && plain ? { ranges: tuples.map((t) => [t[2], t[3]] as const) } : {};
  const growth = model?.growth ? `; the growth is ${model.growth.short}` : '';
  const what = together ? 'average' : which;
  return {
    id: 'cost',
    title: `Cost of a ${execution}`,
    note: together ? 'bars: best to worst' : which === 'own' ? 'by itself' : which,
    summary: `The ${what} cost of a ${execution} over the size of its input, ${number.plural(row.sizes, 'size')}${growth}.`,
    y: yAxis(`cost of a ${execution}, ${visible(row.unit)}`),
    // The interval is drawn behind the points.
    series: [...fits(row[which], extra[which], tuples), pointsOf(`${what} cost`, shown, words, ranges)],
  };
}

/** The law with its interval, exactly from the smallest size to the largest, and aprof-plot's `a + b·n^c`. */
function fits(fit: SeriesModel | undefined, extra: ModelExtra[], tuples: Observation[]): Series[] {
  const sizes = tuples.map((t) => t[0]).filter((s) => s > 0);
  const [lo, hi] = [sizes[0] ?? 0, sizes[sizes.length - 1] ?? 0];
  const model = fit?.models[0];
  const law = model ? lawOf(model, extra[0], null) : null;
  const inside = part(law, lo, hi);
  const lines = ribbonOf(inside);
  if (law && inside.length > 1) {
    lines.push({
      kind: 'line',
      name: law.from,
      points: inside.map(([n, cost]) => [n, cost] as const),
      tone: 'fit',
    });
  }
  const offset = fit?.offset_power;
  if (offset && lo > 0 && hi > lo) {
    const points = sizesBetween([lo, hi]).map((n) => [n, offset.a + offset.b * n ** offset.c] as const);
    lines.push({ kind: 'line', name: 'a + b·n^c', points, tone: 'second', ghost: true, dash: true });
  }
  return lines;
}

/** Cost ÷ class: flat where the class has the right growth, rising where it grows too slowly. */
function boundFigure(
  { extra }: Entry,
  which: Cost,
  model: Model,
  guess: string | null,
  words: KindWords,
): Figure | null {
  const bound = boundOf(model, guess);
  if (!bound) return null;
  const points = chart(which, extra.observations, extra.own_costs);
  const quotient = quotients(
    bound,
    points.map((p) => p.x),
    points.map((p) => p.y),
  );
  const shown = points.flatMap((p, i) => (quotient[i] === null ? [] : [{ ...p, y: quotient[i] ?? 0 }]));
  return {
    id: 'bound',
    title: `Cost ÷ ${bound.class}`,
    note: COURSES[bound.course],
    summary: boundText(bound),
    y: yAxis(`cost ÷ ${bound.class}`),
    series: [pointsOf(`cost ÷ ${bound.class}`, customised(shown), words)],
  };
}
