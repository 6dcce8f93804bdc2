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

/** What a term is multiplied by. */
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

/** Of whole numbers; between them and beyond 170 nothing is said. */
function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0 || n > 170) return NaN;
  let product = 1;
  for (let i = 2; i <= n; i++) product *= i;
  return product;
}
