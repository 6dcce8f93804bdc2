/**
 * Selects the computed target and the row that are shown, and makes the curves of the row's two versions. Rust computes
 * the comparison itself.
 */

import { computed } from '@preact/signals';

import { type Estimate, outlookAt } from '../data/law';
import { sameSize } from '../data/models';
import { functionId } from '../data/page';
import type { Compare, Compared, ComparedRow, ComparedTarget, JudgedPlace } from '../data/types';
import { cost } from '../format/number';
import { type Curve, sizes as steps } from '../overview/views';
import { page, param, target, targetWith, valuesOf } from '../state/state';

export const compare = computed<Compare | null>(() => page.value.data.compare ?? null);

/** Returns the feature in which the versions are compared. */
export const featureOf = (data: Compare) => data.targets[0]?.comparison.feature ?? '';

/** Returns the value of that feature at a computed target. */
export function sizeOf({ comparison }: ComparedTarget): number {
  return comparison.at.find(([feature]) => feature === comparison.feature)?.[1] ?? NaN;
}

/** Returns true if the costs of both versions can be compared. */
export const isCompared = ({ reason }: ComparedTarget['comparison']) =>
  reason.kind !== 'few_shared' && reason.kind !== 'no_prediction';

/** The size that the reader asks for. The page predicts at this size. */
export const wanted = computed(() => {
  const feature = compare.value && featureOf(compare.value);
  return target.value.find((place) => place.feature === feature)?.at ?? NaN;
});

/** The computed target nearest to the wanted size. */
export const chosen = computed(() => nearest(compare.value?.targets ?? [], wanted.value));

export function nearest(targets: readonly ComparedTarget[], at: number): ComparedTarget | null {
  const distance = (t: ComparedTarget) => Math.abs(Math.log(sizeOf(t) / at));
  return [...targets].sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

export const isSamePlace = (a?: JudgedPlace | null, b?: JudgedPlace | null) =>
  a?.name === b?.name && a?.file === b?.file && a?.line === b?.line;

const row = param('row');

/** The row in the chart: the whole program, or a row that changed. */
export const charted = computed<ComparedRow | null>(() => {
  const rows = compare.value?.rows ?? [];
  return rows.find(({ place }) => place && functionId(place) === row.value) ?? rows[0] ?? null;
});

const SIDES = ['before', 'after'] as const;

/** Returns a row's measured costs and the lines of its laws, before and after, from the smallest size to `range.to`. */
export function curvesOf(data: Compare, shown: ComparedRow, range: Parameters<typeof steps>[0]): Curve[] {
  const at = steps(range);
  return shown.sides.flatMap((side, which): Curve[] => {
    if (!side) return [];
    const says = (n: number) => estimateAt(data, shown, which, n);
    const x = data.sizes[which] ?? [];
    return [
      {
        ...{ part: null, name: SIDES[which] ?? '', mark: 1, side: SIDES[which], decided: false, at: says },
        text: (estimate) => cost(estimate.cost),
        points: at.flatMap((n) => {
          const found = says(n);
          return found ? [{ x: n, y: found.cost, ci: found.ci }] : [];
        }),
        measured: side.costs.flatMap((y, i): [number, number][] => {
          const n = x[i] ?? 0;
          return n > 0 && y > 0 ? [[n, y]] : [];
        }),
      },
    ];
  });
}

/** Returns the comparison's estimate at its targets, and the law's estimate elsewhere. */
export function estimateAt(data: Compare, shown: ComparedRow, which: number, n: number): Estimate | null {
  const side = shown.sides[which];
  const feature = featureOf(data);
  const values = side?.law && valuesOf(targetWith(feature, n), side.law.features);
  if (!side || !values) return null;
  const found = outlookAt(side, () => ({ law: side.law, band: side.band }), values);
  if (!found) return null;
  const there = data.targets.find((t) => sameSize(sizeOf(t), n))?.comparison;
  const known = there && isCompared(there) ? comparedOf(there, shown) : undefined;
  const told = known && (which === 0 ? known.before : known.after);
  return told && told.cost > 0 ? { ...found, cost: told.cost, ci: told.ci } : found;
}

function comparedOf(comparison: ComparedTarget['comparison'], { place }: ComparedRow): Compared | undefined {
  if (!place) return comparison.total;
  return comparison.changes.find((change) => isSamePlace(change.place, place));
}
