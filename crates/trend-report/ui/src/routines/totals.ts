/** What the shares of routines are of. */

import type { RoutineRow } from '../data/types';

export interface Totals {
  /** Of the costliest routine with what it called: the program's first, which called all others. */
  cost: number;
  /** Of all routines without what they called. */
  self: number;
  calls: number;
}

export const NOTHING: Totals = { cost: 0, self: 0, calls: 0 };

/**
 * Per input metric, as each metric profiles the same calls again. Rows of one calling context are parts of the row of
 * the whole routine, and count only where a metric has no other rows.
 */
export function totalsByMetric(rows: readonly RoutineRow[]): Map<string, Totals> {
  const totals = new Map<string, Totals>();
  for (const metric of new Set(rows.map((row) => row.metric))) {
    const all = rows.filter((row) => row.metric === metric);
    const whole = all.filter((row) => row.context === undefined);
    const counted = whole.length > 0 ? whole : all;
    totals.set(metric, {
      cost: counted.reduce((most, row) => Math.max(most, row.sum), 0),
      self: counted.reduce((sum, row) => sum + (row.self_sum ?? 0), 0),
      calls: counted.reduce((sum, row) => sum + row.calls, 0),
    });
  }
  return totals;
}
