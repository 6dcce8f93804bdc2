/** Runs whose total cost is far off its law: what to look at first when a fit is poor. */

import { estimate } from '../data/models';
import type { Model, ModelExtra } from '../data/types';
import { significant } from '../format/number';

/** Off its law by more of these a run is an outlier: one of some thousand would be by chance. */
export const OUTLIER_SIGMAS = 3.5;

/** Costs that follow a law exactly scatter by rounding alone; less than this, as a ratio, is no scatter. */
const LEAST_SIGMA = 1e-3;

/** The standard deviation of normal scatter per median absolute deviation. */
const SIGMA_PER_MAD = 1.4826;

export interface Residual {
  /** The cost ÷ what the law says, as on the plots of residuals. */
  ratio: number;
  /** How many robust standard deviations of the logarithms this is from their median. */
  sigmas: number;
}

/**
 * Per workload; `null` where a cost or size is not positive or the law says nothing. The scale is the median absolute
 * deviation, which outliers do not stretch. Time: O(n log n).
 */
export function residuals(
  model: Model,
  extra: ModelExtra | undefined,
  sizes: readonly (number | null)[],
  costs: readonly number[],
): (Residual | null)[] {
  // Predictions are the analysis' own words on some sizes; here every size is asked alike.
  const law = { ...model, predictions: [] };
  const logs = costs.map((cost, i) => {
    const size = sizes[i] ?? 0;
    const expected = cost > 0 && size > 0 ? (estimate(law, extra, size)?.cost ?? 0) : 0;
    return expected > 0 ? Math.log(cost / expected) : null;
  });
  const known = logs.filter((l): l is number => l !== null);
  const middle = median(known);
  const sigma = Math.max(SIGMA_PER_MAD * median(known.map((l) => Math.abs(l - middle))), LEAST_SIGMA);
  return logs.map((l) => (l === null ? null : { ratio: Math.exp(l), sigmas: (l - middle) / sigma }));
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}

export function isOutlier(residual: Residual | null): boolean {
  return residual !== null && Math.abs(residual.sigmas) > OUTLIER_SIGMAS;
}

/** `measured ÷ law 2.3, +5.1 σ`: above 1 it costs more than the law says, below less. */
export function offBy({ ratio, sigmas }: Residual): string {
  return `measured ÷ law ${significant(ratio, 3)}, ${signed(sigmas)}`;
}

/** `+5.1 σ`, and no sign before zero. */
export function signed(sigmas: number): string {
  const size = Math.abs(sigmas).toFixed(1);
  return `${Number(size) === 0 ? '' : sigmas < 0 ? '−' : '+'}${size} σ`;
}
