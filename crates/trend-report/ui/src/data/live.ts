/**
 * Keeps the page of a growing study current: asks the server for changes and replaces the data in place. The reader
 * keeps the route, the scroll position and the focus.
 */

import { signal } from '@preact/signals';

import type { RevisionAnswer } from './exact';
import { unpack, type WrittenData } from './load';
import { Page } from './page';
import type { Findings } from './types';
import { grouped, plural } from '../format/number';
import { page } from '../state/state';

/** Message of the banner; `null` hides the banner. */
export const live = signal<{ text: string; trouble: boolean } | null>(null);

/** True if the server has an editor to open files in. */
export const hasEditor = signal(false);

/** Pause between an answer and the next request. */
const PAUSE_MS = 500;
/** The longest pause while the server does not answer. */
const MOST_MS = 30_000;

/** Polls for changes as long as the page is open. Does nothing for a page that is not served. */
export function followStudy(): void {
  if (!page.value.data.served) return;
  let pause = PAUSE_MS;
  let isFirst = true;
  let asking: AbortController | undefined;
  // A hidden tab keeps no request open: a browser has six connections to a host, shared by all its tabs.
  const ask = async () => {
    if (document.hidden) return;
    const own = (asking = new AbortController());
    try {
      await askOnce(isFirst, own.signal);
      isFirst = false;
      pause = PAUSE_MS;
    } catch (error) {
      if (!own.signal.aborted) {
        pause = Math.min(pause * 2, MOST_MS);
        live.value = { text: trouble(error), trouble: true };
      }
    }
    setTimeout(() => asking === own && void ask(), pause);
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) asking?.abort();
    else void ask();
  });
  void ask();
}

/** Sends one request. `hidden` aborts it, but not the download of new data. */
async function askOnce(atOnce: boolean, hidden: AbortSignal): Promise<void> {
  const known = page.value.data.revision;
  const since = atOnce ? '' : `?since=${encodeURIComponent(known)}`;
  const now = (await (await get(`/api/revision${since}`, hidden)).json()) as RevisionAnswer;
  hasEditor.value = now.editor;
  if (now.revision !== known && now.state === 'ready') await refresh();
  else if (now.message !== null) live.value = { text: now.message, trouble: true };
  else if (live.value?.trouble) live.value = null;
}

async function refresh(): Promise<void> {
  const answer = await get('/api/data');
  const before = page.value.findings;
  const data = unpack((await answer.json()) as WrittenData);
  if (data.revision === page.value.data.revision) return;
  const focused = document.activeElement;
  const place = [scrollX, scrollY] as const;
  page.value = new Page(data);
  live.value = { text: changeText(before, data.findings), trouble: false };
  // The new data are drawn on the next frame. The focused element is still there unless its row is gone.
  requestAnimationFrame(() => {
    scrollTo(...place);
    if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused) {
      focused.focus({ preventScroll: true });
    }
  });
}

async function get(path: string, signal: AbortSignal | null = null): Promise<Response> {
  const answer = await fetch(path, { cache: 'no-store', signal });
  if (!answer.ok) throw new Error((await answer.text()).slice(0, 300) || answer.statusText);
  return answer;
}

function trouble(error: unknown): string {
  return error instanceof TypeError
    ? 'trend-prof no longer serves this page; the page shows the latest data that arrived'
    : `the study could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
}

/** Describes the change for the banner: `study grew to 37 runs`. */
export function changeText(before: Findings, now: Findings): string {
  const failed = now.workloads.failed > 0 ? `, ${grouped(now.workloads.failed)} failed` : '';
  const runs = plural(now.workloads.count, 'run') + failed;
  if (now.workloads.count > before.workloads.count) return `study grew to ${runs}`;
  if (now.workloads.count < before.workloads.count) return `study shrank to ${runs}`;
  return `study changed: ${runs}, ${plural(now.clusters.length, 'cluster')}`;
}
