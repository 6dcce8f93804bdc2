/**
 * Chooses the model that a row is shown with, evaluates it and turns it into a line: pure functions over the findings.
 */

import { lawAt, sumsAt } from './law';
import type { Band, GrowthModel, GrowthSupport, Interval, Law, Model, PowerLawModel, Source } from './types';

/**
 * Returns the position of the model in `feature`; of the row's own law if `feature` is `null`; -1 if there is no such
 * model.
 */
export function modelIndex(row: { models: Model[]; law?: Law | null }, feature: string | null): number {
  if (feature !== null) return row.models.findIndex((m) => m.feature === feature);
  const own = row.models.findIndex((m) => m.feature === row.law?.features[0]);
  return own < 0 && row.models.length > 0 ? 0 : own;
}

/** True if the row's law is this model's law. */
export function isOfRow({ law }: { law: Law | null }, { feature }: { feature: string }): boolean {
  return law?.features.length === 1 && law.features[0] === feature;
}

/** Returns the power law if the model is shown by it. */
export function ownPowerLaw(model: Model | undefined): PowerLawModel | null {
  return model?.source === 'power_law' ? model.power_law : null;
}

/** A cost at a size, with its interval and its source. */
export interface Estimate {
  cost: number;
  ci: Interval | null;
  source: Source;
}

/**
 * Returns the cost that one model predicts at a size of its feature; `null` if it predicts none. `law` is the row's
 * law.
 */
export function estimate(model: Model, at: number, law: Law | null = null): Estimate | null {
  if (!(at > 0) || at > (model.runs_until ?? Infinity) || model.source === null) return null;
  const cost = costOf(model, at, law);
  if (cost === null) return null;
  const known = model.predictions.find((p) => sameSize(p.at, at));
  return { cost, ci: known ? known.ci : intervalAt(model.band, at, cost), source: model.source };
}

function costOf(model: Model, at: number, law: Law | null): number | null {
  if (law && isOfRow({ law }, model)) return lawAt(law, [at]);
  if (model.law) return sumsAt(model.law, [at]);
  const power = ownPowerLaw(model);
  const cost = power ? evaluate(power, at) : NaN;
  return Number.isFinite(cost) ? cost : null;
}

/** Largest relative difference of two equal sizes. Sizes are published with six digits, so they differ by rounding. */
const SIZE_TOLERANCE = 1e-5;

export function sameSize(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * SIZE_TOLERANCE;
}

/**
 * Interpolates the interval of a law's cost between the sizes at which the analysis computed one; `null` outside of
 * them.
 */
export function intervalAt(band: Band | null | undefined, at: number, cost: number): Interval | null {
  const i = band?.at.findLastIndex((size) => size <= at || sameSize(size, at)) ?? -1;
  const [from = NaN, to = NaN] = [band?.at[i], band?.at[i + 1]];
  const t = sameSize(from, at) ? 0 : Math.log(at / from) / Math.log(to / from);
  const between = (ends: number[] = []) => {
    const [a = NaN, b = a] = [ends[i], ends[i + 1]];
    return cost * (a > 0 && b > 0 ? a * (b / a) ** t : a + (b - a) * t);
  };
  return t >= 0 ? [between(band?.lo), between(band?.hi)] : null;
}

/** Computes `a·x^b` in logarithms, so that `x^b` may overflow where the product does not. */
export function evaluate(law: PowerLawModel, x: number): number {
  return Math.exp(Math.log(law.a) + law.b * Math.log(x));
}

/** True if growth is certainly faster than linear: by the verdict, or without one by the exponent's interval. */
export function isSuperlinear(model: Model | undefined): boolean {
  if (!model) return false;
  if (model.growth) return model.growth.superlinear === true;
  return (model.power_law?.b_ci?.[0] ?? 0) > 1;
}

export interface LawLine {
  /** Name of the law: `1.5·n^2`; for an undecided law it says that the line is an average. */
  from: string;
  /** Returns the law's cost at a size; `null` if it has none there. */
  at: (n: number) => { cost: number; ci: Interval | null } | null;
}

/** A size with the law's cost and interval there. */
export type LinePoint = readonly [n: number, cost: number, ci: Interval | null];

/** Returns the line of the law in a model's feature; `null` if the page has no such law. `law` is the row's law. */
export function lawOf(model: Model, law: Law | null): LawLine | null {
  const laws = model.growth?.classes.filter((c) => c.named).length;
  const formula = model.source === 'classes' ? `average of ${laws} laws` : model.formula;
  const isKnown = isOfRow({ law }, model) || model.law || model.source === 'power_law';
  if (!isKnown || model.source === null) return null;
  return { from: formula || 'law', at: (n) => estimate(model, n, law) };
}

/** Number of steps in a line: enough for a smooth line on linear axes too. */
const STEPS = 64;

/** Returns sizes at equal ratios, both ends included. */
export function sizesBetween([from, to]: readonly [number, number], steps = STEPS): number[] {
  return Array.from({ length: steps + 1 }, (_, i) => (i === steps ? to : from * (to / from) ** (i / steps)));
}

/** Returns the points of the law from one size to another. */
export function part(law: LawLine | null, from: number, to: number): LinePoint[] {
  if (!law || !(from > 0) || !(from < to)) return [];
  return sizesBetween([from, to]).flatMap((n): LinePoint[] => {
    const found = law.at(n);
    return found ? [[n, found.cost, found.ci]] : [];
  });
}

/**
 * `[workloads]`: returns each measured cost as a multiple of the law's cost; `null` if one of the two is missing or 0.
 */
export function residuals(
  law: LawLine,
  x: readonly (number | null)[],
  costs: readonly number[],
): (number | null)[] {
  return costs.map((cost, i) => {
    const expected = law.at(x[i] ?? NaN)?.cost ?? 0;
    return expected > 0 && cost > 0 ? cost / expected : null;
  });
}

/**
 * Amount that a logarithmic factor adds to an exponent, approximately, over the sizes of most studies; as in the
 * terminal.
 */
const LOG_AS_EXPONENT = 0.1;

/** Returns a class's pace: `n^1.5 log n` → 1.6; ∞ for a class that outgrows every power. */
export function classPace({ term }: GrowthSupport): number {
  return term.kind === 'power' ? term.exponent + (term.log ? LOG_AS_EXPONENT : 0) : Infinity;
}

/** Returns the pace of the slowest class that the verdict names. */
function leastPace(growth: GrowthModel | null | undefined): number | null {
  const named = (growth?.classes ?? []).filter((c) => c.named).map(classPace);
  return named.length > 0 ? Math.min(...named) : null;
}

/** True if the classes that the data allow differ in a way that matters at ten times the largest size. */
export const isOpen = (growth: GrowthModel) => !growth.decided && growth.near === undefined;

/** Smaller than the difference of any two classes' paces. */
const LITTLE = 0.001;

/**
 * Returns a key that sorts from slow to fast: the pace of the slowest class named, plus `LITTLE` if the verdict is
 * undecided.
 */
export function growthOrder(growth: GrowthModel | null | undefined): number | null {
  const pace = leastPace(growth);
  return pace === null ? null : pace + (growth && isOpen(growth) ? LITTLE : 0);
}

/** Returns the slowest growth that the evidence allows; `null` if the model is too poor to tell. */
export function certainPace(model: Model | undefined): number | null {
  if (!model?.power_law || model.poor === true) return null;
  return leastPace(model.growth) ?? model.power_law.b_ci?.[0] ?? null;
}

/** Describes the source of a predicted cost. */
export function sourceText(source: Source): string {
  return {
    class: 'the growth class',
    classes: 'the growth classes of the verdict',
    power_law: 'the power law',
    joint: 'a law in several features',
    sum_of_parts: 'the sum of parts',
    largest_part: 'its largest part',
  }[source];
}
