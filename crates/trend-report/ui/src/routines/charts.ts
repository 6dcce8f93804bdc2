/**
 * From a routine's tuples to the points of its charts, as in Coppa, Demetrescu, Finocchi and Marotta, *Input-sensitive
 * profiling* (aprof-plot). Sizes are cells of memory, costs what the study counts.
 */

import type { Amortized, Observation } from '../data/types';
import type { Cost } from './places';

/** A point of a chart, with the calls behind it. */
export interface ChartPoint {
  /** The position of its tuple, or of the first of several. */
  id: number;
  x: number;
  y: number;
  calls: number;
}

type ChartKind = Cost | 'total' | 'spread' | 'frequency';

/** What a call costs on average at this size. */
export function average([, calls, , , sum]: Observation): number {
  return sum / Math.max(calls, 1);
}

/**
 * The variance of the cost of the calls at one size; `null` where the profile has no squares. One call varies by
 * nothing. Rounding can take it below zero, where it is zero.
 */
export function variance(tuple: Observation): number | null {
  const [, calls, min, max, , squares] = tuple;
  if (calls <= 1 || min === max) return 0;
  if (squares === 0) return null;
  return Math.max(squares / calls - average(tuple) ** 2, 0);
}

/** How far costs of calls of one size are from each other: their standard deviation. */
export function spread(tuple: Observation): number | null {
  const squared = variance(tuple);
  return squared === null ? null : Math.sqrt(squared);
}

/**
 * The points of a chart by ascending size; sizes of which nothing is known are left out. `own`: `[tuples]`, their costs
 * without what was called.
 */
export function chart(
  kind: ChartKind,
  tuples: readonly Observation[],
  own: readonly number[] = [],
): ChartPoint[] {
  return tuples.flatMap((tuple, id) => {
    const y = value(kind, tuple, own[id] ?? null);
    return y === null ? [] : [{ id, x: tuple[0], y, calls: tuple[1] }];
  });
}

function value(kind: ChartKind, tuple: Observation, own: number | null): number | null {
  switch (kind) {
    case 'worst':
      return tuple[3];
    case 'average':
      return average(tuple);
    case 'best':
      return tuple[2];
    case 'total':
      return tuple[4];
    case 'own':
      return own === null ? null : own / Math.max(tuple[1], 1);
    case 'spread':
      return spread(tuple);
    case 'frequency':
      return tuple[1];
  }
}

/** What a call costs when the cheap calls pay for the expensive ones, which are shown with 0. */
export function amortized({ alpha, spread }: Amortized, tuples: readonly Observation[]): ChartPoint[] {
  const paid = new Set(spread);
  return tuples.map((tuple, id) => ({
    id,
    x: tuple[0],
    y: paid.has(tuple[0]) ? 0 : (1 + alpha) * average(tuple),
    calls: tuple[1],
  }));
}

/** Fewer points: the mean of each group of `d` points that follow each other. */
export function aggregate(points: readonly ChartPoint[], d: number): ChartPoint[] {
  if (d <= 1) return [...points];
  const groups: ChartPoint[] = [];
  for (let i = 0; i < points.length; i += d) {
    const group = points.slice(i, i + d);
    const mean = (of: (p: ChartPoint) => number) => group.reduce((s, p) => s + of(p), 0) / group.length;
    groups.push({
      id: group[0]?.id ?? i,
      x: mean((p) => p.x),
      y: mean((p) => p.y),
      calls: group.reduce((sum, p) => sum + p.calls, 0),
    });
  }
  return groups;
}

/**
 * As many points, each the centred moving average over a window of `w` of them; of an even window the outermost two
 * count half. Towards the ends the window shrinks, so that no point is lost and none is pulled to one side.
 */
export function smooth(points: readonly ChartPoint[], w: number): ChartPoint[] {
  if (w <= 1) return [...points];
  const sums = [0];
  points.forEach((p, i) => sums.push((sums[i] ?? 0) + p.y));
  const sum = (from: number, to: number) => (sums[to] ?? 0) - (sums[from] ?? 0);
  const even = w % 2 === 0;
  const reach = Math.floor(w / 2);
  return points.map((p, k) => {
    const half = Math.min(reach, k, points.length - 1 - k);
    const whole = sum(k - half, k + half + 1);
    // Only a full even window has halves at its ends.
    if (!even || half < reach) return { ...p, y: whole / (2 * half + 1) };
    const ends = (points[k - half]?.y ?? 0) + (points[k + half]?.y ?? 0);
    return { ...p, y: (whole - ends / 2) / w };
  });
}
