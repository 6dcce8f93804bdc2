/** What a row's page shows: which model, where predictions are made, what it is compared with. Pure. */

import { isServed } from '../data/answer';
import { estimate, modelIndex, sameSize, type Estimate } from '../data/models';
import type { Page } from '../data/page';
import type { Decomposition, Joint, Model, ModelExtra, RowExtra } from '../data/types';
import { shellQuote } from '../view/copy';
import type { Of } from './served';

/** A cluster or a function, as far as they have the same facts. */
export interface RowFacts {
  /** As the command line knows it. */
  name: string;
  models: Model[];
  extra: RowExtra;
  joint?: Joint;
  decomposition?: Decomposition;
  /** As the server knows it. */
  of: Of;
  /** Names of its locations, the costliest first. */
  locations: string[];
}

/** The position of the model that is looked at: in the feature that was asked for, else the one that fits best. */
export function shownModel(models: Model[], asked: string | null): number {
  const i = modelIndex({ models }, asked);
  return i >= 0 ? i : modelIndex({ models }, null);
}

/** A size of interest and what the row costs there. */
export interface Outlook {
  at: number;
  /** How the size was chosen: `2 × p95`, the 95th percentile of the sizes that were run, or `target`. */
  label: string;
  /** Whether it is the size that the reader asked for. */
  asked: boolean;
  estimate: Estimate | null;
}

/** The sizes that the analysis predicted at and the one that is asked for, in ascending order. */
export function outlooks(
  model: Model,
  extra: ModelExtra | undefined,
  p95: number | null,
  asked: number | null,
): Outlook[] {
  // Of sizes that were asked for one after the other only the last is of interest.
  const sizes = new Set(model.predictions.filter((p) => !isServed(p)).map((p) => p.at));
  if (asked !== null && !Array.from(sizes).some((at) => sameSize(at, asked))) sizes.add(asked);
  return Array.from(sizes)
    .sort((a, b) => a - b)
    .map((at) => {
      const isAsked = asked !== null && sameSize(at, asked);
      return { at, label: timesText(at, p95, isAsked), asked: isAsked, estimate: estimate(model, extra, at) };
    });
}

function timesText(at: number, p95: number | null, asked: boolean): string {
  for (const times of [2, 10]) {
    if (p95 !== null && sameSize(at, p95 * times)) return `${times}\u00a0×\u00a0p95`;
  }
  return asked ? 'target' : '';
}

/** Another row's law, to compare with. */
export interface Ghost {
  name: string;
  curve: ModelExtra['curve'];
}

/** Laws in a feature of the costliest clusters besides the one that is shown. */
export function ghosts(page: Page, feature: string, except: string, most: number): Ghost[] {
  const found: Ghost[] = [];
  for (const [i, cluster] of page.findings.clusters.entries()) {
    if (found.length === most) break;
    const name = cluster.representative.name;
    const at = name === except ? -1 : cluster.models.findIndex((m) => m.feature === feature);
    const curve = page.data.clusters[i]?.models[at]?.curve ?? [];
    if (curve.length > 1) found.push({ name: page.title(cluster), curve });
  }
  return found;
}

/** `trend-prof show STUDY NAME --feature F --at F=SIZE`. */
export function command(study: string, name: string, feature: string | null, at: string | null): string {
  const row = [study, name].map(shellQuote).join(' ');
  const options = feature === null ? [] : ['--feature', shellQuote(feature)];
  if (feature !== null && at !== null) options.push('--at', shellQuote(`${feature}=${at}`));
  // A name that begins with a dash would be taken for an option.
  const words = [study, name].some((n) => n.startsWith('-')) ? [...options, '--', row] : [row, ...options];
  return ['trend-prof', 'show', ...words].join(' ');
}

/** `99 %`, and never 0 or 100 % of what has rivals. */
export function supportText(support: number): string {
  const percent = Math.round(support * 100);
  if (percent === 100 && support < 1 - 1e-9) return '>99\u00a0%';
  return percent === 0 ? '<1\u00a0%' : `${percent}\u00a0%`;
}
