/**
 * Predictions with their intervals at the sizes that somebody asks for, from the trend-prof that serves the page. A page
 * from a file has the laws, and reads intervals between computed sizes.
 */

import { effect } from '@preact/signals';

import { page } from '../state/store';
import { asked } from '../state/target';
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
    const wanted = queryOf(asked.value);
    const key = wanted === null ? '' : `${page.value.data.revision}\n${wanted}`;
    if (key === last) return;
    last = key;
    clearTimeout(timer);
    asking?.abort();
    if (wanted === null) return;
    const { signal } = (asking = new AbortController());
    timer = setTimeout(() => void ask(wanted, signal), PAUSE_MS);
  });
}

/** The question for some sizes; `null` for none. */
function queryOf(sizes: typeof asked.value): string | null {
  const [first, ...others] = [...sizes].map(([name, { at }]) => [name, String(at)] as const);
  if (!first) return null;
  const query = new URLSearchParams({ feature: first[0], at: first[1] });
  if (others.length > 0) query.set('others', JSON.stringify(Object.fromEntries(others)));
  return query.toString();
}

/** Where there is no answer the page goes on with what its laws say. */
async function ask(wanted: string, signal: AbortSignal): Promise<void> {
  try {
    const answer = await patiently(wanted, signal);
    if (!answer.ok) return;
    const said = (await answer.json()) as PredictAnswer;
    if (queryOf(asked.peek()) !== wanted) return;
    const known = page.peek().data;
    const data = withPredictions(known, said);
    if (data !== known) page.value = new Page(data);
  } catch {
    // Nobody wants it any more, or nobody serves the page: the banner says so.
  }
}

/** The answer; of a server that has too much to do the one that it gives later. */
async function patiently(query: string, signal: AbortSignal): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const answer = await fetch(`/api/predict?${query}`, { signal });
    if (answer.status !== 503 || retries === MOST_RETRIES) return answer;
    await new Promise((done) => setTimeout(done, retryAfterMs(answer.headers.get('Retry-After'))));
    signal.throwIfAborted();
  }
}
