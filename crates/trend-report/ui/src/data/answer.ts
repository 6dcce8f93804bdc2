/** What a server says of a point, taken into the page's data. Pure. */

import type { PredictAnswer, PredictedCost } from './api';
import { extended } from './columns';
import type { Outlook, PageData, Point } from './types';

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
  const add = <T extends { outlooks: (Outlook | null)[] }>(row: T, said: PredictedCost | undefined): T =>
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
