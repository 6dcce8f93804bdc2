/**
 * Fetches predictions with intervals at the sizes the reader enters, from the trend-prof that serves the page. A page
 * opened from a file has only the laws; it interpolates intervals between computed sizes.
 */

import { effect } from '@preact/signals';

import { extended } from './columns';
import { Page } from './page';
import type { Outlook, PageData, Point } from './types';
import { asked, page } from '../state/state';

/** Time without a change after which a typed size counts as finished. */
const PAUSE_MS = 600;

/** Maximum number of retries when the server is busy. */
const MOST_RETRIES = 5;

/** Requests a prediction for each new target size. Does nothing for a page that is not served. */
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

/** Returns the query string for the given sizes; `null` if there are none. */
function queryOf(sizes: typeof asked.value): string | null {
  const [first, ...others] = [...sizes].map(([name, { at }]) => [name, String(at)] as const);
  if (!first) return null;
  const query = new URLSearchParams({ feature: first[0], at: first[1] });
  if (others.length > 0) query.set('others', JSON.stringify(Object.fromEntries(others)));
  return query.toString();
}

/** Fetches a prediction and adds it to the page. On failure the page keeps the predictions of its laws. */
async function ask(wanted: string, signal: AbortSignal): Promise<void> {
  try {
    const answer = await fetchWithRetries(wanted, signal);
    if (!answer.ok) return;
    const said = (await answer.json()) as PredictAnswer;
    if (queryOf(asked.peek()) !== wanted) return;
    const known = page.peek().data;
    const data = withPredictions(known, said);
    if (data !== known) page.value = new Page(data);
  } catch {
    // The request was aborted, or the server is gone; the banner reports the latter.
  }
}

/** Fetches a prediction; retries later if the server is busy (503). */
async function fetchWithRetries(query: string, signal: AbortSignal): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const answer = await fetch(`/api/predict?${query}`, { signal });
    if (answer.status !== 503 || retries === MOST_RETRIES) return answer;
    await new Promise((done) => setTimeout(done, retryAfterMs(answer.headers.get('Retry-After'))));
    signal.throwIfAborted();
  }
}

/** Answer of `GET /api/revision?since=…`. */
export interface RevisionAnswer {
  revision: string;
  state: 'analysing' | 'waiting' | 'ready';
  /** The reason why there are no findings, or why the findings shown are old. */
  message: string | null;
  /** True if lines can be opened in an editor. */
  editor: boolean;
}

/** Answer of `GET /api/points?location=…` or `?cluster=…`. */
export interface PointsAnswer {
  revision: string;
  /** Exact costs in the order of the page's workloads. JavaScript loses the last digits above 2^53. */
  costs: number[];
}

/** Answer of `GET /api/predict?feature=…&at=…&others=…`; rows in the order of the findings. */
export interface PredictAnswer {
  revision: string;
  /** The requested point, completed with values for the features that the request left out. */
  point: Point;
  total: PredictedCost;
  clusters: (PredictedCost & { name: string })[];
  functions: (PredictedCost & { name: string; file: string })[];
}

/** A prediction by the row's law; `null` if the law gives none. */
interface PredictedCost {
  outlook: Outlook | null;
}

/** Points that the server added for a target size after the page was loaded. */
const served = new WeakSet<Point>();

/**
 * Returns the data with the answer's point in front of the others. If the answer is for another study, returns `data`
 * itself.
 */
export function withPredictions(data: PageData, answer: PredictAnswer): PageData {
  const { findings } = data;
  const fits =
    answer.revision === data.revision &&
    answer.clusters.length === findings.clusters.length &&
    answer.functions.length === findings.functions.length;
  if (!fits) return data;
  // Replaces the point of an earlier answer.
  const from = findings.points[0] !== undefined && served.has(findings.points[0]) ? 1 : 0;
  served.add(answer.point);
  const add = <T extends { outlooks: (Outlook | null)[] }>(row: T, said?: PredictedCost): T =>
    extended(row, { outlooks: [said?.outlook ?? null, ...row.outlooks.slice(from)] });
  return {
    ...data,
    findings: {
      ...findings,
      points: [answer.point, ...findings.points.slice(from)],
      total: add(findings.total, answer.total),
      clusters: findings.clusters.map((c, i) => add(c, answer.clusters[i])),
      functions: findings.functions.map((f, i) => add(f, answer.functions[i])),
    },
  };
}

/** The longest pause before a retry, whatever the server asks for. */
const MOST_PAUSE_S = 10;

/** Returns the pause that a `Retry-After` header in seconds asks for; one second if it is missing or not a number. */
export function retryAfterMs(header: string | null): number {
  const seconds = header === null || header.trim() === '' ? NaN : Number(header);
  return 1000 * (Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0.1), MOST_PAUSE_S) : 1);
}
