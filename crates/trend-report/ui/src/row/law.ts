/** The law of a model between its computed sizes, and how far the costs are from it. */

import { evaluate } from '../data/models';
import type { CurvePoint, Model, ModelExtra } from '../data/types';

export interface Law {
  /** At ascending sizes; not empty. */
  curve: readonly CurvePoint[];
  /** A growth class such as `n^2`, or `power law`. */
  from: string;
}

/** Points of a power law that the page carries no curve of. */
const STEPS = 24;

/** The law that predictions come from; `null` where there is none. `range`: sizes that it is needed at. */
export function lawOf(
  model: Model,
  extra: ModelExtra | undefined,
  range: [number, number] | null,
): Law | null {
  if (extra && extra.curve.length > 0) return { curve: extra.curve, from: extra.law };
  const power = model.power_law;
  if (!power || !range || !(range[0] > 0)) return null;
  const curve = Array.from({ length: STEPS + 1 }, (_, i): CurvePoint => {
    const at = range[0] * (range[1] / range[0]) ** (i / STEPS);
    return [at, evaluate(power, at), null, null];
  });
  return { curve: curve.filter((p) => Number.isFinite(p[1])), from: 'power law' };
}

/**
 * The law's cost at a size between computed ones, by a cubic through the neighbours' slopes in logarithms: the points
 * lie a factor apart, and a straight line between them would show as arcs in the residuals. `null` outside.
 */
export function costAt(curve: readonly CurvePoint[], at: number): number | null {
  const last = curve.length - 1;
  const [first, end] = [curve[0], curve[last]];
  if (!first || !end || !(at >= first[0] && at <= end[0])) return null;
  let [lo, hi] = [0, last];
  while (hi - lo > 1) {
    const middle = (lo + hi) >> 1;
    if ((curve[middle]?.[0] ?? Infinity) <= at) lo = middle;
    else hi = middle;
  }
  const [p, q] = [curve[lo], curve[hi]];
  if (!p || !q || p === q) return first[1];
  if (!(p[1] > 0 && q[1] > 0)) return p[1] + ((q[1] - p[1]) * (at - p[0])) / (q[0] - p[0]);
  const [x0, x1, y0, y1] = [Math.log(p[0]), Math.log(q[0]), Math.log(p[1]), Math.log(q[1])];
  const h = x1 - x0;
  const t = (Math.log(at) - x0) / h;
  const [m0, m1] = [slope(curve, lo) * h, slope(curve, hi) * h];
  const [t2, t3] = [t * t, t * t * t];
  return Math.exp(
    y0 * (2 * t3 - 3 * t2 + 1) + m0 * (t3 - 2 * t2 + t) + y1 * (3 * t2 - 2 * t3) + m1 * (t3 - t2),
  );
}

/** The slope in logarithms at a point of the curve: of the parabola through it and its neighbours. */
function slope(curve: readonly CurvePoint[], i: number): number {
  const between = (a: number, b: number): { d: number; h: number } | null => {
    const [p, q] = [curve[a], curve[b]];
    if (!p || !q || !(p[1] > 0 && q[1] > 0)) return null;
    const h = Math.log(q[0] / p[0]);
    return { d: Math.log(q[1] / p[1]) / h, h };
  };
  const [before, after] = [between(i - 1, i), between(i, i + 1)];
  if (before && after) return (before.d * after.h + after.d * before.h) / (before.h + after.h);
  // At an end the parabola goes on, so that a power law stays one and a bend stays a bend.
  const only = before ?? after;
  const next = before ? between(i - 2, i - 1) : between(i + 1, i + 2);
  if (!only) return 0;
  return next ? only.d + ((only.d - next.d) * only.h) / (only.h + next.h) : only.d;
}

/** `[workloads]`: the law's cost as a multiple of the measured; `null` where one of them is missing or 0. */
export function residuals(
  curve: readonly CurvePoint[],
  x: readonly (number | null)[],
  costs: readonly number[],
): (number | null)[] {
  return costs.map((cost, i) => {
    const at = x[i] ?? null;
    const expected = at === null ? null : costAt(curve, at);
    return expected !== null && expected > 0 && cost > 0 ? expected / cost : null;
  });
}

/** Between two computed sizes, so that the line is smooth on linear axes too. */
const BETWEEN = 4;

/** The curve from one size to another, with points exactly at both. */
export function part(curve: readonly CurvePoint[], from: number, to: number): CurvePoint[] {
  const sizes = [from];
  curve.forEach(([at], i) => {
    const next = curve[i + 1]?.[0] ?? at;
    for (let k = 0; k < (next > at ? BETWEEN : 1); k++) {
      const between = at * (next / at) ** (k / BETWEEN);
      if (between > from && between < to) sizes.push(between);
    }
  });
  sizes.push(to);
  return sizes.flatMap((x): CurvePoint[] => {
    const cost = costAt(curve, x);
    return cost === null ? [] : [[x, cost, along(curve, x, 2), along(curve, x, 3)]];
  });
}

/** An end of the interval between two points: a straight line in logarithms. */
function along(curve: readonly CurvePoint[], x: number, end: 2 | 3): number | null {
  const hi = Math.max(
    curve.findIndex((p) => p[0] >= x),
    1,
  );
  const [p, q] = [curve[hi - 1], curve[hi]];
  const [a, b] = [p?.[end] ?? null, q?.[end] ?? null];
  if (!p || !q || a === null || b === null) return null;
  const t = Math.log(x / p[0]) / Math.log(q[0] / p[0]);
  return a > 0 && b > 0 ? a * (b / a) ** t : a + (b - a) * t;
}
