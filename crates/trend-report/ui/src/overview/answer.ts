/**
 * The two sentences that come first, at the page's target: what the program costs there, and which line to look at. They
 * are those of the terminal; `tests/overview.test.ts` compares them with what the analysis says.
 */

import { computed } from '@preact/signals';

import { functionId, NO_EXTRA } from '../data/page';
import { rowEstimate, totalEstimate } from '../data/predict';
import type { Estimate } from '../data/models';
import type { Candidate, Interval, Row, RowExtra } from '../data/types';
import { costInterval, picoseconds, share, size } from '../format/number';
import { shorten, visible } from '../format/text';
import { memoryPiece, timePieces, timeShares } from './seconds';
import { page } from '../state/store';
import { target, targetText } from '../state/target';
import { predictedCost } from '../view/parts';

/** A function with its share of the whole at the target. */
export interface Weighed {
  candidate: Candidate;
  row: Row;
  extra: RowExtra;
  id: string;
  then: number;
  thenCi: Interval | null;
}

export interface Answer {
  kind: 'fix' | 'open' | 'steady';
  /** The whole program at the target; `null` where nothing is predicted there. */
  whole: Estimate | null;
  named: Weighed | null;
}

/** A cost as a part of a whole that has at least that much. */
export function shareOf(cost: number, part: number, whole: number): number {
  return cost > 0 ? cost / (cost + Math.max(whole - part, 0)) : 0;
}

/** The whole program at the target. */
export const wholeThen = computed(() => totalEstimate(target.value));

/** `null` where too few sizes were run. */
export const answer = computed<Answer | null>(() => {
  const { findings, data } = page.value;
  const { candidates } = data.answer;
  if (!candidates) return null;
  const whole = wholeThen.value;
  if (!whole) return { kind: 'steady', whole, named: null };
  const all = candidates.functions.flatMap((candidate): Weighed[] => {
    const row = findings.functions[candidate.function];
    const extra = data.functions[candidate.function] ?? NO_EXTRA;
    const estimate = row ? rowEstimate(row, extra, target.value) : null;
    if (!row || !estimate) return [];
    const part = (cost: number) => shareOf(cost, estimate.cost, whole.cost);
    const thenCi: Interval | null = estimate.ci && [part(estimate.ci[0]), part(estimate.ci[1])];
    return [{ candidate, row, extra, id: functionId(row), then: part(estimate.cost), thenCi }];
  });
  const upper = (w: Weighed) => w.thenCi?.[1] ?? 0;
  const mayMatter = (w: Weighed) =>
    w.then > 0 &&
    upper(w) >= candidates.open_share &&
    upper(w) >= candidates.open_times * w.row.share_of_largest;
  const notable = all.filter((w) => w.then >= candidates.least_share);
  const of = (some: Weighed[], pace: Candidate['pace']) => some.filter((w) => w.candidate.pace === pace);
  const fast = greatest(of(notable, 'fast'), (w) => w.then);
  if (fast) return { kind: 'fix', whole, named: fast };
  const open = greatest(of(all, 'open').filter(mayMatter), upper);
  if (open) return { kind: 'open', whole, named: open };
  return { kind: 'steady', whole, named: greatest(notable, (w) => w.then) };
});

/** Of equal ones the last, as the analysis has it. */
function greatest(some: Weighed[], by: (w: Weighed) => number): Weighed | null {
  return some.reduce<Weighed | null>((most, w) => (most && by(most) > by(w) ? most : w), null);
}

/** A piece of a sentence: plain, or what it is. */
export type Piece = string | { as: 'strong' | 'soft' | 'line' | 'function'; text: string };

export const textOf = (pieces: Piece[]) => pieces.map((p) => (typeof p === 'string' ? p : p.text)).join('');

/** `At 10× (n = 600,000): 5.6 s (4.6–7.3), 500 MB of memory.`, or executions where no time can be trusted. */
export function costPieces({ whole }: Answer): Piece[] {
  const place = `At ${targetText()}: `;
  if (!whole) return [place, 'nothing is predicted.'];
  const time = timePieces(whole);
  const counts = time?.isTrusted ? [] : [countPieces(whole)];
  const memory = memoryPiece();
  const parts = [...counts, ...(time ? [time.pieces] : []), ...(memory ? [[memory]] : [])];
  return [place, ...parts.flatMap((part, i) => (i === 0 ? part : [', ', ...part])), '.'];
}

function countPieces(whole: Estimate): Piece[] {
  const { unit } = page.value.findings;
  if (unit === 'ps') return [{ as: 'strong', text: picoseconds(Math.trunc(whole.cost)) }];
  const cost = predictedCost(whole);
  const interval = whole.ci ? costInterval(whole.ci) : cost;
  const soft: Piece[] = interval === cost ? [] : [' ', { as: 'soft', text: `(${interval})` }];
  return [{ as: 'strong', text: `${cost} ${visible(unit)}` }, ...soft];
}

/** `Fix list.c:7 in last_node: 24.0 % of the time today, 29.1 % then.`, or of the cost where no time can be trusted. */
export function advicePieces({ kind, whole, named }: Answer): Piece[] {
  if (!whole) return [];
  const steady = page.value.data.answer.uncounted
    ? 'Of what was counted, nothing grows faster than n log n'
    : 'Nothing grows faster than n log n';
  if (!named) return [`${steady}.`];
  const now = share(named.row.share_of_largest);
  const then: Piece = { as: 'strong', text: share(named.then) };
  const place = placePieces(named);
  if (kind === 'fix') {
    const ofTime = timeShares(whole, named.candidate.function);
    if (!ofTime) return ['Fix ', ...place, `: ${now} of the cost today, `, then, ' then.'];
    const thenOfTime: Piece = { as: 'strong', text: share(ofTime[1]) };
    return ['Fix ', ...place, `: ${share(ofTime[0])} of the time today, `, thenOfTime, ' then.'];
  }
  if (kind === 'steady')
    return [`${steady}. The costliest is `, ...place, `: ${now} today, `, then, ' then.'];
  const [low, high] = (named.thenCi ?? [named.then, named.then]).map(share);
  return [
    'Whether ',
    ...place,
    ` will hurt is open: ${now} today, `,
    { as: 'strong', text: `${low} to ${high}` },
    ` then.${toKnow(named.candidate.next)}`,
  ];
}

/** ` Run bytes = 50.0 M and 150 M to know.` */
function toKnow(next: Candidate['next']): string {
  const sizes = (next?.sizes ?? []).map(size);
  const last = sizes.at(-1);
  if (!next || last === undefined) return '';
  const feature = shorten(next.feature, 40);
  const runs =
    sizes.length > 2
      ? `${sizes.length} sizes up to ${feature} = ${last}`
      : `${feature} = ${sizes.join(' and ')}`;
  return ` Run ${runs} to know${next.decides ? '' : ' more'}.`;
}

/** `list.c:7 in last_node` */
function placePieces(named: Weighed): Piece[] {
  const name: Piece = { as: 'function', text: nameOf(named) };
  const line = lineOf(named);
  return line === null ? [name] : [{ as: 'line', text: line }, ' in ', name];
}

function nameOf({ row, extra }: Weighed): string {
  return shorten(extra.name ?? row.name, 48);
}

/** `list.c:7`; `null` where that is not known. */
export function lineOf({ row, candidate }: Weighed): string | null {
  return row.file === '' || candidate.line === 0 ? null : `${shorten(row.file, 60)}:${candidate.line}`;
}
