/** The law of a model as a line: sampled over sizes, and how far the costs are from it. */

import { estimate, isOfRow } from './models';
import type { Interval, Law, Model, ModelExtra } from './types';

export interface LawLine {
  /** What it is called: `1.5·n^2`; of an undecided one that it is an average. */
  from: string;
  /** The law at a size; `null` where it says nothing. */
  at: (n: number) => { cost: number; ci: Interval | null } | null;
}

/** A size with the law's cost there and its interval. */
export type LinePoint = readonly [n: number, cost: number, ci: Interval | null];

/** The line of the law in a model's feature; `null` where the page has none. `law`: that of the row. */
export function lawOf(model: Model, extra: ModelExtra | undefined, law: Law | null): LawLine | null {
  const laws = model.growth?.classes.filter((c) => c.named).length;
  const formula = model.source === 'classes' ? `average of ${laws} laws` : (extra?.formula ?? '');
  const isKnown = isOfRow({ law }, model) || extra?.law || model.source === 'power_law';
  if (!isKnown || model.source === null) return null;
  return { from: formula === '' ? 'law' : formula, at: (n) => estimate(model, extra, n, law) };
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
