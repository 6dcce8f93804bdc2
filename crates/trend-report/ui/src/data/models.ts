/** Which model a row is shown with and what it says: pure functions over the findings. */

import { sourceText } from './growth-class';
import { lawAt } from './law';
import type { CurvePoint, Interval, Law, Model, ModelExtra, PowerLawModel } from './types';

/** A later feature is preferred to an earlier one only where it explains this much more; as in the terminal. */
const BETTER_R2 = 0.01;

/** A row of the findings with what the page has of it. */
export interface Modelled {
  models: Model[];
}

/** The position of the model in `feature`, or of the one that explains the row best where no feature is named. */
export function modelIndex(row: Modelled, feature: string | null): number {
  if (feature !== null) return row.models.findIndex((m) => m.feature === feature);
  let best = -1;
  row.models.forEach((model, i) => {
    if (!model.power_law) return;
    const r2 = row.models[best]?.power_law?.r2;
    if (best < 0 || (r2 !== undefined && model.power_law.r2 > r2 + BETTER_R2)) best = i;
  });
  return best < 0 && row.models.length > 0 ? 0 : best;
}

/** A cost at a size, with where it comes from. */
export interface Estimate {
  cost: number;
  ci: Interval | null;
  /** A growth class such as `n^2`, `power law` or `sum of parts`. */
  from: string;
  /** Whether the analysis computed exactly this value; else it lies between computed ones. */
  exact: boolean;
}

/** What the row will cost at `at`; `null` where nothing can be said. `law`: that of the row. */
export function estimate(
  model: Model,
  extra: ModelExtra | undefined,
  at: number,
  law: Law | null = null,
): Estimate | null {
  if (!(at > 0) || (model.runs_until !== undefined && at > model.runs_until)) return null;
  const asked = model.predictions.find((p) => sameSize(p.at, at));
  if (asked)
    return { cost: asked.cost, ci: asked.ci, from: sourceText(asked.source, model.growth), exact: true };
  const from = model.source ? sourceText(model.source, model.growth) : '';
  const curve = extra?.curve ?? [];
  const point = pointAt(curve, at);
  if (point) {
    const [, cost, lo, hi] = point;
    const ci: Interval | null = lo === null || hi === null ? null : [lo, hi];
    return { cost, ci, from, exact: nodeAt(curve, at) !== undefined };
  }
  // The law of the row itself says what no curve reaches to.
  if (law?.features.length === 1 && law.features[0] === model.feature && law.source === model.source) {
    const cost = lawAt(law, [at]);
    return cost === null ? null : { cost, ci: null, from, exact: false };
  }
  // Of rows that cost little the page carries no curve of a power law, and of none below the smallest run.
  const below = (curve[0]?.[0] ?? 0) > at;
  if (model.source === 'power_law' && (curve.length === 0 || below) && model.power_law) {
    const cost = evaluate(model.power_law, at);
    return Number.isFinite(cost) ? { cost, ci: null, from, exact: false } : null;
  }
  return null;
}

/** Sizes are published with six digits: two that differ by less than that rounding are the same. */
const SIZE_TOLERANCE = 1e-5;

export function sameSize(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * SIZE_TOLERANCE;
}

/** The law's cost at a size between computed ones; `null` outside. */
export function costAt(curve: readonly CurvePoint[], at: number): number | null {
  return pointAt(curve, at)?.[1] ?? null;
}

/**
 * The law at a size between computed ones, by a cubic through the neighbours' slopes in logarithms: the points lie a
 * factor apart, and a straight line between them would show as arcs in the residuals. At a computed size exactly what
 * was computed; where the points rise the cubic rises. `null` outside.
 * - Time: O(log n)
 */
export function pointAt(curve: readonly CurvePoint[], at: number): CurvePoint | null {
  const node = nodeAt(curve, at);
  if (node) return [at, node[1], node[2], node[3]];
  const i = below(curve, at);
  const [p, q] = [curve[i], curve[i + 1]];
  if (!p || !q || !(p[0] < at && at < q[0])) return null;
  const t = Math.log(at / p[0]) / Math.log(q[0] / p[0]);
  if (!(p[1] > 0 && q[1] > 0)) {
    const cost = p[1] + ((q[1] - p[1]) * (at - p[0])) / (q[0] - p[0]);
    const end = (k: 2 | 3) => offset(p, q, k, (a, b) => cost + (a - p[1]) * (1 - t) + (b - q[1]) * t);
    return [at, cost, end(2), end(3)];
  }
  const cost = cubic(curve, i, t);
  // Its ratio to the cost is interpolated, so that an interval stays around the cost.
  const end = (k: 2 | 3) =>
    offset(p, q, k, (lo, hi) => {
      const [a, b] = [lo / p[1], hi / q[1]];
      return cost * (a > 0 && b > 0 ? a * (b / a) ** t : a + (b - a) * t);
    });
  return [at, cost, end(2), end(3)];
}

/** The last position whose size is at most `at`; 0 where there is none. */
function below(curve: readonly CurvePoint[], at: number): number {
  let [lo, hi] = [0, curve.length];
  while (hi - lo > 1) {
    const middle = (lo + hi) >> 1;
    if ((curve[middle]?.[0] ?? Infinity) <= at) lo = middle;
    else hi = middle;
  }
  return lo;
}

/** The computed point at a size. */
function nodeAt(curve: readonly CurvePoint[], at: number): CurvePoint | undefined {
  const i = below(curve, at);
  return [curve[i], curve[i + 1]].find((p) => p && sameSize(p[0], at));
}

function offset(
  p: CurvePoint,
  q: CurvePoint,
  end: 2 | 3,
  between: (a: number, b: number) => number,
): number | null {
  const [a, b] = [p[end], q[end]];
  return a === null || b === null ? null : between(a, b);
}

/** The cost at the part `t` of the way, in logarithms, from point `i` to the next. */
function cubic(curve: readonly CurvePoint[], i: number, t: number): number {
  const [p, q] = [curve[i], curve[i + 1]];
  if (!p || !q) return NaN;
  const [h, y0, y1] = [Math.log(q[0] / p[0]), Math.log(p[1]), Math.log(q[1])];
  const [m0, m1] = [slope(curve, i) * h, slope(curve, i + 1) * h];
  const [t2, t3] = [t * t, t * t * t];
  return Math.exp(
    y0 * (2 * t3 - 3 * t2 + 1) + m0 * (t3 - 2 * t2 + t) + y1 * (3 * t2 - 2 * t3) + m1 * (t3 - t2),
  );
}

/** A cubic whose slopes at its ends are at most this many times the straight line's stays monotone. */
const MONOTONE = 3;

/** The slope in logarithms at a point of the curve: of the parabola through it and its neighbours, if monotone. */
function slope(curve: readonly CurvePoint[], i: number): number {
  const between = (a: number, b: number): { d: number; h: number } | null => {
    const [p, q] = [curve[a], curve[b]];
    if (!p || !q || !(p[1] > 0 && q[1] > 0)) return null;
    const h = Math.log(q[0] / p[0]);
    return { d: Math.log(q[1] / p[1]) / h, h };
  };
  const [before, after] = [between(i - 1, i), between(i, i + 1)];
  if (before && after) {
    const parabola = (before.d * after.h + after.d * before.h) / (before.h + after.h);
    return limited(limited(parabola, before.d), after.d);
  }
  // At an end the parabola goes on, so that a power law stays one and a bend stays a bend.
  const only = before ?? after;
  const next = before ? between(i - 2, i - 1) : between(i + 1, i + 2);
  if (!only) return 0;
  return next ? limited(only.d + ((only.d - next.d) * only.h) / (only.h + next.h), only.d) : only.d;
}

/** The slope nearest to `wanted` that keeps the cubic beside a straight line of slope `straight` monotone. */
function limited(wanted: number, straight: number): number {
  const most = MONOTONE * straight;
  return Math.min(Math.max(wanted, Math.min(0, most)), Math.max(0, most));
}

/** `a·x^b`, in logarithms so that `x^b` may overflow where the product does not. */
export function evaluate(law: PowerLawModel, x: number): number {
  return Math.exp(Math.log(law.a) + law.b * Math.log(x));
}

/** Whether growth is certainly faster than linear: by the verdict, else by the interval of the exponent. */
export function isSuperlinear(model: Model | undefined): boolean {
  if (!model) return false;
  if (model.growth) return model.growth.superlinear === true;
  return (model.power_law?.b_ci?.[0] ?? 0) > 1;
}
