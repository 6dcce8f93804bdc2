/** How fast growth classes are, by the terms that lead in them. Pure. */

import type { GrowthModel, GrowthSupport, Model, ModelExtra, Source } from './types';

/** What a logarithmic factor adds to an exponent, about, over the sizes of most studies; as in the terminal. */
const LOG_AS_EXPONENT = 0.1;

/** `n^1.5 log n` → 1.6; ∞ for what outgrows every power. */
export function classPace({ term }: GrowthSupport): number {
  return term.kind === 'power' ? term.exponent + (term.log ? LOG_AS_EXPONENT : 0) : Infinity;
}

/** The pace of the slowest class that a verdict names. */
function leastPace(growth: GrowthModel | null | undefined): number | null {
  const named = (growth?.classes ?? []).filter((c) => c.named).map(classPace);
  return named.length > 0 ? Math.min(...named) : null;
}

/** Less than any two classes differ by. */
const LITTLE = 0.001;

/** For sorting from slow to fast: the slowest class that a verdict names, and a little more where it is undecided. */
export function growthOrder(growth: GrowthModel | null | undefined): number | null {
  const pace = leastPace(growth);
  return pace === null ? null : pace + (growth?.decided ? 0 : LITTLE);
}

/** The least growth that the evidence allows; `null` where the model is too poor to tell. */
export function certainPace(model: Model | undefined, extra?: ModelExtra): number | null {
  if (!model?.power_law || extra?.poor === true) return null;
  return leastPace(model.growth) ?? model.power_law.b_ci?.[0] ?? null;
}

/** What a predicted cost comes from, in words. */
export function sourceText(source: Source): string {
  return {
    class: 'the growth class',
    classes: 'the growth classes of the verdict',
    power_law: 'the power law',
    joint: 'a law in several features',
    sum_of_parts: 'the sum of parts',
    largest_part: 'its largest part',
  }[source];
}
