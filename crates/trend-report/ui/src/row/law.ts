/** The law of a model between its computed sizes, and how far the costs are from it. */

import { costAt, evaluate, pointAt } from '../data/models';
import type { CurvePoint, Model, ModelExtra } from '../data/types';

export interface Law {
  /** At ascending sizes; not empty. */
  curve: readonly CurvePoint[];
  /** What it is called: `n^2: 1.5·n^2`. */
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
  if (extra && extra.curve.length > 0) return { curve: extra.curve, from: extra.formula };
  const power = model.power_law;
  if (!power || model.source !== 'power_law' || !range || !(range[0] > 0)) return null;
  const curve = Array.from({ length: STEPS + 1 }, (_, i): CurvePoint => {
    const at = range[0] * (range[1] / range[0]) ** (i / STEPS);
    return [at, evaluate(power, at), null, null];
  });
  return { curve: curve.filter((p) => Number.isFinite(p[1])), from: extra?.formula ?? 'power law' };
}

/** `[workloads]`: the measured cost as a multiple of the law's; `null` where one of them is missing or 0. */
export function residuals(
  curve: readonly CurvePoint[],
  x: readonly (number | null)[],
  costs: readonly number[],
): (number | null)[] {
  return costs.map((cost, i) => {
    const at = x[i] ?? null;
    const expected = at === null ? null : costAt(curve, at);
    return expected !== null && expected > 0 && cost > 0 ? cost / expected : null;
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
    const point = pointAt(curve, x);
    return point ? [point] : [];
  });
}
