/** Curve bounding: the cost divided by a class of growth. The analysis says where that goes. */

import { factorAt } from '../data/law';
import type { Bound, Course, Model } from '../data/types';
import { shows } from '../plot/scale';

/** The class that a cost is divided by: the one that was chosen, else the best of the verdict. */
export function boundOf({ bounds = [], growth }: Model, chosen: string | null): Bound | undefined {
  const usual = growth?.classes.find((c) => c.named)?.class ?? 'n';
  const of = (name: string | null) => bounds.find((b) => b.class === name);
  return of(chosen) ?? of(usual) ?? bounds[0];
}

/** What the cost at a size is divided by; NaN where that is no positive number. */
export function divisor(bound: Bound, n: number): number {
  const by = factorAt(bound.term, [n]);
  return by > 0 && by < Infinity ? by : NaN;
}

/** Cost ÷ class; `null` where one is missing, or the quotient cannot be drawn. */
export function quotients(
  bound: Bound,
  x: readonly (number | null)[],
  costs: readonly (number | null)[],
): (number | null)[] {
  return costs.map((cost, i) => {
    const quotient = (cost ?? 0) / divisor(bound, x[i] ?? NaN);
    return shows('log', quotient) ? quotient : null;
  });
}

const WORDS: Record<Course, (growth: string) => string> = {
  flat: (growth) => `it stays flat: as far as was run, ${growth} bounds the cost.`,
  rises: (growth) => `it rises: the cost grows faster than ${growth}.`,
  falls: (growth) => `it falls: the cost grows more slowly than ${growth}.`,
  levels_off: (growth) =>
    `it levels off: the verdict is ${growth}, and what still changes are smaller terms of the law.`,
  unclear: (growth) => `the points do not say where it goes: ${growth} may bound the cost or not.`,
};

export function boundText({ class: growth, course }: Bound): string {
  return `The cost divided by ${growth}. Towards large sizes ${WORDS[course](growth)}`;
}
