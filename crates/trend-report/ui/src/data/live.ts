/**
 * The page of a study that is being filled: asks who serves it whether the study has changed, and takes the new data
 * in place, so that the reader keeps the route, the scroll and the focus.
 */

import { signal } from '@preact/signals';

import { plural } from '../format/number';
import { page } from '../state/store';
import { Page } from './page';
import type { PageData } from './types';

/** What is said in the banner; `null` for nothing to say. */
export const live = signal<{ text: string; trouble: boolean } | null>(null);

/** Between questions; the server answers early where it holds a question until something changes. */
const EVERY_MS = 2000;
/** The longest pause while it does not answer. */
const MOST_MS = 30_000;

/** Asks as long as the page is open. Does nothing for a page that is not served. */
export function followStudy(): void {
  if (!page.value.data.served) return;
  let pause = EVERY_MS;
  const ask = async () => {
    try {
      if (!document.hidden) await askOnce();
      pause = EVERY_MS;
    } catch (error) {
      pause = Math.min(pause * 2, MOST_MS);
      live.value = { text: trouble(error), trouble: true };
    }
    setTimeout(() => void ask(), pause);
  };
  setTimeout(() => void ask(), pause);
}

async function askOnce(): Promise<void> {
  const known = page.value.data.revision;
  const answer = await fetch(`/api/revision?since=${encodeURIComponent(known)}`, { cache: 'no-store' });
  if (answer.status !== 204) {
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    const revision = revisionOf(await answer.text());
    if (revision !== null && revision !== known) await refresh();
  }
  if (live.value?.trouble) live.value = null;
}

/** As JSON `{"revision": …}` or as plain text. */
export function revisionOf(text: string): string | null {
  const plain = text.trim();
  if (!plain.startsWith('{') && !plain.startsWith('"')) return plain === '' ? null : plain;
  const json: unknown = JSON.parse(plain);
  if (typeof json === 'string') return json;
  const revision: unknown = (json as { revision?: unknown }).revision;
  return typeof revision === 'string' || typeof revision === 'number' ? String(revision) : null;
}

async function refresh(): Promise<void> {
  const answer = await fetch('/api/data', { cache: 'no-store' });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const before = page.value.findings;
  const data = (await answer.json()) as PageData;
  const focused = document.activeElement;
  const place = [scrollX, scrollY] as const;
  page.value = new Page(data);
  live.value = { text: whatChanged(before, data.findings), trouble: false };
  // Drawn on the next frame; what was focused is still there unless its row is gone.
  requestAnimationFrame(() => {
    scrollTo(...place);
    if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused) {
      focused.focus({ preventScroll: true });
    }
  });
}

/** `study grew to 37 runs`. */
export function whatChanged(before: PageData['findings'], now: PageData['findings']): string {
  const failed = now.workloads.failed > 0 ? `, ${now.workloads.failed.toLocaleString('en-US')} failed` : '';
  const runs = plural(now.workloads.count, 'run') + failed;
  if (now.workloads.count > before.workloads.count) return `study grew to ${runs}`;
  if (now.workloads.count < before.workloads.count) return `study shrank to ${runs}`;
  return `study changed: ${runs}, ${plural(now.clusters.length, 'cluster')}`;
}

function trouble(error: unknown): string {
  return error instanceof TypeError
    ? 'trend-prof no longer serves this page; what you see is what it last knew'
    : `the study could not be asked for: ${error instanceof Error ? error.message : String(error)}`;
}
