/** How fast something certainly grows, as one number to compare by. */

import { isPoor } from '../data/models';
import type { Model } from '../data/types';

/** What a logarithmic factor adds to an exponent, about, over the sizes of most studies; as in the terminal. */
const LOG_AS_EXPONENT = 0.1;

/** `n^1.5 log n` → 1.6, `2^n` → ∞; `null` for what is no growth class. */
export function classPace(name: string): number | null {
  if (name === '2^n') return Infinity;
  const match = /^(1|n(?:\^(-?[0-9.]+))?)?\s*(log n)?$/.exec(name.trim());
  if (!match || name.trim() === '') return null;
  const [, base, power, log] = match;
  const exponent = base === undefined || base === '1' ? 0 : power === undefined ? 1 : Number(power);
  return Number.isFinite(exponent) ? exponent + (log ? LOG_AS_EXPONENT : 0) : null;
}

/**
 * The least that the evidence allows: the slowest of the classes that the verdict names, else the lower end of the
 * exponent's interval. `null` where the model is too poor to tell.
 */
export function certainPace(model: Model | undefined): number | null {
  if (!model?.power_law || isPoor(model)) return null;
  const named = (model.growth?.classes ?? [])
    .filter((c) => c.named)
    .map((c) => classPace(c.class))
    .filter((pace) => pace !== null);
  if (named.length > 0) return Math.min(...named);
  return model.power_law.b_ci?.[0] ?? null;
}
