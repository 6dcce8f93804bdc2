/** How fast something certainly grows, as one number to compare by. */

import { leastPace } from '../data/growth-class';
import type { Model, ModelExtra } from '../data/types';

/**
 * The least that the evidence allows: the slowest of the classes that the verdict names, else the lower end of the
 * exponent's interval. `null` where the model is too poor to tell.
 */
export function certainPace(model: Model | undefined, extra?: ModelExtra): number | null {
  if (!model?.power_law || extra?.poor === true) return null;
  return leastPace(model.growth) ?? model.power_law.b_ci?.[0] ?? null;
}
