/** How fast something certainly grows, as one number to compare by. */

import { classPace } from '../data/growth-class';
import type { Model, ModelExtra } from '../data/types';

/**
 * The least that the evidence allows: the slowest of the classes that the verdict names, else the lower end of the
 * exponent's interval. `null` where the model is too poor to tell.
 */
export function certainPace(model: Model | undefined, extra?: ModelExtra): number | null {
  if (!model?.power_law || extra?.poor === true) return null;
  const named = (model.growth?.classes ?? []).filter((c) => c.named).map(classPace);
  if (named.length > 0) return Math.min(...named);
  return model.power_law.b_ci?.[0] ?? null;
}
