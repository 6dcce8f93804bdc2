/**
 * Predictions with their intervals at the sizes that somebody asks for, from the trend-prof that serves the page. A page
 * from a file has the laws, and reads intervals between computed sizes.
 */

import { effect } from '@preact/signals';

import { extended } from './columns';
import { Page } from './page';
import type { Outlook, PageData, Point } from './types';
import { asked, page } from '../state/state';

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

/** `GET /api/revision?since=…` */
export interface RevisionAnswer {
  revision: string;
  state: 'analysing' | 'waiting' | 'ready';
  /** Why there are no findings, or why what is shown is old. */
  message: string | null;
  /** Whether lines can be opened in an editor. */
  editor: boolean;
}

/** `GET /api/points?location=…` or `?cluster=…` */
export interface PointsAnswer {
  revision: string;
  /** Exact, in the order of the page's workloads; above 2^53 the last digits are lost in reading. */
  costs: number[];
}

/** `GET /api/predict?feature=…&at=…&others=…`; rows in the order of the findings. */
export interface PredictAnswer {
  revision: string;
  /** With the values of the features that were not given. */
  point: Point;
  total: PredictedCost;
  clusters: (PredictedCost & { name: string })[];
  functions: (PredictedCost & { name: string; file: string })[];
}

/** By the row's law; `null` where nothing can be said. */
interface PredictedCost {
  outlook: Outlook | null;
}

/** Points that the server was asked for later, for a target size. */
const served = new WeakSet<Point>();

/** The data with the answer before its other points; the same data where the answer is of another study. */
export function withPredictions(data: PageData, answer: PredictAnswer): PageData {
  const { findings } = data;
  const fits =
    answer.revision === data.revision &&
    answer.clusters.length === findings.clusters.length &&
    answer.functions.length === findings.functions.length;
  if (!fits) return data;
  // The point of an earlier question makes room for this one's.
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

/** The longest pause before a question is repeated, whatever the server asks for. */
const MOST_PAUSE_S = 10;

/** The pause that a `Retry-After` of seconds asks for; one second where it says none. */
export function retryAfterMs(header: string | null): number {
  const seconds = header === null || header.trim() === '' ? NaN : Number(header);
  return 1000 * (Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0.1), MOST_PAUSE_S) : 1);
}
