/**
 * Predictions that are computed on demand: what the page has lies between sizes that were computed beforehand (`≈`);
 * who serves it computes exactly the one that is asked for.
 */

import { effect } from '@preact/signals';

import { page, target } from '../state/store';
import { Page } from './page';
import type { Interval, Model, PageData, Prediction } from './types';

/** `[cost, ci, from]` of a row; all `null` where there is no prediction. */
export interface Answered {
  cost: number | null;
  ci: Interval | null;
  from: string | null;
}

/** Answer to `/api/predict`; rows in the order of the findings. */
export interface Predicted {
  revision: string;
  feature: string;
  at: number;
  total: Answered;
  clusters: Answered[];
  functions: Answered[];
}

/** A size is asked for once somebody has stopped typing it. */
const PAUSE_MS = 400;

/** Asks for each target size once per revision. Does nothing for a page that is not served. */
export function followTarget(): void {
  if (!page.value.data.served) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = '';
  effect(() => {
    const asked = target.value;
    const { revision } = page.value.data;
    const key = asked ? `${revision} ${asked.feature} ${asked.at}` : '';
    if (key === last) return;
    last = key;
    clearTimeout(timer);
    if (!asked) return;
    const { feature, at } = asked;
    timer = setTimeout(() => {
      ask(feature, at).catch(() => {
        // The approximate number stays, marked as such; the banner says when nobody serves the page.
      });
    }, PAUSE_MS);
  });
}

async function ask(feature: string, at: number): Promise<void> {
  const answer = await fetch(`/api/predict?feature=${encodeURIComponent(feature)}&at=${at}`);
  if (!answer.ok) return;
  const predicted = (await answer.json()) as Predicted;
  const now = page.peek().data;
  if (predicted.revision !== now.revision) return;
  page.value = new Page(withPredictions(now, predicted));
}

/** The data with the answer among the predictions of every row, instead of those of an earlier question. */
export function withPredictions(data: PageData, predicted: Predicted): PageData {
  const { findings } = data;
  const add = <T extends { models: Model[] }>(row: T, answered: Answered | undefined): T => ({
    ...row,
    models: row.models.map((m) =>
      m.feature === predicted.feature ? withPrediction(m, predicted.at, answered) : m,
    ),
  });
  return {
    ...data,
    findings: {
      ...findings,
      total: add(findings.total, predicted.total),
      clusters: findings.clusters.map((c, i) => add(c, predicted.clusters[i])),
      functions: findings.functions.map((f, i) => add(f, predicted.functions[i])),
    },
  };
}

const onDemand = new WeakSet<Prediction>();

function withPrediction(model: Model, at: number, answered: Answered | undefined): Model {
  const kept = model.predictions.filter((p) => !onDemand.has(p) && p.at !== at);
  if (!answered || answered.cost === null) return { ...model, predictions: kept };
  const added: Prediction = {
    at,
    cost: answered.cost,
    ci: answered.ci,
    from: answered.from ?? '',
    asked: true,
  };
  onDemand.add(added);
  return { ...model, predictions: [...kept, added].sort((a, b) => a.at - b.at) };
}
