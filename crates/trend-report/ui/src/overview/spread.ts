/** How the values of a feature are spread: pure functions. */

/** Workloads per equal step of the logarithm; empty where nothing is positive. */
export function logBins(values: readonly (number | null)[], bins: number): number[] {
  const logs = values.flatMap((v) => (v !== null && v > 0 && Number.isFinite(v) ? [Math.log(v)] : []));
  if (logs.length === 0) return [];
  const lo = logs.reduce((least, v) => Math.min(least, v));
  const hi = logs.reduce((most, v) => Math.max(most, v));
  if (lo === hi) return [logs.length];
  const counts = new Array<number>(bins).fill(0);
  for (const v of logs) {
    const bin = Math.min(Math.floor(((v - lo) / (hi - lo)) * bins), bins - 1);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

/** How many powers of ten lie between the ends; `null` where that is not defined. */
export function decades(min: number | null, max: number | null): number | null {
  return min !== null && max !== null && min > 0 && max >= min ? Math.log10(max / min) : null;
}
