/** Seconds and bytes at the page's target, by the terms that the analysis found; in the words of the terminal. */

import type { Estimate } from '../data/models';
import { NO_EXTRA } from '../data/page';
import { rowEstimate } from '../data/predict';
import type { TimeDoubt, TimeOutlook } from '../../generated/findings-types';
import { bytes, significant, size } from '../format/number';
import { visible } from '../format/text';
import { page } from '../state/store';
import { moved, target } from '../state/target';
import type { Piece } from './answer';

const UNITS: [number, string][] = [
  [86_400, 'days'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** Processor time at the target, and the ends of its interval. */
function secondsThen(time: TimeOutlook, whole: Estimate): { seconds: number; ends: [number, number] } {
  const { rate, counts, drift, kept_drift, margin, power } = time.law;
  const x = moved.value?.at;
  const growth = whole.cost / counts;
  const byCounts = (cost: number, part: number) => cost * rate * growth ** (part * drift);
  const byPower = power && x !== undefined ? power[0] * x ** power[1] : null;
  const first = byCounts(whole.cost, growth > 1 ? kept_drift : 1);
  const seconds = byPower === null ? first : Math.sqrt(first * byPower);
  const [low, high] = whole.ci ?? [whole.cost, whole.cost];
  const drifted = [0, 1].flatMap((part) => [byCounts(low, part), byCounts(high, part)]);
  const all = [...drifted, byPower ?? seconds, seconds];
  return { seconds, ends: [Math.min(...all) * (1 - margin), Math.max(...all) * (1 + margin)] };
}

/** `5.6 s (4.6–7.3)`; `null` where nothing was timed. */
export function timePieces(whole: Estimate): { pieces: Piece[]; isTrusted: boolean } | null {
  const time = page.value.findings.answer?.time;
  if (!time) return null;
  const { seconds, ends } = secondsThen(time, whole);
  const isTrusted = secondsDoubt(whole) === null;
  const [length, unit] =
    UNITS.find(([length]) => seconds >= 2 * length) ?? (seconds >= 0.1 ? [1, 's'] : [1e-3, 'ms']);
  const text = (value: number) => significant(value / length, 2);
  const pieces: Piece[] = [
    ...(isTrusted ? [] : ['perhaps ']),
    { as: 'strong', text: `${text(seconds)}\u00a0${unit}` },
    ' ',
    { as: 'soft', text: `(${ends.map(text).join('–')})` },
  ];
  if (time.elapsed_is === 'longer')
    pieces.push(` of processor time, elapsed time ${significant(time.elapsed, 2)} times as long`);
  else if (time.elapsed_is === 'shorter')
    pieces.push(` of processor time, ${text(seconds * time.elapsed)}\u00a0${unit} elapsed`);
  return { pieces, isTrusted };
}

/**
 * A function's share of the time of the longest sampled run, and at the target; `null` where that is not known or no time can
 * be trusted.
 */
export function timeShares(whole: Estimate, of: number): [number, number] | null {
  const { findings, data } = page.value;
  const { time, time_parts: parts } = findings.answer ?? {};
  if (!time || !parts || secondsDoubt(whole) !== null) return null;
  const longer = secondsThen(time, whole).seconds / parts.run.seconds;
  const growth = whole.cost / parts.counts;
  const at = moved.value?.at;
  const size = parts.size === null || at === undefined ? growth : at / parts.size;
  const then = parts.rows.map(({ share, counts, power }) => {
    if (!counts) return share * longer * size ** (power ?? 0);
    const row = findings.functions[counts.function];
    const estimate = row && rowEstimate(row, data.functions[counts.function] ?? NO_EXTRA, target.value);
    return estimate ? share * (estimate.cost / counts.cost) * (longer / growth) : NaN;
  });
  const i = parts.rows.findIndex(({ counts }) => counts?.function === of);
  const all = then.reduce((sum, part) => sum + part, 0);
  const [now, part] = [parts.rows[i]?.share, then[i]];
  return now === undefined || part === undefined || !(all > 0) ? null : [now, part / all];
}

/** What is first to be said against the seconds at the target; `null` where they can be trusted, or nothing was timed. */
export function secondsDoubt(whole: Estimate): string | null {
  const time = page.value.findings.answer?.time;
  if (!time) return null;
  const { cache, open } = time.law;
  const leaves = (from: { size: number } | { counts: number }) =>
    'size' in from ? (moved.value?.at ?? 0) > from.size : whole.cost > from.counts;
  const holds = (doubt: TimeDoubt) => {
    if (doubt === 'cache') return cache !== null && leaves(cache);
    if (doubt === 'undecided') return whole.ci === null || whole.ci[1] > open * whole.ci[0];
    return time.doubts.includes(doubt);
  };
  return page.value.data.answer.seconds.find(({ doubt }) => holds(doubt))?.line ?? null;
}

/** `500 MB of memory`, and whether the machine has so much; `null` where that is not known. */
export function memoryPiece(): Piece | null {
  const memory = page.value.findings.answer?.memory;
  const place = moved.value;
  if (!memory || !place) return null;
  const needed = memory.constant + memory.per_unit * place.at;
  const said = `${bytes(needed, 2)} of memory`;
  const machine = memory.machine_bytes;
  if (machine === null || needed <= machine) return { as: 'strong', text: said };
  const fits =
    memory.fits_up_to === null
      ? ''
      : ` (inputs fit up to ${visible(place.feature)} = ${size(memory.fits_up_to)})`;
  return { as: 'strong', text: `${said}, more than the ${bytes(machine, 2)} of the machine${fits}` };
}
