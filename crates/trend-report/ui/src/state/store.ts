/** What the page shows: its data and the feature that is looked at. */

import { computed, signal } from '@preact/signals';

import type { Page } from '../data/page';
import { param } from './route';

/** Set once before anything is drawn, and again when a served study changes. */
export const page = signal<Page>(undefined as unknown as Page);

const featureParam = param('feature');

/** The feature that is asked for in the address; `null`: for each row the one that explains it best. */
export const feature = computed<string | null>(() => {
  const name = featureParam.value;
  return name !== null && page.value.featureIndex.has(name) ? name : null;
});
