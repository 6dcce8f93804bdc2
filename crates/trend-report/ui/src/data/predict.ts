/** What a row of the findings will cost at the point that the page predicts for. */

import { feature, page } from '../state/store';
import { givenText, samePoint, target, type Place } from '../state/target';
import { hiddenText, type Hidden } from './hidden';
import { lawAt } from './law';
import { intervalAt, isOfRow, modelIndex, type Estimate } from './models';
import { NO_EXTRA, type Page } from './page';
import type { Joint, Law, Model, ModelExtra, Outlook, RowExtra } from './types';

/** A row as far as it is predicted. */
export interface Predictable {
  models: Model[];
  joint?: Joint;
  outlooks: (Outlook | null)[];
  law: Law | null;
}

export interface Shown {
  /** The law in several features that the row is shown by, where there is one. */
  joint: Joint | null;
  model: Model;
  extra: ModelExtra | undefined;
  estimate: Estimate | null;
}

/** The position of the model in the feature that is looked at, else of the row's law. */
export function modelShown(row: { models: Model[]; law?: Law | null }): number {
  const asked = modelIndex(row, feature.value);
  return asked >= 0 ? asked : modelIndex(row, null);
}

/** The model that a row is shown with, and what its law says at the target; `null` for a row without models. */
export function shown(row: Predictable, extra: RowExtra): Shown | null {
  const i = modelShown(row);
  const model = row.models[i];
  if (!model) return null;
  // A feature that somebody looks at is shown by its own model; the prediction is the row's law's all the same.
  const joint = feature.value === null ? (row.joint ?? null) : null;
  return { model, extra: extra.models[i], joint, estimate: rowEstimate(row, extra, target.value) };
}

/** What the row's law may hide at the target. */
export function hiddenAtTarget(row: Predictable, extra: RowExtra, of?: string): Hidden | null {
  const found = shown(row, extra);
  if (!found?.estimate || !isOfRow(row, found.model)) return null;
  const at = target.value.find((p) => p.feature === found.model.feature)?.at ?? NaN;
  return hiddenText(found.model, found.estimate, at, givenText(), of);
}

type Lawful = Pick<Predictable, 'law' | 'outlooks'>;

/** A point with what was asked for there already. */
interface Known {
  /** Position among the points of the analysis; -1 where it has none such. */
  at: number;
  values: Map<string, number>;
  estimates: Map<Lawful, Estimate | null>;
}

let known = new WeakMap<readonly Place[], Known>();
let knownOf: Page | undefined;

function knownAt(point: readonly Place[]): Known {
  if (knownOf !== page.value) [knownOf, known] = [page.value, new WeakMap()];
  const before = known.get(point);
  if (before) return before;
  const at = page.value.findings.points.findIndex((p) => samePoint(point, p.values));
  const here = { at, values: new Map(point.map((p) => [p.feature, p.at])), estimates: new Map() };
  known.set(point, here);
  return here;
}

/** What the row's law says at a point: what the analysis computed, else the law itself. */
export function rowEstimate(row: Lawful, extra: RowExtra, point: readonly Place[]): Estimate | null {
  const here = knownAt(point);
  if (here.at >= 0) return row.outlooks[here.at] ?? null;
  let found = here.estimates.get(row);
  if (found === undefined) here.estimates.set(row, (found = lawEstimate(row.law, extra, here.values)));
  return found;
}

function lawEstimate(law: Law | null, extra: RowExtra, at: ReadonlyMap<string, number>): Estimate | null {
  const values = law?.features.map((name) => at.get(name) ?? NaN);
  const cost = law && values ? lawAt(law, values) : null;
  if (!law || cost === null || extra.ends?.some(([feature, until]) => (at.get(feature) ?? 0) > until)) {
    return null;
  }
  return { cost, ci: intervalAt(extra.band, values?.[0] ?? NaN), source: law.source };
}

/** The same of the whole program, which costs at least what each of its parts does. */
export function totalEstimate(point: readonly Place[]): Estimate | null {
  const { findings, data } = page.value;
  const parts = [
    ...findings.clusters.map((row, i) => rowEstimate(row, data.clusters[i] ?? NO_EXTRA, point)),
    ...findings.functions.map((row, i) => rowEstimate(row, data.functions[i] ?? NO_EXTRA, point)),
  ];
  const whole = rowEstimate(findings.total, data.total, point);
  return parts.reduce((most, part) => (most && part && part.cost > most.cost ? part : most), whole);
}
