/** Growth classes as numbers, so that a column of them sorts from slow to fast. */

import type { Growth } from '../data/types';

/** Faster than any power of n that is shown. */
const EXPONENTIAL = 1000;

/** A logarithm counts less than any difference of powers. */
const LOG = 0.01;

/** Of an undecided verdict the slowest class that it names, and a little more. */
export function growthOrder(growth: Growth | null | undefined): number | null {
  if (!growth) return null;
  const named = growth.classes.filter((c) => c.named).map((c) => classOrder(c.class));
  if (named.length === 0) return null;
  return Math.min(...named) + (growth.decided ? 0 : LOG / 10);
}

/** `1` is 0, `n log n` 1.01, `n^1.5` 1.5, `2^n` 1000. */
export function classOrder(name: string): number {
  if (/\d\^n/.test(name)) return EXPONENTIAL;
  const logs = name.match(/log/g)?.length ?? 0;
  const bare = name.replace(/log n/g, '');
  const power = /n\^(-?[\d.]+)/.exec(bare)?.[1];
  const degree = power !== undefined ? Number(power) : bare.includes('n') ? 1 : 0;
  return degree + logs * LOG;
}
