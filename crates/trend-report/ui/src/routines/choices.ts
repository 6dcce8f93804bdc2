/** What the toolbar chooses for all charts; in the address. */

import { computed } from '@preact/signals';

import type { Kind } from '../plot/scale';
import { param, setParams } from '../state/route';
import { page } from '../state/store';
import { measuresOf } from './places';

/** Costs of a call that charts are of; `own` is that without what was called. */
export const COSTS = ['worst', 'average', 'best'] as const;
export type Cost = (typeof COSTS)[number] | 'own';

/** What a parameter of the address chooses. */
function choice<T>(key: string, read: (text: string | null) => T) {
  const chosen = param(key);
  return computed(() => read(chosen.value));
}

const whole = (text: string | null): number => {
  const value = Number(text ?? '1');
  return Number.isInteger(value) && value >= 1 && value <= 100_000 ? value : 1;
};

/** What was chosen, where it is one of some. */
const oneOf = (chosen: string | null, all: readonly string[], usual = '') =>
  all.find((one) => one === chosen) ?? usual;

export const measures = computed(() => measuresOf(page.value));

/** By default `drms`, which is all that was read. */
export const metric = choice('metric', (text) => {
  const { metrics } = measures.value;
  return oneOf(text, metrics, metrics.at(-1));
});
export const unit = choice('unit', (text) => oneOf(text, measures.value.units, measures.value.units[0]));
/** The one cost that is drawn; `null`: all together. */
export const oneCost = choice('cost', (text) => COSTS.find((c) => c === text) ?? null);
export const isSelf = choice('of', (text) => text === 'self');
export const xScale = choice('axes', (text): Kind => (/x|both/.test(text ?? '') ? 'linear' : 'log'));
export const yScale = choice('axes', (text): Kind => (/y|both/.test(text ?? '') ? 'linear' : 'log'));
export const smoothing = choice('w', whole);
export const aggregation = choice('d', whole);
const isOn = (text: string | null) => text === '1';
export const byCalls = choice('calls', isOn);
/** Whether the list has the whole width and all columns, above the routine. */
export const isWide = choice('wide', isOn);
export const withContexts = choice('contexts', isOn);

/** Makes one of the axes linear, or logarithmic again. */
export function toggleAxis(axis: 'x' | 'y'): void {
  const linear = { x: xScale.value === 'linear', y: yScale.value === 'linear' };
  linear[axis] = !linear[axis];
  setParams({ axes: linear.x ? (linear.y ? 'both' : 'x') : linear.y ? 'y' : null }, 'push');
}
