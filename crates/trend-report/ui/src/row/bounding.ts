/**
 * Curve bounding: the cost divided by a guess of its growth. Where the quotient stays flat towards large sizes the
 * guess grows as fast as the cost and bounds it; where it rises the cost grows faster, where it falls slower.
 *
 * This is how a person compares one guess with the data by eye, put into words. The tested statement, with rivals and
 * support, is the growth verdict of the findings.
 */

import { size } from '../format/number';
import type { Guess } from '../plot/expression';
import { GREATEST, LEAST } from '../plot/scale';

/** The part of the (logarithmic) range of sizes, counted from its upper end, that says where things go. */
const UPPER_PART = 0.5;

/** A change by less than this power of the size cannot be seen: 4 % from a size to its double. */
const FLAT = 0.06;

/** Fewer points, or fewer sizes, say nothing. */
const LEAST_POINTS = 4;
const LEAST_SIZES = 3;

/** Standard errors that a slope has to be away from 0. */
const CERTAIN = 2;

export type Course = 'flat' | 'rises' | 'falls' | 'unclear';

/** `[workloads]`: cost ÷ guess; `null` where one is missing, or the quotient is no number that can be drawn. */
export function quotients(
  x: readonly (number | null)[],
  costs: readonly number[],
  guess: Guess,
): (number | null)[] {
  return costs.map((cost, i) => {
    const at = x[i] ?? null;
    if (at === null || !(cost > 0)) return null;
    const by = guess(at);
    const quotient = cost / by;
    return by > 0 && quotient >= LEAST && quotient <= GREATEST ? quotient : null;
  });
}

/** Where there are costs and no quotients of them, and why, in whole sentences; empty where all have one. */
export function undrawn(
  x: readonly (number | null)[],
  costs: readonly number[],
  guess: Guess,
  text: string,
): string[] {
  const [large, small, none]: [number[], number[], number[]] = [[], [], []];
  costs.forEach((cost, i) => {
    const at = x[i] ?? null;
    if (at === null || !(cost > 0)) return;
    const by = guess(at);
    if (!(by > 0)) none.push(at);
    else if (cost / by < LEAST) large.push(at);
    else if (cost / by > GREATEST) small.push(at);
  });
  const said = (sizes: number[], why: string) =>
    sizes.length > 0 ? [`${where(sizes)} ${text} ${why}.`] : [];
  return [
    ...said(large, 'is so large that the quotient is too small to be drawn'),
    ...said(small, 'is so small that the quotient is too large to be drawn'),
    ...said(none, 'has no value above 0 to divide by'),
  ];
}

function where(sizes: number[]): string {
  const [lo, hi] = [Math.min(...sizes), Math.max(...sizes)];
  return lo === hi ? `At n = ${size(lo)}` : `At n from ${size(lo)} to ${size(hi)}`;
}

/**
 * Where the quotient goes over the upper half of the range: the slope of a least-squares line through the logarithms,
 * with its standard error.
 * - Time: O(n)
 */
export function course(x: readonly (number | null)[], quotient: readonly (number | null)[]): Course {
  const points: [number, number][] = [];
  quotient.forEach((q, i) => {
    const at = x[i] ?? null;
    if (q !== null && at !== null && at > 0) points.push([Math.log(at), Math.log(q)]);
  });
  const lo = Math.min(...points.map((p) => p[0]));
  const hi = Math.max(...points.map((p) => p[0]));
  const upper = points.filter((p) => p[0] >= hi - (hi - lo) * UPPER_PART - 1e-9);
  if (upper.length < LEAST_POINTS || new Set(upper.map((p) => p[0])).size < LEAST_SIZES) return 'unclear';
  const { slope, error } = line(upper);
  if (Math.abs(slope) > CERTAIN * error && Math.abs(slope) > FLAT) return slope > 0 ? 'rises' : 'falls';
  return CERTAIN * error <= FLAT || Math.abs(slope) + CERTAIN * error <= 2 * FLAT ? 'flat' : 'unclear';
}

function line(points: readonly (readonly [number, number])[]): { slope: number; error: number } {
  const n = points.length;
  const mx = points.reduce((sum, p) => sum + p[0], 0) / n;
  const my = points.reduce((sum, p) => sum + p[1], 0) / n;
  const sxx = points.reduce((sum, p) => sum + (p[0] - mx) ** 2, 0);
  const slope = points.reduce((sum, p) => sum + (p[0] - mx) * (p[1] - my), 0) / sxx;
  const rest = points.reduce((sum, p) => sum + (p[1] - my - slope * (p[0] - mx)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / Math.max(n - 2, 1) / sxx) };
}

export function inWords(what: Course, guess: string): string {
  switch (what) {
    case 'flat':
      return `Towards large sizes it stays flat: as far as was run, ${guess} bounds the cost.`;
    case 'rises':
      return `Towards large sizes it rises: the cost grows faster than ${guess}.`;
    case 'falls':
      return `Towards large sizes it falls: the cost grows more slowly than ${guess}.`;
    case 'unclear':
      return `The points do not say whether it stays flat: ${guess} may bound the cost or not.`;
  }
}
