/** Three views of the same laws: cost ÷ size, cost, share of the whole. Pure. */

import { sizesBetween } from '../data/line';
import type { Estimate } from '../data/models';
import type { Interval } from '../data/types';
import { logTicks } from '../plot/ticks';
import { scale, type Range, type Scale } from '../plot/scale';
import type { Part } from './rows';

export type ViewName = 'per' | 'total' | 'share';

/** A law at sizes, and what was measured. */
export interface Curve {
  /** Of the whole `null`. */
  part: Part | null;
  name: string;
  mark: number;
  /** Of two versions which; before is hollow and dashed. */
  side?: 'before' | 'after';
  decided: boolean;
  /** What the law says at a size. */
  at: (n: number) => Estimate | null;
  /** A cost with as many digits as its doubt allows; of two versions with as many as their sentence has. */
  text?: (estimate: Estimate) => string;
  points: { x: number; y: number; ci: Interval | null }[];
  measured: [number, number][];
}

/** Sizes that laws are drawn at: those that were run, and beyond them. */
export function sizes(from: number, largest: number, to: number): number[] {
  const run = sizesBetween([from, Math.min(largest, to)], 40);
  return to > largest ? [...run, ...sizesBetween([largest, to], 16).slice(1)] : run;
}

/** Above this ratio of the greatest to the least, an axis from 0 shows only the greatest. */
const MOST_SPREAD = 50;

/** The vertical axis that shows all of the curves. */
export function upright(view: ViewName, curves: readonly Omit<Curve, 'part' | 'at'>[], range: Range): Scale {
  if (view === 'share') return scale('linear', [0, 1], range);
  const drawn = curves.flatMap((curve) => curve.points.map((p) => p.y)).filter((y) => y > 0);
  const seen = [
    ...drawn,
    ...curves.flatMap((curve) => curve.measured.map(([, y]) => y)).filter((y) => y > 0),
  ];
  const [least, most] = [Math.min(...seen), Math.max(...seen)];
  if (!(least < Infinity)) return scale('linear', [0, 1], range);
  if (view === 'total' || Math.max(...drawn) / Math.min(...drawn) > MOST_SPREAD) {
    return scale('log', [least / 1.3, most * 1.3], range);
  }
  // Intervals of what is not decided belong to the picture, unless they would flatten the rest.
  const ends = curves.flatMap((c) => (c.decided ? [] : c.points.map((p) => p.ci?.[1] ?? 0)));
  return scale('linear', [0, Math.max(most, Math.min(Math.max(0, ...ends), 3 * most)) * 1.06], range);
}

/** Powers of ten, or 1, 2, 5 times these where there are few. */
export function across(domain: Range, room: number): number[] {
  return logTicks(domain, Math.max(Math.floor(room / 64), 2)).slice(0, 7);
}

/** From which size on the first costs most of all; `null` where it does already at `from`, or not up to `to`. */
export function overtakesAt(
  costs: (at: number) => (number | null)[],
  from: number,
  to: number,
): number | null {
  const leads = (at: number) => {
    const [first = null, ...others] = costs(at);
    return first !== null && others.every((cost) => (cost ?? 0) <= first);
  };
  if (leads(from) || !leads(to)) return null;
  let [low, high] = [from, to];
  for (let i = 0; i < 40; i++) {
    const middle = Math.sqrt(low * high);
    if (leads(middle)) high = middle;
    else low = middle;
  }
  return high;
}
