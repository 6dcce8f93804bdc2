/** Laws at points: the one place where a cost is computed in the browser. Checked against the analysis in `tests/law.test.ts`. */

import type { Law, LawFactor, LawSum } from './types';

/** The cost at a value for each of the law's features; `null` where that is no positive number. */
export function lawAt(law: Law, point: readonly number[]): number | null {
  let cost = 0;
  for (const { sums } of law.parts) {
    const part = sumsAt(sums, point);
    if (part === null) return null;
    cost += part;
  }
  return Number.isFinite(cost) ? cost : null;
}

/** The geometric mean of sums by their weights; `null` where that is no positive number. */
export function sumsAt(sums: readonly LawSum[], point: readonly number[]): number | null {
  const [only] = sums;
  const cost =
    sums.length === 1 && only
      ? sumAt(only, point)
      : Math.exp(sums.reduce((mean, sum) => mean + sum.weight * Math.log(sumAt(sum, point)), 0));
  return cost > 0 && cost < Infinity ? cost : null;
}

function sumAt(sum: LawSum, point: readonly number[]): number {
  if (sum.from !== undefined && !((point[0] ?? NaN) >= sum.from)) return NaN;
  return sum.terms.reduce(
    (cost, term) =>
      cost + term.factors.reduce((product, f) => product * factorAt(f, point), term.coefficient),
    0,
  );
}

/** What a term is multiplied by. */
export function factorAt(factor: LawFactor, point: readonly number[]): number {
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
