/** What the page shows: its data, the feature that is looked at, the size that predictions are for. */

import { computed, signal } from '@preact/signals';

import type { Page } from '../data/page';
import { parseQuantity } from '../format/quantity';
import { param, setParams } from './route';

/** Set once before anything is drawn, and again when a served study changes. */
export const page = signal<Page>(undefined as unknown as Page);

const featureParam = param('feature');
const atParam = param('at');

/** The feature that is asked for in the address; `null`: for each row the one that explains it best. */
export const feature = computed<string | null>(() => {
  const name = featureParam.value;
  return name !== null && page.value.featureIndex.has(name) ? name : null;
});

export interface Target {
  feature: string;
  at: number;
  /** As it was typed; for the box and for command lines. */
  text: string;
}

/** The size that somebody asked for: `at=bytes:128MB` in the address. */
export const target = computed<Target | null>(() => {
  const text = atParam.value;
  if (text === null) return null;
  const colon = text.lastIndexOf(':');
  const name = colon < 0 ? (page.value.findings.features[0]?.name ?? '') : text.slice(0, colon);
  const size = text.slice(colon + 1);
  const at = parseQuantity(size);
  return at !== null && page.value.featureIndex.has(name) ? { feature: name, at, text: size } : null;
});

export function setTarget(name: string, size: string): void {
  setParams({ at: size.trim() === '' ? null : `${name}:${size.trim()}` });
}

/** Where predictions in a feature are made: the size that was asked for, else ten times the 95th percentile. */
export function targetOf(name: string): number | null {
  const asked = target.value;
  if (asked && asked.feature === name) return asked.at;
  const i = page.value.featureIndex.get(name);
  const p95 = i === undefined ? null : (page.value.findings.features[i]?.p95 ?? null);
  return p95 !== null && p95 > 0 ? p95 * 10 : null;
}
