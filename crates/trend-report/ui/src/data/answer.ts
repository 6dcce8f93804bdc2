/** What a server says of a size, taken into the page's data. Pure. */

import type { PredictAnswer, PredictedCost } from './api';
import type { Model, PageData, Prediction } from './types';

/** The data with the answer among its predictions; the same data where the answer is of another study. */
export function withPredictions(data: PageData, answer: PredictAnswer): PageData {
  const { findings } = data;
  const fits =
    answer.revision === data.revision &&
    answer.clusters.length === findings.clusters.length &&
    answer.functions.length === findings.functions.length;
  if (!fits) return data;
  const add = (models: Model[], said: PredictedCost | undefined): Model[] => {
    const { cost, ci, from } = said ?? { cost: null, ci: null, from: null };
    if (cost === null || from === null) return models;
    const prediction: Prediction = { at: answer.at, cost, ci, from, served: true };
    return models.map((m) => (m.feature === answer.feature ? withPrediction(m, prediction) : m));
  };
  return {
    ...data,
    findings: {
      ...findings,
      total: { ...findings.total, models: add(findings.total.models, answer.total) },
      clusters: findings.clusters.map((c, i) => ({ ...c, models: add(c.models, answer.clusters[i]) })),
      functions: findings.functions.map((f, i) => ({ ...f, models: add(f.models, answer.functions[i]) })),
    },
  };
}

/** In place of what an earlier question was answered with. */
function withPrediction(model: Model, prediction: Prediction): Model {
  const computed = model.predictions.filter((p) => !p.served);
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
