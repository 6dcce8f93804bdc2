/** How the values of a feature are spread: pure functions. */

export interface Bin {
  lo: number;
  hi: number;
  count: number;
}

/** Workloads per equal step of the logarithm, as `svg` of the static part has them; empty where nothing is positive. */
export function logBins(values: readonly (number | null)[], bins: number): Bin[] {
  const positive = values.filter((v): v is number => v !== null && v > 0 && Number.isFinite(v));
  if (positive.length === 0 || bins < 1) return [];
  let lo = Infinity;
  let hi = 0;
  for (const v of positive) {
    lo = Math.min(lo, v);
    hi = Math.max(hi, v);
  }
  if (lo === hi) return [{ lo, hi, count: positive.length }];
  const [start, width] = [Math.log(lo), (Math.log(hi) - Math.log(lo)) / bins];
  const found = Array.from({ length: bins }, (_, i): Bin => ({
    lo: i === 0 ? lo : Math.exp(start + i * width),
    hi: i === bins - 1 ? hi : Math.exp(start + (i + 1) * width),
    count: 0,
  }));
  for (const v of positive) {
    const bin = found[Math.min(Math.floor((Math.log(v) - start) / width), bins - 1)];
    if (bin) bin.count++;
  }
  return found;
}

/** How many powers of ten lie between the ends; `null` where that is not defined. */
export function decades(min: number | null, max: number | null): number | null {
  return min !== null && max !== null && min > 0 && max >= min ? Math.log10(max / min) : null;
}
