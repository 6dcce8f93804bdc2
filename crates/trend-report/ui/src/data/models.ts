/**
 * Chooses the model that a row is shown with, and turns it into a line: pure functions over the findings.
 */

import { type Estimate, type LawRow, lawOfSums, outlookAt, powerLaw } from './law';
import type { GrowthModel, Interval, Law, Model, PowerLawModel, Source } from './types';

/**
 * Returns the position of the model in `feature`; of the row's own law if `feature` is `null`; -1 if there is no such
 * model.
 */
export function modelIndex(row: { models: Model[]; law?: Law | null }, feature: string | null): number {
  if (feature !== null) return row.models.findIndex((m) => m.feature === feature);
  const own = row.models.findIndex((m) => m.feature === row.law?.features[0]);
  return own < 0 && row.models.length > 0 ? 0 : own;
}

/** Returns true if the row's law is this model's law. */
export function isOfRow({ law }: { law: Law | null }, { feature }: { feature: string }): boolean {
  return law?.features.length === 1 && law.features[0] === feature;
}

/** Returns the power law if the model is shown by it. */
export function ownPowerLaw(model: Model | undefined): PowerLawModel | null {
  return model?.source === 'power_law' ? model.power_law : null;
}

/** Largest relative difference of two equal sizes. Sizes are published with six digits, so they differ by rounding. */
const SIZE_TOLERANCE = 1e-5;

export function sameSize(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * SIZE_TOLERANCE;
}

/** The row that a model belongs to: its law, and the law's interval if the model does not have it. */
type Owner = Pick<LawRow, 'law' | 'band'>;

/** Returns the law in a model's feature, as the row, the model or its power law has it. */
function lawIn(model: Model, { law }: Owner): Law | null {
  if (model.source === null) return null;
  if (law && isOfRow({ law }, model)) return law;
  if (model.law) return lawOfSums(model.law, model.feature, model.source);
  const power = ownPowerLaw(model);
  return power && powerLaw(power, model.feature);
}

/**
 * Returns the cost that one model predicts at a size of its feature; `null` if it predicts none. `row` is the row that
 * the model belongs to.
 */
export function estimate(model: Model, at: number, row: Owner): Estimate | null {
  if (!(at > 0)) return null;
  const isOwn = isOfRow(row, model);
  const owned = (): LawRow => ({
    law: lawIn(model, row),
    band: (isOwn ? row.band : null) ?? model.band ?? null,
    ends: model.runs_until === undefined ? [] : [[model.feature, model.runs_until]],
  });
  return outlookAt(model, owned, [at]);
}

export interface LawLine {
  /** Name of the law: `1.5·n^2`; for an undecided law it says that the line is an average. */
  from: string;
  /** Returns the law's cost at a size; `null` if it has none there. */
  at: (n: number) => { cost: number; ci: Interval | null } | null;
}

/** A size with the law's cost and interval there. */
export type LinePoint = readonly [n: number, cost: number, ci: Interval | null];

/** Returns the line of the law in a model's feature; `null` if the page has no such law. */
export function lawOf(model: Model, row: Owner): LawLine | null {
  if (!lawIn(model, row)) return null;
  const laws = model.growth?.classes.filter((c) => c.named).length;
  const formula = model.source === 'classes' ? `average of ${laws} laws` : model.formula;
  return { from: formula || 'law', at: (n) => estimate(model, n, row) };
}

/** Number of steps in a line: enough for a smooth line on linear axes too. */
const STEPS = 64;

/** Returns sizes at equal ratios, both ends included. */
export function sizesBetween([from, to]: readonly [number, number], steps = STEPS): number[] {
  return Array.from({ length: steps + 1 }, (_, i) => (i === steps ? to : from * (to / from) ** (i / steps)));
}

/** Returns the points of a line through a range of sizes. */
export const pointsBetween = (range: readonly [number, number], at: (n: number) => number | null) =>
  sizesBetween(range).map((n): [number, number] => [n, at(n) ?? NaN]);

/** Returns the smallest and the largest positive value; `null` if there is none. */
export function span(values: readonly (number | null)[]): [number, number] | null {
  const positive = values.filter((v): v is number => v !== null && v > 0);
  return positive.length > 0 ? [Math.min(...positive), Math.max(...positive)] : null;
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

/** Returns true if the classes that the data allow differ in a way that matters at ten times the largest size. */
export const isOpen = (growth: GrowthModel | null | undefined) =>
  growth?.decided === false && growth.near === undefined;

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
