/** Makes the series of a row's drawings from its costs and its law. Pure. */

import { extended } from '../data/columns';
import { powerAt } from '../data/law';
import { type LinePoint, part, pointsBetween, residuals, span } from '../data/models';
import { type Ground, hiddenCost } from '../data/predict';
import type { Model } from '../data/types';
import { cost } from '../format/number';
import { type Range, ratioText, ratioTicks } from '../plot/scale';
import type { AxisProps, LineSeries, PointSeries, Series } from '../plot/types';
import type { Outlook } from './shown';

/** The data behind all drawings of one model. */
export interface RowFigure extends Ground {
  model: Model;
  /** `[workloads]`; empty if the page carries no costs. */
  costs: number[];
  /** Range of the sizes that were run. */
  data: Range | null;
  /** Range of the sizes that are drawn. */
  drawn: Range | null;
  /** The prediction at the target; `null` if the law drawn is not the one that predicts the row. */
  then: Outlook | null;
  approximate: boolean;
  names: (workload: number) => string;
  open: (workload: number) => string;
}

/** Returns the range of sizes that were run, and the range that also includes the target. */
export function ranges(x: (number | null)[], costs: number[], at: number | null) {
  // Without the row's costs only the law is drawn, over all sizes.
  const data = span(costs.length > 0 ? x.filter((_, i) => (costs[i] ?? 0) > 0) : x);
  return { data, drawn: data && span([...data, at]) };
}

const SHAPES = ['dot', 'ring', 'cross'] as const;
const TONES = ['points', 'other', 'third'] as const;

/** Returns the measured values as series; each of several trends has its own mark. */
export function measured(figure: RowFigure, y: readonly (number | null)[]): PointSeries[] {
  if (y.length === 0) return [];
  const { x, names: labels, open, approximate } = figure;
  const of = (ids: number[], name: string, look: Partial<PointSeries>): PointSeries => ({
    ...{ kind: 'points', name, labels, open, approximate, ids },
    ...look,
    x: ids.map((i) => x[i] ?? null),
    y: ids.map((i) => y[i] ?? null),
  });
  const rest = new Set(y.keys());
  const trends = figure.model.split?.trends ?? [];
  if (trends.length < 2) return [of([...rest], 'runs', {})];
  const byName = new Map(Array.from(rest, (i) => [labels(i), i]));
  const series = trends.map((trend, t) => {
    const ids = trend.workloads.flatMap((name) => byName.get(name) ?? []);
    ids.forEach((i) => rest.delete(i));
    return of(ids, `trend ${t + 1}`, { shape: SHAPES[t % 3] ?? 'dot', tone: TONES[t % 3] ?? 'points' });
  });
  return rest.size === 0 ? series : [...series, of([...rest], 'other runs', { tone: 'second' })];
}

/** Returns the law with its interval: solid within the measured sizes, dashed beyond. */
function lawSeries({ model, law, data, drawn }: RowFigure): Series[] {
  if (!law || !data || !drawn) return [];
  const line = (name: string, from: number, to: number, dash: boolean): LineSeries[] =>
    from < to ? [{ ...lineOf(name, part(law, from, to)), dash }] : [];
  return [
    ...hiddenBand(model, part(law, drawn[0], drawn[1])),
    ...ribbonOf(part(law, drawn[0], drawn[1])),
    ...line(law.from, data[0], data[1], false),
    ...line('', drawn[0], data[0], true),
    ...line('predicted', data[1], drawn[1], true),
  ];
}

export const lineOf = (name: string, law: readonly LinePoint[]): LineSeries => ({
  kind: 'line',
  name,
  points: law.map(([n, cost]) => [n, cost] as const),
});

/** Returns the interval of a law, to be drawn behind it; nothing if the law has no interval. */
export function ribbonOf(law: readonly LinePoint[]): Series[] {
  const points = law.flatMap(([n, , ci]) => (ci === null ? [] : [[n, ci[0], ci[1]] as const]));
  return points.length > 1 ? [{ kind: 'ribbon', name: 'interval', points }] : [];
}

/** Returns the cost that a hidden part could add, as far as it exceeds the interval. */
function hiddenBand(model: Model, law: readonly LinePoint[]): Series[] {
  const points = law.flatMap(([n, line, ci]) => {
    const most = hiddenCost(model, { cost: line, ci }, n);
    return most === null ? [] : [[n, ci?.[1] ?? line, most] as const];
  });
  const end = points.at(-1);
  if (!end || points.length < 2) return [];
  return [{ kind: 'ribbon', name: `not ruled out: ≤ ${cost(end[2], 2)}`, points, dotted: true }];
}

/** Id of the target, a point that is not a run. */
const TARGET = -1;

/** Returns the points, the law and the target. */
export function fitSeries(figure: RowFigure): Series[] {
  const { then, data } = figure;
  const series = [...lawSeries(figure), ...trendLines(figure), ...measured(figure, figure.costs)];
  if (!then?.estimate || !data) return series;
  const { cost: y, ci } = then.estimate;
  return [
    ...series,
    {
      ...{ kind: 'points', name: 'target', shape: 'diamond', tone: 'fit' },
      ...{ ids: [TARGET], x: [then.at], y: [y] },
      ranges: ci ? [ci] : [],
      detail: () => (ci ? [`interval: ${ci.map((end) => cost(end, 4)).join(' – ')}`] : []),
    },
  ];
}

/** Returns the series of another row's law and points, in a second colour, for the same chart. */
export function besideSeries(figure: RowFigure, name: string, tone: 'other' | 'third'): Series[] {
  const { law, data, drawn, costs } = figure;
  const line = (name: string, from: number, to: number, dash: boolean): Series[] =>
    law && from < to ? [{ ...lineOf(name, part(law, from, to)), dash, tone }] : [];
  const plain = extended(figure.model, { split: undefined }) as Model;
  const points = measured({ ...figure, model: plain }, costs);
  return [
    ...(data ? line(`law of ${name}`, data[0], data[1], false) : []),
    ...(data && drawn ? line('', data[1], drawn[1], true) : []),
    ...points.map((one): Series => ({ ...one, name, shape: 'cross', tone })),
  ];
}

/** Returns the power law of each of several trends, within the measured sizes. */
function trendLines({ model, data }: RowFigure): LineSeries[] {
  const trends = model.split?.trends ?? [];
  if (trends.length < 2 || !data) return [];
  return trends.flatMap(({ power_law: law }, t) => {
    if (!law) return [];
    const points = pointsBetween(data, (n) => powerAt(law, n));
    return [{ kind: 'line', name: `law of trend ${t + 1}`, points, tone: TONES[t % 3] ?? 'points' }];
  });
}

/** Residuals closer to 1 than this look flat: a page carries its laws with five digits only. */
const FLAT = 1.001;

/** The axis of measured ÷ law. */
export const RATIO: AxisProps = {
  label: 'measured ÷ law',
  ticks: ratioTicks,
  tick: ratioText,
  format: ratioText,
  include: [1 / FLAT, FLAT],
};

/** Returns measured ÷ law, with a line at 1. */
export function residualSeries(figure: RowFigure): Series[] {
  const { law, drawn } = figure;
  if (!law || !drawn) return [];
  const points = drawn.map((n) => [n, 1] as const);
  const level: LineSeries = { kind: 'line', name: '', points, tone: 'second' };
  return [level, ...measured(figure, residuals(law, figure.x, figure.costs))];
}
