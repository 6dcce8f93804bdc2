/**
 * Predictions at exactly the size that somebody asks for, from the trend-prof that serves the page. A page from a file
 * reads its curves between computed sizes instead, and marks what it reads with `≈`.
 */

import { effect } from '@preact/signals';

import { page, target, type Target } from '../state/store';
import type { PredictAnswer } from './api';
import { retryAfterMs, withPredictions } from './answer';
import { Page } from './page';

/** A size that somebody types is not finished before this. */
const PAUSE_MS = 600;

/** How often a question is repeated that the server puts off. */
const MOST_RETRIES = 5;

/** Asks for each new target size. Does nothing for a page that is not served. */
export function followTarget(): void {
  if (!page.value.data.served) return;
  let last = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;
  effect(() => {
    const wanted = target.value;
    const { revision } = page.value.data;
    const key = wanted ? `${revision}\n${wanted.feature}\n${wanted.at}` : '';
    if (key === last) return;
    last = key;
    clearTimeout(timer);
    asking?.abort();
    if (!wanted) return;
    const { signal } = (asking = new AbortController());
    timer = setTimeout(() => void ask(wanted, signal), PAUSE_MS);
  });
}

/** Where there is no answer the page goes on with what its curves say. */
async function ask(wanted: Target, signal: AbortSignal): Promise<void> {
  try {
    const answer = await patiently(wanted, signal);
    if (!answer.ok) return;
    const said = (await answer.json()) as PredictAnswer;
    const now = target.peek();
    if (now?.feature !== wanted.feature || now.at !== wanted.at) return;
    const known = page.peek().data;
    const data = withPredictions(known, said);
    if (data !== known) page.value = new Page(data);
  } catch {
    // Nobody wants it any more, or nobody serves the page: the banner says so.
  }
}

/** The answer; of a server that has too much to do the one that it gives later. */
async function patiently({ feature, at }: Target, signal: AbortSignal): Promise<Response> {
  const query = new URLSearchParams({ feature, at: String(at) }).toString();
  for (let retries = 0; ; retries++) {
    const answer = await fetch(`/api/predict?${query}`, { signal });
    if (answer.status !== 503 || retries === MOST_RETRIES) return answer;
    await new Promise((done) => setTimeout(done, retryAfterMs(answer.headers.get('Retry-After'))));
    signal.throwIfAborted();
  }
}
