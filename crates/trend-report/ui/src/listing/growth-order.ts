/** Growth classes as numbers, so that a column of them sorts from slow to fast. */

import { leastPace } from '../data/growth-class';
import type { GrowthModel } from '../data/types';

/** Less than any two classes differ by. */
const LITTLE = 0.001;

/** Of an undecided verdict the slowest class that it names, and a little more. */
export function growthOrder(growth: GrowthModel | null | undefined): number | null {
  const pace = leastPace(growth);
  return pace === null ? null : pace + (growth?.decided ? 0 : LITTLE);
}
