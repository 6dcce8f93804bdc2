/** Computes a row's predictions at several sizes, and its command line. Pure except for the target. */

import { computed } from '@preact/signals';

import { type Estimate, shareOf } from '../data/law';
import { sameSize } from '../data/models';
import { rowEstimate, totalEstimate } from '../data/predict';
import type { Predictable } from '../data/types';
import { moved, MULTIPLES, p95Of, target, targetWith, timesMoved } from '../state/state';

/** A size with the row's cost there. */
export interface Outlook {
  /** Multiple of the 95th percentile of the measured sizes; `null` if that is unknown. */
  times: number | null;
  /** Value of the feature along which the target moves. */
  at: number;
  /** True if this is the target. */
  asked: boolean;
  /** Prediction by the row's law. */
  estimate: Estimate | null;
  share: number | null;
}

/** Costs of the whole program at the usual multiples. */
const wholes = computed(() => MULTIPLES.map((k) => totalEstimate(pointAt(k))));

const pointAt = (times: number) => {
  const name = moved.value?.feature ?? '';
  return targetWith(name, times * p95Of(name));
};

/** Returns the row's predictions at the usual multiples and at the target, by ascending size. */
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
 * Returns the words of `trend-prof show STUDY NAME --feature F --at F=SIZE`. `feature` is given if the study has
 * several, and sizes if the address has some.
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
