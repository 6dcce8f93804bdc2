/** The laws of the parts as curves of a view, and what they say at a size. */

import type { Estimate } from '../data/models';
import { cost, costInterval, share, size } from '../format/number';
import { shorten } from '../format/text';
import { page } from '../state/store';
import { moved, targetWith } from '../state/target';
import { predictedCost } from '../view/parts';
import { shareOf } from './answer';
import { parts, wholeAt, type Part } from './rows';
import type { Curve, ViewName } from './views';

/** What a chart is over: a feature, from the least size to the largest that was run, and the target. */
export interface Extent {
  feature: string;
  at: number;
  from: number;
  largest: number;
}

/** The laws and what was measured, as the view has them. */
export function curvesOf(name: ViewName, feature: string, at: number[]): Curve[] {
  const x = page.value.featureValues(feature);
  const totals = page.value.data.total.costs ?? [];
  const points = at.map((n) => ({ n, point: targetWith(feature, n) }));
  const wholes = points.map(({ point }) => wholeAt(point)?.cost ?? NaN);
  const curve = (part: Pick<Part, 'name' | 'mark' | 'decided' | 'at' | 'costs'>): Curve => ({
    part: 'id' in part ? (part as Part) : null,
    name: part.name,
    mark: part.mark,
    decided: part.decided,
    at: (n) => part.at(targetWith(feature, n)),
    points: points.flatMap(({ n, point }, i) => {
      const found = part.at(point);
      return found ? [{ x: n, ...shownAs(name, n, found, wholes[i] ?? NaN) }] : [];
    }),
    measured: (part.costs ?? []).flatMap((cost, w): [number, number][] => {
      const n = x[w] ?? 0;
      const y = name === 'per' ? cost / n : name === 'share' ? cost / (totals[w] ?? NaN) : cost;
      return n > 0 && cost > 0 ? [[n, y]] : [];
    }),
  });
  const whole = { name: 'whole program', mark: -1, decided: false, costs: totals, at: wholeAt };
  return [...(name === 'total' ? [whole] : []), ...parts.value].map(curve);
}

function shownAs(name: ViewName, n: number, { cost, ci }: Estimate, whole: number) {
  const as = (v: number) => (name === 'per' ? v / n : name === 'share' ? shareOf(v, cost, whole) : v);
  return { y: as(cost), ci: ci && ([as(ci[0]), as(ci[1])] as [number, number]) };
}

/** What a label says: the value at the target or where somebody reads, and the interval of what is not decided. */
export function valueAt(
  curve: Curve,
  name: ViewName,
  at: number,
  always: boolean,
): [value: string, interval: string] {
  const found = curve.at(at);
  if (!found) return ['–', ''];
  const whole = name === 'share' ? wholeAt(targetWith(moved.value?.feature ?? '', at))?.cost : undefined;
  const { y, ci } = shownAs(name, at, found, whole ?? NaN);
  const interval = ci && (always || !curve.decided) ? ci : null;
  if (name === 'share') {
    const [low, high] = (interval ?? []).map(share);
    return [share(y), low === high ? '' : `(${(low ?? '').replace(/\s%$/, '')}–${high ?? ''})`];
  }
  const value = name === 'total' ? (curve.text ?? predictedCost)(found) : cost(y);
  return [value, interval && costInterval(interval) !== value ? `(${costInterval(interval)})` : ''];
}

/** The same of all, for who listens. */
export function readOut(curves: Curve[], name: ViewName, at: number): string {
  const values = curves.map((curve) => `${shorten(curve.name, 30)} ${valueAt(curve, name, at, false)[0]}`);
  return `at ${size(Number(at.toPrecision(2)))}: ${values.join(', ')}`;
}

/** Sizes of runs that failed, as far as the drawing goes. */
export function failedAt({ feature, from, to }: Extent & { to: number }): number[] {
  const { failures } = page.value.findings.workloads;
  const at = failures.map((failure) => failure.values[page.value.featureIndex.get(feature) ?? -1] ?? NaN);
  return at.filter((n) => n >= from && n <= to);
}
