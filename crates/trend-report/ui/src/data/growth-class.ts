/** How fast growth classes are, by the terms that lead in them. Pure. */

import type { GrowthModel, GrowthSupport, Source } from './types';

/** What a logarithmic factor adds to an exponent, about, over the sizes of most studies; as in the terminal. */
const LOG_AS_EXPONENT = 0.1;

/** `n^1.5 log n` → 1.6; ∞ for what outgrows every power. */
export function classPace({ term }: GrowthSupport): number {
  return term.kind === 'power' ? term.exponent + (term.log ? LOG_AS_EXPONENT : 0) : Infinity;
}

/** The base of an exponential, ∞ of what outgrows these; 0 of a power. */
function base({ term }: GrowthSupport): number {
  if (term.kind === 'exponential' || term.kind === 'times_exponential') return term.base;
  return term.kind === 'factorial' ? Infinity : 0;
}

function exponent({ term }: GrowthSupport): number {
  return term.kind === 'power' ? term.exponent : Infinity;
}

/** Whether it has a factor besides: a logarithm, or of an exponential `n`. */
function isTimes({ term }: GrowthSupport): boolean {
  return term.kind === 'power' ? term.log : term.kind === 'times_exponential';
}

/** For sorting by growth in the end, as the findings' verdicts are. */
function byGrowth(a: GrowthSupport, b: GrowthSupport): number {
  const [p, q] = [exponent(a), exponent(b)];
  return p === q ? base(a) - base(b) || Number(isTimes(a)) - Number(isTimes(b)) : p - q;
}

/** The classes that the verdict names, from slow to fast. */
export function namedClasses(growth: GrowthModel): GrowthSupport[] {
  return growth.classes.filter((c) => c.named).sort(byGrowth);
}

/** What a cost comes from: the verdict in short, or where that is not it, in words. */
export function sourceText(source: Source, growth: GrowthModel | null): string {
  switch (source) {
    case 'class':
    case 'classes':
      return growth?.short ?? '';
    case 'power_law':
      return 'power law';
    case 'joint':
      return 'several features';
    case 'sum_of_parts':
      return 'sum of parts';
    case 'largest_part':
      return 'its largest part';
  }
}
