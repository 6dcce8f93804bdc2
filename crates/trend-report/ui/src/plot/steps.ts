/** A number as one of five colours. */

export const STEPS = 5;

export interface Steps {
  /** The step of a value, 0 to 4; of what is missing the lowest. */
  of: (value: number | null | undefined) => number;
  /** `[from, to]` of each step; empty where all values are alike. */
  ranges: [number, number][];
}

/** Steps of equal width, or of equal ratio. */
export function steps(values: readonly (number | null)[], log: boolean): Steps {
  const forward = (v: number) => (log ? Math.log(v) : v);
  const back = (v: number) => (log ? Math.exp(v) : v);
  let [lo, hi] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null || !Number.isFinite(forward(value))) continue;
    lo = Math.min(lo, forward(value));
    hi = Math.max(hi, forward(value));
  }
  if (!(hi > lo)) return { of: () => STEPS - 1, ranges: [] };
  const width = (hi - lo) / STEPS;
  return {
    of: (value) => {
      if (value === null || value === undefined || !(forward(value) > lo)) return 0;
      return Math.min(Math.floor((forward(value) - lo) / width), STEPS - 1);
    },
    ranges: Array.from({ length: STEPS }, (_, i) => [back(lo + i * width), back(lo + (i + 1) * width)]),
  };
}
