/**
 * Evaluates laws: the only place where the browser computes a cost. `tests/law.test.ts` checks it against the analysis.
 */

import type { Law, LawFactor, LawSum } from './types';

/** Returns the law's cost at a point, one value per feature; `null` if that is not a positive number. */
export function lawAt(law: Law, point: readonly number[]): number | null {
  let cost = 0;
  for (const { sums } of law.parts) {
    const part = sumsAt(sums, point);
    if (part === null) return null;
    cost += part;
  }
  return Number.isFinite(cost) ? cost : null;
}

/** Returns the weighted geometric mean of the sums at a point; `null` if that is not a positive number. */
export function sumsAt(sums: readonly LawSum[], point: readonly number[]): number | null {
  const [only] = sums;
  let cost = only && sums.length === 1 ? sumAt(only, point) : NaN;
  if (sums.length > 1) {
    let mean = 0;
    for (const sum of sums) mean += sum.weight * Math.log(sumAt(sum, point));
    cost = Math.exp(mean);
  }
  return cost > 0 && cost < Infinity ? cost : null;
}

function sumAt(sum: LawSum, point: readonly number[]): number {
  if (sum.from !== undefined && !((point[0] ?? NaN) >= sum.from)) return NaN;
  let cost = 0;
  for (const term of sum.terms) {
    let product = term.coefficient;
    for (const factor of term.factors) product *= factorAt(factor, point);
    cost += product;
  }
  return cost;
}

/** Returns the value of a term's factor at a point. */
export function factorAt(factor: LawFactor, point: readonly number[]): number {
  if (factor.kind === 'least') return Math.min(...factor.features.map((feature) => point[feature] ?? NaN));
  const n = point[factor.feature] ?? NaN;
  switch (factor.kind) {
    case 'power':
      return n ** factor.exponent * (factor.log ? Math.log2(n) : 1);
    case 'exponential':
      return factor.base ** n;
    case 'times_exponential':
      return n * factor.base ** n;
    case 'factorial':
      return factorial(n);
    case 'inverse':
      return 1 / n;
  }
}

/** Returns n!; `NaN` for fractions, negative numbers and numbers above 170. */
function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0 || n > 170) return NaN;
  let product = 1;
  for (let i = 2; i <= n; i++) product *= i;
  return product;
}
