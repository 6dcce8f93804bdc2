/** What a row's page shows: which model, where predictions are made, what it is compared with. Pure. */

import { isServed } from '../data/answer';
import type { Estimate } from '../data/models';
import type { Page } from '../data/page';
import { rowEstimate, type Predictable } from '../data/predict';
import type { Decomposition, RowExtra } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { pointText, samePoint, type Place } from '../state/target';
import { shellQuote } from '../view/copy';
import type { Of } from './served';

/** A cluster or a function, as far as they have the same facts. */
export interface RowFacts extends Predictable {
  /** As the command line knows it. */
  name: string;
  extra: RowExtra;
  decomposition?: Decomposition;
  /** As the server knows it. */
  of: Of;
  /** Names of its locations, the costliest first. */
  locations: string[];
}

/** A point of interest and what the row costs there. */
export interface Outlook {
  /** The value of the feature that is looked at; `null` where it has none there. */
  at: number | null;
  /** How the point was chosen: `2 × p95`, the 95th percentile of the sizes that were run, or `target`. */
  label: string;
  /** The point in words. */
  where: string;
  /** Whether it is the point that the reader asked for. */
  asked: boolean;
  /** By the row's law. */
  estimate: Estimate | null;
}

/** What the row's law says at the points of the analysis and at the one that is asked for, by ascending size. */
export function outlooks(page: Page, row: RowFacts, feature: string, target: readonly Place[]): Outlook[] {
  const at = (places: readonly { feature: string; at: number }[]) =>
    places.find((p) => p.feature === feature)?.at ?? null;
  const isAsked = target.some((p) => p.given === 'asked');
  // Of points that were asked for one after the other only the last is of interest.
  const known = page.findings.points.flatMap((point, i): Outlook[] => {
    if (isServed(point) || samePoint(target, point.values)) return [];
    const usual = point.values.map((v) => v.given).find((g) => g.kind === 'multiple');
    const given = point.values.filter(({ given: g }) => g.kind === 'asked' || g.kind === 'multiple');
    return [
      {
        at: at(point.values),
        label: usual ? `${usual.of_p95}\u00a0×\u00a0p95` : '',
        where: given.map((v) => `${visible(v.feature)} = ${number.size(v.at)}`).join(', '),
        asked: false,
        estimate: row.outlooks[i] ?? null,
      },
    ];
  });
  const here: Outlook = {
    at: at(target),
    label: isAsked ? 'target' : '10\u00a0×\u00a0p95',
    where: pointText(target),
    asked: isAsked,
    estimate: rowEstimate(row, row.extra, target),
  };
  return [...known, here].sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

/**
 * `trend-prof show STUDY NAME --feature F --at F=SIZE`; `feature` where the study has several, and sizes where somebody asked
 * for some.
 */
export function command(study: string, name: string, feature: string | null, sizes: string[]): string {
  const row = [study, name].map(shellQuote).join(' ');
  const options = [
    ...(feature === null ? [] : ['--feature', shellQuote(feature)]),
    ...sizes.flatMap((size) => ['--at', shellQuote(size)]),
  ];
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
