/** Laws at points: the one place where a cost is computed in the browser. Checked against the analysis in `tests/law.test.ts`. */

import type { CurvePoint, Filling, Law, LawFactor, LawSum, Model, ModelExtra, PageData } from './types';

/** The cost at a value for each of the law's features; `null` where that is no positive number. */
export function lawAt(law: Law, point: readonly number[]): number | null {
  let cost = 0;
  for (const { sums } of law.parts) {
    const [only] = sums;
    const part =
      sums.length === 1 && only
        ? sumAt(only, point)
        : Math.exp(sums.reduce((mean, sum) => mean + sum.weight * Math.log(sumAt(sum, point)), 0));
    if (!(part > 0)) return null;
    cost += part;
  }
  return Number.isFinite(cost) && cost > 0 ? cost : null;
}

function sumAt(sum: LawSum, point: readonly number[]): number {
  if (sum.from !== undefined && !((point[0] ?? NaN) >= sum.from)) return NaN;
  return sum.terms.reduce(
    (cost, term) =>
      cost + term.factors.reduce((product, f) => product * factorAt(f, point), term.coefficient),
    0,
  );
}

function factorAt(factor: LawFactor, point: readonly number[]): number {
  const at = (feature: number) => point[feature] ?? NaN;
  switch (factor.kind) {
    case 'power':
      return at(factor.feature) ** factor.exponent * (factor.log ? Math.log2(at(factor.feature)) : 1);
    case 'exponential':
      return factor.base ** at(factor.feature);
    case 'times_exponential':
      return at(factor.feature) * factor.base ** at(factor.feature);
    case 'factorial':
      return factorial(at(factor.feature));
    case 'inverse':
      return 1 / at(factor.feature);
    case 'least':
      return Math.min(at(factor.features[0]), at(factor.features[1]));
  }
}

/** Of whole numbers; between them and beyond 170 nothing is said. */
function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0 || n > 170) return NaN;
  let product = 1;
  for (let i = 2; i <= n; i++) product *= i;
  return product;
}

/** A value for each feature where one of them is given: the others go along with it, or stand where the costliest run had them. */
export function pointAlong(
  fillings: readonly Filling[],
  features: readonly string[],
  given: string,
  at: number,
): number[] | null {
  const point = features.map((name) => {
    if (name === given) return at;
    const filling = fillings.find((f) => f.feature === name);
    const along = filling?.along.find((a) => a.leader === given);
    return along ? along.a * at ** along.b : (filling?.costliest ?? null);
  });
  return point.every((value) => value !== null) ? point : null;
}

/** Fills in curves that follow from the rows' laws, at the sizes of the whole program's curve, without intervals. */
export function withCurves(data: PageData): PageData {
  const { findings } = data;
  const wholes = new Map(findings.total.models.map((m, i) => [m.feature, data.total.models[i]?.curve ?? []]));
  const fill = (row: { law: Law | null; models: Model[] }, extras: ModelExtra[]): void => {
    const { law } = row;
    if (law?.features.length !== 1) return;
    const at = row.models.findIndex((m) => m.feature === law.features[0] && m.source === law.source);
    const [model, extra] = [row.models[at], extras[at]];
    if (!model || !extra || extra.curve.length > 0) return;
    extra.curve = (wholes.get(model.feature) ?? []).flatMap(([size]): CurvePoint[] => {
      const cost = size > (model.runs_until ?? Infinity) ? null : lawAt(law, [size]);
      return cost === null ? [] : [[size, cost, null, null]];
    });
  };
  findings.clusters.forEach((row, i) => fill(row, data.clusters[i]?.models ?? []));
  findings.functions.forEach((row, i) => fill(row, data.functions[i]?.models ?? []));
  return data;
}
