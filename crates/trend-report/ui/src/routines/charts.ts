/**
 * Turns a routine's tuples into the points of its charts, as in Coppa, Demetrescu, Finocchi and Marotta,
 * *Input-sensitive profiling* (aprof-plot). Sizes are in cells of memory; costs are in the study's unit.
 */

import type { Amortized, Observation } from '../data/types';
import type { Cost } from './places';

/** A point of a chart, with the number of calls behind it. */
export interface ChartPoint {
  /** Position of its tuple, or of the first one of several. */
  id: number;
  x: number;
  y: number;
  calls: number;
}

type ChartKind = Cost | 'total' | 'spread' | 'frequency';

/** Returns the average cost of a call at this size. */
export function average([, calls, , , sum]: Observation): number {
  return sum / Math.max(calls, 1);
}

/**
 * Returns the variance of the calls' costs at one size; `null` if the profile has no squares. The variance of a single
 * call is 0. Negative results of rounding become 0.
 */
export function variance(tuple: Observation): number | null {
  const [, calls, min, max, , squares] = tuple;
  if (calls <= 1 || min === max) return 0;
  if (squares === 0) return null;
  return Math.max(squares / calls - average(tuple) ** 2, 0);
}

/** Returns the standard deviation of the calls' costs at one size. */
export function spread(tuple: Observation): number | null {
  const squared = variance(tuple);
  return squared === null ? null : Math.sqrt(squared);
}

/**
 * Returns the points of a chart by ascending size; leaves out sizes without a value. `own` is `[tuples]`: their costs
 * without callees.
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

/** Returns the cost per call when cheap calls pay for the expensive ones, which are shown with 0. */
export function amortized({ alpha, spread }: Amortized, tuples: readonly Observation[]): ChartPoint[] {
  const paid = new Set(spread);
  return tuples.map((tuple, id) => ({
    id,
    x: tuple[0],
    y: paid.has(tuple[0]) ? 0 : (1 + alpha) * average(tuple),
    calls: tuple[1],
  }));
}

/** Reduces the points to the mean of each group of `d` consecutive points. */
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
 * Replaces each point by the centred moving average over a window of `w` points. In an even window the outermost two
 * count half. The window shrinks towards the ends, so that no point is lost and none is pulled to one side.
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
