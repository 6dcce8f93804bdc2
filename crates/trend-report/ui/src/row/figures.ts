/** What the plots of a row's page show, from its costs and its law. Pure. */

import { evaluate } from '../data/models';
import type { Bound, Model, Split } from '../data/types';
import type { Range } from '../plot/scale';
import type { LineSeries, PointSeries, Series } from '../plot/types';
import { divisor, quotients } from './bounding';
import { part, residuals, sizesBetween, type LawLine, type LinePoint } from '../data/line';
import type { Outlook } from './shown';

/** What all plots of one model are made of. */
export interface Figure {
  model: Model;
  law: LawLine | null;
  /** `[workloads]` */
  x: (number | null)[];
  /** `[workloads]`; empty where the page carries none. */
  costs: number[];
  /** Of the sizes that were run. */
  data: Range | null;
  /** Of the sizes that are drawn. */
  drawn: Range | null;
  outlooks: Outlook[];
  /** Whether the law that is drawn is the one that the row is predicted by. */
  isOfRow: boolean;
  approximate: boolean;
  names: (workload: number) => string;
  open: (workload: number) => string;
}

/** The sizes that were run, and with those that predictions are for. */
export function ranges(x: (number | null)[], costs: number[], outlooks: Outlook[]) {
  // Of rows whose costs the page does not carry only the law is drawn, over all sizes.
  const data = span(costs.length > 0 ? x.filter((_, i) => (costs[i] ?? 0) > 0) : x);
  return { data, drawn: data && span([...data, ...outlooks.flatMap((o) => o.at ?? [])]) };
}

function span(values: (number | null)[]): Range | null {
  const positive = values.filter((v): v is number => v !== null && v > 0);
  return positive.length > 0 ? [Math.min(...positive), Math.max(...positive)] : null;
}

function measured(figure: Figure, y: (number | null)[], split: Split | undefined): PointSeries[] {
  if (y.length === 0) return [];
  const base = {
    kind: 'points' as const,
    labels: figure.names,
    open: figure.open,
    approximate: figure.approximate,
  };
  const all = y.map((_, i) => i);
  if (!split || split.trends.length < 2) {
    return [{ ...base, name: 'workloads', x: figure.x, y, ids: all }];
  }
  const shapes = ['dot', 'ring', 'cross'] as const;
  const tones = ['points', 'good', 'doubt'] as const;
  const rest = new Set(all);
  const byName = new Map(all.map((i) => [figure.names(i), i]));
  const series = split.trends.map((trend, t): PointSeries => {
    const ids = trend.workloads.flatMap((name) => byName.get(name) ?? []);
    ids.forEach((i) => rest.delete(i));
    const look = { shape: shapes[t % shapes.length], tone: tones[t % tones.length] };
    return { ...base, ...look, name: `trend ${t + 1}`, ...pick(figure.x, y, ids) };
  });
  const others = Array.from(rest);
  if (others.length === 0) return series;
  return [...series, { ...base, name: 'other workloads', tone: 'second', ...pick(figure.x, y, others) }];
}

function pick(x: (number | null)[], y: (number | null)[], ids: number[]) {
  return { x: ids.map((i) => x[i] ?? null), y: ids.map((i) => y[i] ?? null), ids };
}

/** The law: solid as far as was run, dashed beyond, with its interval. */
function lawSeries(figure: Figure, by: (n: number) => number = () => 1): Series[] {
  const { law, data, drawn } = figure;
  if (!law || !data || !drawn) return [];
  const scaled = (from: number, to: number) =>
    part(law, from, to).map(([n, cost, ci]): LinePoint => {
      return [n, cost / by(n), ci && [ci[0] / by(n), ci[1] / by(n)]];
    });
  const line = (from: number, to: number) => scaled(from, to).map(([n, cost]) => [n, cost] as const);
  const series = ribbonOf(scaled(drawn[0], drawn[1]));
  series.push({ kind: 'line', name: law.from, points: line(data[0], data[1]) });
  if (drawn[0] < data[0])
    series.push({ kind: 'line', name: '', points: line(drawn[0], data[0]), dash: true });
  if (drawn[1] > data[1]) {
    series.push({ kind: 'line', name: 'beyond the data', points: line(data[1], drawn[1]), dash: true });
  }
  return series;
}

/** The interval of a law, to be drawn behind it; nothing where there is none. */
export function ribbonOf(law: readonly LinePoint[]): Series[] {
  const points = law.flatMap(([n, , ci]) => (ci === null ? [] : [[n, ci[0], ci[1]] as const]));
  return points.length > 1 ? [{ kind: 'ribbon', name: 'interval', points }] : [];
}

/** Points, law and predictions. */
export function fitSeries(figure: Figure): Series[] {
  const { model, outlooks } = figure;
  const markers = outlooks.flatMap(({ at, label, estimate }) => {
    if (!estimate || at === null || !figure.isOfRow) return [];
    const [lo, hi] = estimate.ci ?? [null, null];
    return [{ x: at, y: estimate.cost, lo, hi, label }];
  });
  const series = [
    ...lawSeries(figure),
    ...trendLines(figure),
    ...measured(figure, figure.costs, model.split),
  ];
  if (markers.length > 0) series.push({ kind: 'markers', name: 'prediction', points: markers });
  return series;
}

/** The power law of each of several trends, as far as was run. */
function trendLines({ model, data }: Figure): LineSeries[] {
  const trends = model.split?.trends ?? [];
  if (trends.length < 2 || !data) return [];
  return trends.flatMap(({ power_law: law }, t) => {
    if (!law) return [];
    const points = sizesBetween(data).map((n) => [n, evaluate(law, n)] as const);
    return [{ kind: 'line', name: `trend ${t + 1}`, points, tone: 'second', labelled: true }];
  });
}

export function residualSeries(figure: Figure): Series[] {
  if (!figure.law) return [];
  return measured(figure, residuals(figure.law, figure.x, figure.costs), figure.model.split);
}

export function quotientSeries(figure: Figure, bound: Bound): Series[] {
  const points = measured(figure, quotients(bound, figure.x, figure.costs), figure.model.split);
  return [...lawSeries(figure, (n) => divisor(bound, n)), ...points];
}
