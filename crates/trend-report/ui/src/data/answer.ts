/** What a server says of a size, taken into the page's data. Pure. */

import type { PredictAnswer, PredictedCost } from './api';
import type { Model, PageData, Point, Prediction, Outlook } from './types';

/** Points and predictions that are not in the findings: the server was asked for them later, for a target size. */
const served = new WeakSet<Point | Prediction>();

export function isServed(prediction: Prediction): boolean {
  return served.has(prediction);
}

/** The data with the answer among its predictions; the same data where the answer is of another study. */
export function withPredictions(data: PageData, answer: PredictAnswer): PageData {
  const { findings } = data;
  const fits =
    answer.revision === data.revision &&
    answer.clusters.length === findings.clusters.length &&
    answer.functions.length === findings.functions.length;
  if (!fits) return data;
  const add = <T extends { models: Model[]; outlooks: (Outlook | null)[] }>(
    row: T,
    said: PredictedCost | undefined,
  ): T => {
    const outlooks = [said?.outlook ?? null, ...(known ? row.outlooks.slice(1) : row.outlooks)];
    const { cost, ci, source } = said ?? { cost: null, ci: null, source: null };
    if (cost === null || source === null) return { ...row, outlooks };
    const prediction: Prediction = { at: answer.at, cost, ci, source };
    served.add(prediction);
    const models = row.models.map((m) => (m.feature === answer.feature ? withPrediction(m, prediction) : m));
    return { ...row, models, outlooks };
  };
  // The point of an earlier question makes room for this one's.
  const known = findings.points[0] !== undefined && served.has(findings.points[0]);
  served.add(answer.point);
  const points = [answer.point, ...findings.points.slice(known ? 1 : 0)];
  return {
    ...data,
    findings: {
      ...findings,
      points,
      total: add(findings.total, answer.total),
      clusters: findings.clusters.map((c, i) => add(c, answer.clusters[i])),
      functions: findings.functions.map((f, i) => add(f, answer.functions[i])),
    },
  };
}

/** In place of what an earlier question was answered with. */
function withPrediction(model: Model, prediction: Prediction): Model {
  const computed = model.predictions.filter((p) => !isServed(p));
  if (computed.some((p) => p.at === prediction.at)) return { ...model, predictions: computed };
  return { ...model, predictions: [...computed, prediction] };
}

/** The longest pause before a question is repeated, whatever the server asks for. */
const MOST_PAUSE_S = 10;

/** The pause that a `Retry-After` of seconds asks for; one second where it says none. */
export function retryAfterMs(header: string | null): number {
  const seconds = header === null || header.trim() === '' ? NaN : Number(header);
  return 1000 * (Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0.1), MOST_PAUSE_S) : 1);
}
