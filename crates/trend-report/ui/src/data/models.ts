/** Which model a row is shown with and what it says: pure functions over the findings. */

import { lawAt, sumsAt } from './law';
import type { Interval, Law, Model, ModelExtra, PowerLawModel, Source } from './types';

/** The position of the model in `feature`, or of the row's own law where no feature is named; -1 where there is none. */
export function modelIndex(row: { models: Model[]; law?: Law | null }, feature: string | null): number {
  if (feature !== null) return row.models.findIndex((m) => m.feature === feature);
  const own = row.models.findIndex((m) => m.feature === row.law?.features[0]);
  return own < 0 && row.models.length > 0 ? 0 : own;
}

/** Whether the row's law is the model's. */
export function isOfRow({ law }: { law: Law | null }, { feature }: { feature: string }): boolean {
  return law?.features.length === 1 && law.features[0] === feature;
}

/** The power law, where it is the law that the model is shown by. */
export function ownPowerLaw(model: Model | undefined): PowerLawModel | null {
  return model?.source === 'power_law' ? model.power_law : null;
}

/** A cost at a size, with what it comes from. */
export interface Estimate {
  cost: number;
  ci: Interval | null;
  source: Source;
}

/** What a model alone says at a size of its feature; `null` where that is nothing. `law`: that of the row. */
export function estimate(
  model: Model,
  extra: ModelExtra | undefined,
  at: number,
  law: Law | null = null,
): Estimate | null {
  if (!(at > 0) || at > (model.runs_until ?? Infinity) || model.source === null) return null;
  const cost = costOf(model, extra, at, law);
  if (cost === null) return null;
  const known = model.predictions.find((p) => sameSize(p.at, at));
  return { cost, ci: known ? known.ci : intervalAt(extra?.band ?? [], at), source: model.source };
}

function costOf(model: Model, extra: ModelExtra | undefined, at: number, law: Law | null): number | null {
  if (law && isOfRow({ law }, model)) return lawAt(law, [at]);
  if (extra?.law) return sumsAt(extra.law, [at]);
  const power = ownPowerLaw(model);
  const cost = power ? evaluate(power, at) : NaN;
  return Number.isFinite(cost) ? cost : null;
}

/** Sizes are published with six digits: two that differ by less than that rounding are the same. */
const SIZE_TOLERANCE = 1e-5;

export function sameSize(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * SIZE_TOLERANCE;
}

/** The interval at a size, in logarithms between those that the analysis computed; `null` outside of them. */
export function intervalAt(band: ModelExtra['band'], at: number): Interval | null {
  const i = band.findLastIndex(([size]) => size <= at || sameSize(size, at));
  const [p, q] = [band[i], band[i + 1]];
  if (!p) return null;
  if (sameSize(p[0], at)) return [p[1], p[2]];
  if (!q) return null;
  const t = Math.log(at / p[0]) / Math.log(q[0] / p[0]);
  const between = (a: number, b: number) => (a > 0 && b > 0 ? a * (b / a) ** t : a + (b - a) * t);
  return [between(p[1], q[1]), between(p[2], q[2])];
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
