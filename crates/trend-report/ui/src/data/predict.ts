/** What a row of the findings will cost at the size that the page predicts for. */

import { feature, target, targetOf } from '../state/store';
import { estimate, modelIndex, type Estimate } from './models';
import type { Model, ModelExtra, RowExtra } from './types';

export interface Outlook {
  model: Model;
  extra: ModelExtra | undefined;
  /** The size; `null` where none is known. */
  at: number | null;
  estimate: Estimate | null;
}

/** The feature that is looked at, else that of the target size; `null`: for each row the one that explains it best. */
export function outlookFeature(): string | null {
  return feature.value ?? target.value?.feature ?? null;
}

/** The model that a row is shown with, and its estimate at the target; `null` for a row without models. */
export function outlook(row: { models: Model[] }, extra: RowExtra, name = outlookFeature()): Outlook | null {
  const asked = modelIndex(row, name);
  const i = asked >= 0 ? asked : modelIndex(row, null);
  const model = row.models[i];
  if (!model) return null;
  const at = targetOf(model.feature);
  return {
    model,
    extra: extra.models[i],
    at,
    estimate: at === null ? null : estimate(model, extra.models[i], at),
  };
}
