/**
 * Predictions at exactly the size that somebody asks for, from the trend-prof that serves the page. A page from a file
 * reads its curves between computed sizes instead, and marks what it reads with `≈`.
 */

import { effect } from '@preact/signals';

import { page, target } from '../state/store';
import { withPredictions, type PredictAnswer } from './answer';
import { Page } from './page';

/** A size that somebody types is not finished before this. */
const PAUSE_MS = 600;

/** Asks for each new target size. Does nothing for a page that is not served. */
export function followTarget(): void {
  if (!page.value.data.served) return;
  let last = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const wanted = target.value;
    const { revision } = page.value.data;
    const key = wanted ? `${revision}\n${wanted.feature}\n${wanted.at}` : '';
    if (key === last) return;
    last = key;
    clearTimeout(timer);
    if (!wanted) return;
    timer = setTimeout(() => void ask(wanted.feature, wanted.at), PAUSE_MS);
  });
}

/** Where there is no answer the page goes on with what its curves say. */
async function ask(feature: string, at: number): Promise<void> {
  try {
    const answer = await fetch(`/api/predict?${new URLSearchParams({ feature, at: String(at) }).toString()}`);
    if (!answer.ok) return;
    const known = page.value.data;
    const data = withPredictions(known, (await answer.json()) as PredictAnswer);
    if (page.value.data === known && data !== known) page.value = new Page(data);
  } catch {
    // The banner says when nobody serves the page any more.
  }
}
