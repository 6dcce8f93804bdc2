/** Which model a row is shown with, what it says, and as a line: pure functions over the findings. */

import { lawAt, sumsAt } from './law';
import type { Band, GrowthModel, GrowthSupport, Interval, Law, Model, PowerLawModel, Source } from './types';

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

/** Sizes are published with six digits: two that differ by less than that rounding are the same. */
const SIZE_TOLERANCE = 1e-5;

export function sameSize(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * SIZE_TOLERANCE;
}

/** The interval of a law's cost at a size, between those that the analysis computed; `null` outside of them. */
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

export interface LawLine {
  /** What it is called: `1.5·n^2`; of an undecided one that it is an average. */
  from: string;
  /** The law at a size; `null` where it says nothing. */
  at: (n: number) => { cost: number; ci: Interval | null } | null;
}

/** A size with the law's cost there and its interval. */
export type LinePoint = readonly [n: number, cost: number, ci: Interval | null];

/** The line of the law in a model's feature; `null` where the page has none. `law`: that of the row. */
export function lawOf(model: Model, law: Law | null): LawLine | null {
  const laws = model.growth?.classes.filter((c) => c.named).length;
  const formula = model.source === 'classes' ? `average of ${laws} laws` : model.formula;
  const isKnown = isOfRow({ law }, model) || model.law || model.source === 'power_law';
  if (!isKnown || model.source === null) return null;
  return { from: formula || 'law', at: (n) => estimate(model, n, law) };
}

/** Steps of a line, so that it is smooth on linear axes too. */
const STEPS = 64;

/** Sizes from one to another, at equal ratios. */
export function sizesBetween([from, to]: readonly [number, number], steps = STEPS): number[] {
  return Array.from({ length: steps + 1 }, (_, i) => (i === steps ? to : from * (to / from) ** (i / steps)));
}

/** The law from one size to another. */
export function part(law: LawLine | null, from: number, to: number): LinePoint[] {
  if (!law || !(from > 0) || !(from < to)) return [];
  return sizesBetween([from, to]).flatMap((n): LinePoint[] => {
    const found = law.at(n);
    return found ? [[n, found.cost, found.ci]] : [];
  });
}

/** `[workloads]`: the measured cost as a multiple of the law's; `null` where one of them is missing or 0. */
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

/** What a logarithmic factor adds to an exponent, about, over the sizes of most studies; as in the terminal. */
const LOG_AS_EXPONENT = 0.1;

/** `n^1.5 log n` → 1.6; ∞ for what outgrows every power. */
export function classPace({ term }: GrowthSupport): number {
  return term.kind === 'power' ? term.exponent + (term.log ? LOG_AS_EXPONENT : 0) : Infinity;
}

/** The pace of the slowest class that a verdict names. */
function leastPace(growth: GrowthModel | null | undefined): number | null {
  const named = (growth?.classes ?? []).filter((c) => c.named).map(classPace);
  return named.length > 0 ? Math.min(...named) : null;
}

/** Less than any two classes differ by. */
const LITTLE = 0.001;

/** For sorting from slow to fast: the slowest class that a verdict names, and a little more where it is undecided. */
export function growthOrder(growth: GrowthModel | null | undefined): number | null {
  const pace = leastPace(growth);
  return pace === null ? null : pace + (growth?.decided ? 0 : LITTLE);
}

/** The least growth that the evidence allows; `null` where the model is too poor to tell. */
export function certainPace(model: Model | undefined): number | null {
  if (!model?.power_law || model.poor === true) return null;
  return leastPace(model.growth) ?? model.power_law.b_ci?.[0] ?? null;
}

/** What a predicted cost comes from, in words. */
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
