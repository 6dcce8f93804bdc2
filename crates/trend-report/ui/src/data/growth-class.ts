/** Growth classes by name: how fast they are, which comes first, which a verdict names. Pure. */

import type { Growth, GrowthClass } from './types';

/** What a logarithmic factor adds to an exponent, about, over the sizes of most studies; as in the terminal. */
const LOG_AS_EXPONENT = 0.1;

interface Leading {
  /** Of `n`; ∞ for `2^n` and the like. */
  exponent: number;
  /** A logarithm as a factor; of an exponential `n`. */
  log: boolean;
  /** Of an exponential, ∞ for `n!`; else 0. */
  base: number;
}

/** The term that the class grows as; `null` for what is no growth class, such as `power law` or `sum of parts`. */
function leading(name: string): Leading | null {
  const exponential = /^(n·)?([0-9.]+)\^n$/.exec(name.trim());
  if (exponential) {
    return { exponent: Infinity, log: exponential[1] !== undefined, base: Number(exponential[2]) };
  }
  if (name.trim() === 'n!') return { exponent: Infinity, log: false, base: Infinity };
  const match = /^(1|n(?:\^(-?[0-9.]+))?)?\s*(log n)?$/.exec(name.trim());
  if (!match || name.trim() === '') return null;
  const [, base, power, log] = match;
  const exponent = base === undefined || base === '1' ? 0 : power === undefined ? 1 : Number(power);
  return Number.isFinite(exponent) ? { exponent, log: log !== undefined, base: 0 } : null;
}

/** `n^1.5 log n` → 1.6, `2^n`, `n·2^n` and `n!` → ∞; `null` for what is no growth class. */
export function classPace(name: string): number | null {
  const term = leading(name);
  return term && term.exponent + (term.log ? LOG_AS_EXPONENT : 0);
}

/** For sorting by growth in the end, as the findings' verdicts are: `n log n` comes before `n^1.05`. */
function byGrowth(a: GrowthClass, b: GrowthClass): number {
  const [p, q] = [leading(a.class), leading(b.class)];
  if (!p || !q) return Number(p === null) - Number(q === null);
  if (p.exponent !== q.exponent) return p.exponent < q.exponent ? -1 : 1;
  return p.base - q.base || Number(p.log) - Number(q.log);
}

/** The classes that the verdict names, from slow to fast: the order in which the verdict itself names them. */
export function namedClasses(growth: Growth): GrowthClass[] {
  return growth.classes.filter((c) => c.named).sort(byGrowth);
}

/** Two classes are named in a cell; of more, the slowest and the fastest. */
const MOST_IN_A_CELL = 2;

/** `n^2`, or `n or n log n ?`: short enough for a cell; as in the terminal. */
export function growthCell(growth: Growth): string {
  const named = namedClasses(growth).map((c) => c.class);
  if (growth.decided) return named[0] ?? growth.verdict;
  if (named.length === 0) return growth.verdict;
  if (named.length <= MOST_IN_A_CELL) return `${named.join(' or ')} ?`;
  return `${named[0] ?? ''} … ${named[named.length - 1] ?? ''} ?`;
}

/** What laws and predictions come from besides growth classes. */
export const POWER_LAW = 'power law';
/** Of the whole program, where a part of it outgrows the model of the whole. */
export const SUM_OF_PARTS = 'sum of parts';

/** `law: n^2`, `power law`, `sum of parts`: what a line in a plot is called. */
export function lawName(from: string): string {
  return leading(from) ? `law: ${from}` : from;
}
