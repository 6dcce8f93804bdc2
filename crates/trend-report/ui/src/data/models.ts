/** Which model a row is shown with and what it says: pure functions over the findings. */

import type { Growth, Interval, Model, ModelExtra, PowerLaw } from './types';

/** A later feature is preferred to an earlier one only where it explains this much more; as in the terminal. */
const BETTER_R2 = 0.01;

/** A power law below this R² describes its row poorly, unless a decided class is close to the costs. */
export const POOR_R2 = 0.9;
const GOOD_SPREAD = 0.25;

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
  /** A growth class such as `n^2`, or `power law`. */
  from: string;
  /** Whether the analysis computed exactly this value; else it lies between computed ones. */
  exact: boolean;
}

/** What the row will cost at `at`; `null` where nothing can be said. */
export function estimate(model: Model, extra: ModelExtra | undefined, at: number): Estimate | null {
  if (!(at > 0)) return null;
  const asked = model.predictions.find((p) => Math.abs(p.at - at) <= at * 1e-9);
  if (asked) return { cost: asked.cost, ci: asked.ci, from: asked.from, exact: true };
  const curve = extra?.curve ?? [];
  const first = curve[0];
  const last = curve[curve.length - 1];
  if (first && last && at >= first[0] && at <= last[0]) return onCurve(curve, at, extra?.law ?? '');
  if (curve.length === 0 && model.power_law) {
    const cost = evaluate(model.power_law, at);
    return Number.isFinite(cost) ? { cost, ci: null, from: 'power law', exact: false } : null;
  }
  return null;
}

/** Between two points of a curve a law is all but a straight line in logarithms. */
function onCurve(curve: ModelExtra['curve'], at: number, law: string): Estimate | null {
  let hi = curve.findIndex((p) => p[0] >= at);
  if (hi === 0) hi = 1;
  const [p, q] = [curve[hi - 1], curve[hi]];
  if (!p || !q) {
    const only = curve[0];
    return only && only[0] === at ? estimateOf(only, law, true) : null;
  }
  const t = Math.log(at / p[0]) / Math.log(q[0] / p[0]);
  const between = (a: number | null, b: number | null): number | null => {
    if (a === null || b === null) return null;
    return a > 0 && b > 0 ? a * (b / a) ** t : a + (b - a) * t;
  };
  const cost = between(p[1], q[1]);
  if (cost === null) return null;
  return estimateOf([at, cost, between(p[2], q[2]), between(p[3], q[3])], law, t === 0 || t === 1);
}

function estimateOf([, cost, lo, hi]: ModelExtra['curve'][number], from: string, exact: boolean): Estimate {
  return { cost, ci: lo === null || hi === null ? null : [lo, hi], from, exact };
}

/** `a·x^b`, in logarithms so that `x^b` may overflow where the product does not. */
export function evaluate(law: PowerLaw, x: number): number {
  return Math.exp(Math.log(law.a) + law.b * Math.log(x));
}

/** Whether the model says little about what its row costs. */
export function isPoor(model: Model | undefined): boolean {
  if (!model?.power_law) return true;
  const close = model.growth?.decided === true && (model.growth.classes[0]?.spread ?? 1) < GOOD_SPREAD;
  return !(model.power_law.r2 >= POOR_R2) && !close;
}

/** `n^2`, or `n or n log n ?`: short enough for a cell. */
export function growthCell(growth: Growth): string {
  const named = growth.classes.filter((c) => c.named).map((c) => c.class);
  if (growth.decided) return named[0] ?? growth.verdict;
  if (named.length === 0) return growth.verdict;
  return `${named.slice(0, 3).join(' or ')}${named.length > 3 ? ' or …' : ''} ?`;
}

/** Whether growth is certainly faster than linear: by the verdict, else by the interval of the exponent. */
export function isSuperlinear(model: Model | undefined): boolean {
  if (!model) return false;
  if (model.growth) return model.growth.superlinear === true;
  return (model.power_law?.b_ci?.[0] ?? 0) > 1;
}
