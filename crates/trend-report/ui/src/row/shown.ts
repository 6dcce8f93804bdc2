/** What a row's page shows: where predictions are made, what it is compared with. Pure but for the target. */

import { computed } from '@preact/signals';

import { type Estimate, sameSize } from '../data/models';
import { rowEstimate, totalEstimate } from '../data/predict';
import type { Predictable } from '../data/types';
import { shareOf } from '../overview/answer';
import { moved, MULTIPLES, p95Of, target, targetWith, timesMoved } from '../state/state';

/** A size and what the row costs there. */
export interface Outlook {
  /** How many times the 95th percentile of the sizes that were run; `null` where that is not known. */
  times: number | null;
  /** Of the feature that the target is moved along. */
  at: number;
  /** Whether it is the target. */
  asked: boolean;
  /** By the row's law. */
  estimate: Estimate | null;
  share: number | null;
}

/** The whole program at the multiples that are one press away. */
const wholes = computed(() => MULTIPLES.map((k) => totalEstimate(pointAt(k))));

const pointAt = (times: number) => {
  const name = moved.value?.feature ?? '';
  return targetWith(name, times * p95Of(name));
};

/** What the row's law says at the usual multiples and at the target, by ascending size. */
export function outlooks(row: Predictable): Outlook[] {
  const place = moved.value;
  if (!place) return [];
  const p95 = p95Of(place.feature);
  const of = (times: number | null, at: number, asked: boolean, i: number): Outlook => {
    const estimate = rowEstimate(row, asked || times === null ? target.value : pointAt(times));
    const whole = i < 0 ? totalEstimate(target.value) : wholes.value[i];
    const share = estimate && whole ? shareOf(estimate.cost, estimate.cost, whole.cost) : null;
    return { times, at, asked, estimate, share };
  };
  const usual = p95 > 0 ? MULTIPLES : [];
  const all = usual.map((k, i) => of(k, k * p95, sameSize(k * p95, place.at), i));
  if (all.every((one) => !one.asked)) all.push(of(timesMoved.value, place.at, true, -1));
  return all.sort((a, b) => a.at - b.at);
}

/**
 * The words of `trend-prof show STUDY NAME --feature F --at F=SIZE`; `feature` where the study has several, and sizes where somebody asked
 * for some.
 */
export function command(study: string, name: string, feature: string | null, sizes: string[]): string[] {
  const options = [
    ...(feature === null ? [] : ['--feature', feature]),
    ...sizes.flatMap((size) => ['--at', size]),
  ];
  // A name that begins with a dash would be taken for an option.
  const isOption = [study, name].some((n) => n.startsWith('-'));
  return ['show', ...(isOption ? [...options, '--', study, name] : [study, name, ...options])];
}

/** `99 %`, and never 0 or 100 % of what has rivals. */
export function supportText(support: number): string {
  const percent = Math.round(support * 100);
  if (percent === 100 && support < 1 - 1e-9) return '>99\u00a0%';
  return percent === 0 ? '<1\u00a0%' : `${percent}\u00a0%`;
}
