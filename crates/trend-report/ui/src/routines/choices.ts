/** What the toolbar chooses for all charts; in the address. */

import { computed } from '@preact/signals';

import type { Kind } from '../plot/scale';
import { param, setParams } from '../state/route';
import { page } from '../state/store';
import { measuresOf } from './places';

/** Costs of a call that charts are of; `own` is that without what was called. */
export const COSTS = ['worst', 'average', 'best'] as const;
export type Cost = (typeof COSTS)[number] | 'own';

const costParam = param('cost');
const ofParam = param('of');
const metricParam = param('metric');
const unitParam = param('unit');
const axesParam = param('axes');
const windowParam = param('w');
const groupParam = param('d');
const callsParam = param('calls');
const contextsParam = param('contexts');
const wideParam = param('wide');

const whole = (text: string | null): number => {
  const value = Number(text ?? '1');
  return Number.isInteger(value) && value >= 1 && value <= 100_000 ? value : 1;
};

/** What was chosen, where it is one of some. */
const oneOf = (chosen: string | null, all: readonly string[], usual = '') =>
  all.find((one) => one === chosen) ?? usual;

export const measures = computed(() => measuresOf(page.value));

/** By default `drms`, which is all that was read. */
export const metric = computed(() =>
  oneOf(metricParam.value, measures.value.metrics, measures.value.metrics.at(-1)),
);
export const unit = computed(() => oneOf(unitParam.value, measures.value.units, measures.value.units[0]));
/** The one cost that is drawn; `null`: all together. */
export const oneCost = computed(() => COSTS.find((c) => c === costParam.value) ?? null);
export const isSelf = computed(() => ofParam.value === 'self');
export const xScale = computed<Kind>(() => (/x|both/.test(axesParam.value ?? '') ? 'linear' : 'log'));
export const yScale = computed<Kind>(() => (/y|both/.test(axesParam.value ?? '') ? 'linear' : 'log'));
export const smoothing = computed(() => whole(windowParam.value));
export const aggregation = computed(() => whole(groupParam.value));
export const byCalls = computed(() => callsParam.value === '1');
/** Whether the list has the whole width and all columns, above the routine. */
export const isWide = computed(() => wideParam.value === '1');
export const withContexts = computed(() => contextsParam.value === '1');

/** Makes one of the axes linear, or logarithmic again. */
export function toggleAxis(axis: 'x' | 'y'): void {
  const linear = { x: xScale.value === 'linear', y: yScale.value === 'linear' };
  linear[axis] = !linear[axis];
  setParams({ axes: linear.x ? (linear.y ? 'both' : 'x') : linear.y ? 'y' : null }, 'push');
}
