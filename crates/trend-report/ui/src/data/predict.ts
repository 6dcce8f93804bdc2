/** What a row of the findings will cost at the size that the page predicts for. */

import { feature, page, target, targetOf } from '../state/store';
import { lawAt, pointAlong } from './law';
import { estimate, modelIndex, sameSize, type Estimate } from './models';
import type { Findings, Joint, Law, Model, ModelExtra, RowExtra } from './types';

export interface Outlook {
  /** The law in several features that the row is shown by, where there is one. */
  joint: Joint | null;
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
export function outlook(
  row: { models: Model[]; joint?: Joint; outlooks?: Findings['total']['outlooks']; law?: Law | null },
  extra: RowExtra,
  name = outlookFeature(),
): Outlook | null {
  const asked = modelIndex(row, name);
  const i = asked >= 0 ? asked : modelIndex(row, null);
  const model = row.models[i];
  if (!model) return null;
  const at = targetOf(model.feature);
  const own = extra.models[i];
  // A feature that somebody looks at is shown by its own law, everything else by the row's.
  const joint = feature.value === null ? (row.joint ?? null) : null;
  const found = joint
    ? jointEstimate(joint, row.outlooks ?? [])
    : at === null
      ? null
      : estimate(model, own, at, row.law ?? null);
  return { model, extra: own, at, estimate: found, joint };
}

/** What a law in several features says at the target. */
function jointEstimate({ law }: Joint, outlooks: Findings['total']['outlooks']): Estimate | null {
  const { points, features, fillings } = page.value.findings;
  const given = target.value?.feature ?? features[0]?.name ?? '';
  const at = targetOf(given);
  if (at === null) return null;
  const known = points.findIndex((p) => p.values.some((v) => v.feature === given && sameSize(v.at, at)));
  const outlook = known < 0 ? null : (outlooks[known] ?? null);
  const from = 'several features';
  if (outlook) return { cost: outlook.cost, ci: outlook.ci, from, exact: true };
  const point = pointAlong(fillings ?? [], law.features, given, at);
  const cost = point && lawAt(law, point);
  return cost === null ? null : { cost, ci: null, from, exact: true };
}
