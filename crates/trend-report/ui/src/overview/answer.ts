/**
 * Writes the two opening sentences at the page's target: the program's cost there, and the line to look at. The
 * terminal prints the same sentences; `tests/answers.test.ts` compares them with the analysis.
 */

import { computed } from '@preact/signals';

import type {
  AnswerKind,
  Candidates,
  Spread,
  TimeDoubt,
  TimeOutlook,
  Unnamed,
} from '../../generated/findings-types';
import type { Estimate } from '../data/models';
import type { Subject } from '../data/page';
import { rowEstimate, totalEstimate } from '../data/predict';
import type { Candidate, Cluster, Interval, Predictable } from '../data/types';
import { bytes, costInterval, picoseconds, share, significant, size } from '../format/number';
import { shorten, visible } from '../format/text';
import { href, moved, page, target, targetText } from '../state/state';
import { type Piece, predictedCost } from '../view/parts';

/** A function with its share of the program's cost at the target. */
export interface Weighed {
  candidate: Candidate;
  subject: Subject;
  then: number;
  thenCi: Interval | null;
}

/** A cluster with its share of the program's cost at the target. */
export interface Group {
  subject: Subject<Cluster>;
  then: number;
}

export interface Answer {
  kind: AnswerKind;
  /** Cost of the whole program at the target; `null` if there is no prediction. */
  whole: Estimate | null;
  named: Weighed | null;
  /** True if no other function costs more than the named one. */
  isCostliest: boolean;
  /** The reason why no single place decides, with the largest groups. */
  spread: Spread | null;
  groups: Group[];
  /** The claim about all rows if nothing needs fixing. */
  unnamed: Unnamed | null;
}

/** Returns a cost as a share of a whole that is at least as large. */
export function shareOf(cost: number, part: number, whole: number): number {
  return cost > 0 ? cost / (cost + Math.max(whole - part, 0)) : 0;
}

/** Cost of the whole program at the target. */
export const wholeThen = computed(() => totalEstimate(target.value));

/** The answer; `null` if too few sizes were run. */
export const answer = computed<Answer | null>(() => {
  const { candidates } = page.value.data.answer;
  if (!candidates) return null;
  const whole = wholeThen.value;
  const nothing = { named: null, isCostliest: false, spread: null, groups: [], unnamed: null };
  return whole ? choose(candidates, whole) : { ...nothing, kind: 'steady', whole };
});

/** Chooses the answer by the rules of `trend-analyze/src/answer/choice.rs`, in the same order. */
function choose(candidates: Candidates, whole: Estimate): Answer {
  const all = weighed(candidates, whole);
  const times = timeShares(whole);
  const weight = (w: Weighed) => (times.size > 0 ? (times.get(w.candidate.function)?.[1] ?? 0) : w.then);
  const saying = (kind: AnswerKind, named: Weighed | null): Answer => ({
    ...{ kind, whole, named, spread: null, groups: [], unnamed: null },
    isCostliest: named !== null && isCostliest(named, all, times),
  });
  const fix = ownFirst(all.filter((w) => isFast(w) && w.then >= candidates.least_share), (w) => w.then); // prettier-ignore
  if (fix) return saying('fix', fix);
  const open = ownFirst(
    all.filter((w) => isOpen(w) && mayMatter(w, candidates)),
    upper,
  );
  if (open) return saying('open', open);
  const spread = spreadOf(candidates, all, whole);
  if (spread) return { ...saying('spread', null), spread, groups: groupsOf(candidates, spread, whole) };
  const steady = ownFirst(
    all.filter((w) => weight(w) >= candidates.least_share),
    weight,
  );
  if (steady) return { ...saying('steady', steady), unnamed: claimOf(candidates, whole) };
  return { ...saying('spread', null), spread: 'all_small', groups: groupsOf(candidates, 'all_small', whole) };
}

function weighed({ functions: known }: Candidates, whole: Estimate): Weighed[] {
  const { functions } = page.value;
  return known.flatMap((candidate): Weighed[] => {
    const subject = functions[candidate.function];
    const estimate = subject ? rowEstimate(subject.row, target.value) : null;
    if (!subject || !estimate) return [];
    const part = (cost: number) => shareOf(cost, estimate.cost, whole.cost);
    const thenCi: Interval | null = estimate.ci && [part(estimate.ci[0]), part(estimate.ci[1])];
    return [{ candidate, subject, then: part(estimate.cost), thenCi }];
  });
}

const isFast = (w: Weighed) => w.candidate.pace === 'fast';
const isOpen = (w: Weighed) => w.candidate.pace === 'open';
const upper = (w: Weighed) => w.thenCi?.[1] ?? 0;

function mayMatter(w: Weighed, { open_share, open_times }: Candidates): boolean {
  return w.then > 0 && upper(w) >= open_share && upper(w) >= open_times * w.subject.row.share_now;
}

/** Returns the greatest function of the user's own code; without one, the greatest library function. */
function ownFirst(some: Weighed[], by: (w: Weighed) => number): Weighed | null {
  const own = some.filter((w) => w.candidate.is_own);
  return greatest(own, by) ?? greatest(some, by);
}

function isCostliest(named: Weighed, all: Weighed[], times: Map<number, [number, number]>): boolean {
  const ofTime = times.get(named.candidate.function)?.[1];
  if (ofTime !== undefined) return [...times.values()].every(([, part]) => part <= ofTime);
  return all.every((w) => w.then <= named.then);
}

function spreadOf(candidates: Candidates, all: Weighed[], whole: Estimate): Spread | null {
  const isWholeFast = candidates.whole === 'fast';
  const fast = all.filter(isFast);
  if (fast.some((w) => isWholeFast || w.then >= candidates.notable_share)) return 'small_fast';
  const groups = candidates.fast_groups.map((i) => groupOf(i, whole)?.then ?? 0);
  if (groups.some((share) => share >= candidates.least_share)) return 'fast_group';
  return isWholeFast ? 'whole_fast' : null;
}

function groupOf(cluster: number, whole: Estimate): Group | null {
  const subject = page.value.clusters[cluster] as Subject<Cluster> | undefined;
  const estimate = subject ? rowEstimate(subject.row, target.value) : null;
  if (!subject || !estimate) return null;
  return { subject, then: shareOf(estimate.cost, estimate.cost, whole.cost) };
}

function groupsOf(candidates: Candidates, spread: Spread, whole: Estimate): Group[] {
  const all = spread === 'fast_group' ? candidates.fast_groups : page.value.clusters.keys();
  const groups = [...all].flatMap((i) => groupOf(i, whole) ?? []);
  const notable = groups.filter((group) => group.then >= candidates.notable_share);
  return notable.sort((a, b) => b.then - a.then).slice(0, candidates.most_groups);
}

/** Returns the claim by the rule of `trend-analyze/src/answer/claim.rs`. */
function claimOf({ shown, least_share }: Candidates, whole: Estimate): Unnamed {
  const { functions, clusters } = page.value.findings;
  const rows = [
    ...shown.functions.map(([i, pace]) => ({ pace, row: functions[i] })),
    ...shown.clusters.map(([i, pace]) => ({ pace, row: clusters[i] })),
  ];
  const mayBeLarge = ({ row }: { row: Predictable | undefined }) => {
    const found = row && rowEstimate(row, target.value);
    if (!found) return (row?.ends ?? []).length === 0;
    return shareOf(found.ci?.[1] ?? found.cost, found.cost, whole.cost) >= least_share;
  };
  const certain = !rows.some(mayBeLarge);
  const isFast = rows.some(({ pace }) => pace === 'fast');
  return { large_only: rows.length > 0 && (certain || isFast), certain };
}

/** Returns the greatest; among equal ones the last, as the analysis does. */
function greatest(some: Weighed[], by: (w: Weighed) => number): Weighed | null {
  return some.reduce<Weighed | null>((most, w) => (most && by(most) > by(w) ? most : w), null);
}

/** Writes `At n = 600,000 (10×): 5.6 s (4.6–7.3), 500 MB of memory.`; adds executions if the time cannot be trusted. */
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

/**
 * Writes `Fix list.c:7 in last_node: 24.0 % of the time now, 29.1 % then.`; shares are of the cost if the time cannot
 * be trusted.
 */
export function advicePieces(said: Answer): Piece[] {
  const { not_counted: notCounted } = page.value.data.answer;
  const pieces = said.whole ? whatToDo(said, said.whole) : [];
  return pieces.length > 0 && notCounted ? [...pieces, ` ${notCounted}`] : pieces;
}

function whatToDo(said: Answer, whole: Estimate): Piece[] {
  const { kind, named, unnamed, isCostliest } = said;
  if (kind === 'spread') return noSinglePlace(said);
  if (!named) return [];
  const place = placePieces(named);
  const shares = sharePieces(kind, named, whole);
  if (kind === 'fix') return ['Fix ', ...place, ': ', ...shares, '.', ...behindPieces(named.candidate)];
  if (kind === 'open')
    return ['Watch ', ...place, ' (growth unclear): ', ...shares, `.${toKnow(named.candidate.next)}`];
  const costliest = isCostliest ? 'The most expensive function' : 'Your most expensive function';
  return [`${unnamed ? `${claimText(unnamed)}. ` : ''}${costliest} is `, ...place, ': ', ...shares, '.'];
}

/** Writes `24 % of the time now, 29 % then`; for an open question `20 % to 60 % then`. */
function sharePieces(kind: AnswerKind, named: Weighed, whole: Estimate): Piece[] {
  const isOfTime = kind === 'steady' || (kind === 'fix' && secondsDoubt(whole) === null);
  const ofTime = isOfTime ? timeShares(whole).get(named.candidate.function) : undefined;
  if (ofTime)
    return [`${share(ofTime[0])} of the time now, `, { as: 'strong', text: share(ofTime[1]) }, ' then'];
  const [low, high] = (kind === 'open' && named.thenCi ? named.thenCi : [named.then]).map(share);
  const then = high === undefined ? (low ?? '') : `${low ?? ''} to ${high}`;
  return [`${share(named.subject.row.share_now)} of the cost now, `, { as: 'strong', text: then }, ' then'];
}

const leastShare = () => share(page.value.data.answer.candidates?.least_share ?? 0);

/** Writes `Nothing with 5 % or more of the cost then is known to grow faster than n log n`. */
function claimText({ large_only, certain }: Unnamed): string {
  const { uncounted } = page.value.data.answer;
  const counted = uncounted ? ' that was counted' : '';
  const large = large_only ? ` with ${leastShare()} or more of the cost then` : '';
  const that = counted && large ? `${counted},${large},` : `${counted}${large}`;
  return `Nothing${that} ${certain ? 'grows' : 'is known to grow'} faster than n log n`;
}

const spreadText: Record<Spread, () => string> = {
  small_fast: () => `no function that grows faster than n log n reaches ${leastShare()} of the cost then`,
  fast_group: () => 'some blocks grow faster than n log n, but none of their functions is known to',
  whole_fast: () => 'the whole program grows faster than n log n, but no function is known to',
  all_small: () => `no function reaches ${leastShare()} of the cost then`,
};

/** Writes `No single place decides: … The largest groups then: a.c:9 in find (a group of 3 functions), 60 %; …`. */
function noSinglePlace({ spread, groups }: Answer): Piece[] {
  const why = spreadText[spread ?? 'all_small']();
  const named = groups.flatMap(({ subject, then }, i): Piece[] => {
    const functions = subject.row.function_count ?? 1;
    const name: Piece = {
      as: 'function',
      text: shorten(subject.title, 48),
      href: href('cluster', subject.id),
    };
    const of = functions > 1 ? ` (a group of ${functions} functions)` : '';
    return [...(i === 0 ? [] : ['; ']), name, `${of}, ${share(then)}`];
  });
  const largest = groups.length > 1 ? 'The largest groups then: ' : 'The largest group then: ';
  return [`No single place decides: ${why}.`, ...(groups.length > 0 ? [` ${largest}`, ...named, '.'] : [])];
}

/** Writes ` Run bytes = 50 M and 150 M to find out.` */
function toKnow(next: Candidate['next']): string {
  const sizes = (next?.sizes ?? []).map(size);
  const last = sizes.at(-1);
  if (!next || last === undefined) return '';
  const feature = shorten(next.feature, 40);
  const runs =
    sizes.length > 2
      ? `${sizes.length} sizes up to ${feature} = ${last}`
      : `${feature} = ${sizes.join(' and ')}`;
  return ` Run ${runs} to ${next.decides ? 'find out' : 'learn more'}.`;
}

/** Writes ` Called from parse.c:12 in parse.`, and the branching and repeating lines behind its calls. */
function behindPieces({ is_own, caller, branching, repeating }: Candidate): Piece[] {
  const called: Piece[] = is_own && caller ? [' Called from ', ...callPieces(caller), '.'] : [];
  const branches: Piece[] = branching ? [' ', ...callPieces(branching), ' calls itself more than once.'] : [];
  const loops: Piece[] = repeating
    ? [' Called as often as the loop at ', ...callPieces(repeating), ' runs, perhaps from there.']
    : [];
  return [...called, ...branches, ...loops];
}

/** Writes `parse.c:12 in parse`. */
function callPieces({ file, line, function: name }: NonNullable<Candidate['caller']>): Piece[] {
  const place: Piece = {
    as: 'line',
    text: `${shorten(file, 60)}:${line}`,
    href: href('source', file, { line }),
  };
  return [place, ` in ${shorten(name, 48)}`];
}

/**
 * Writes `list.c:7 in last_node`. For a library function the user's own line comes first: `a.cpp:9 in main, which calls
 * find (algo.h:70)`.
 */
function placePieces(named: Weighed): Piece[] {
  const { id, title } = named.subject;
  const name: Piece = { as: 'function', text: shorten(title, 48), href: href('function', id) };
  const text = lineOf(named);
  const line: Piece[] = text === null ? [] : [{ as: 'line', text, href: sourceOf(named) }];
  const { caller, is_own } = named.candidate;
  if (caller && !is_own) {
    const where: Piece[] = text === null ? [] : [' (', ...line, ')'];
    return [...callPieces(caller), ', which calls ', name, ...where];
  }
  return text === null ? [name] : [...line, ' in ', name];
}

export const sourceOf = ({ subject, candidate }: Weighed) =>
  href('source', subject.file, { line: candidate.line });

/** Writes `list.c:7`; returns `null` if the line is unknown. */
export function lineOf({ subject: { file }, candidate: { line } }: Weighed): string | null {
  return file === '' || line === 0 ? null : `${shorten(file, 60)}:${line}`;
}

const DAY = 86_400;

const UNITS: [number, string][] = [
  [365.25 * DAY, 'years'],
  [DAY, 'days'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** Returns the processor time at the target, with the ends of its interval. */
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

/** Writes `5.6 s (4.6–7.3)`; returns `null` if nothing was timed. */
function timePieces(whole: Estimate): { pieces: Piece[]; isTrusted: boolean } | null {
  const time = page.value.findings.answer?.time;
  if (!time) return null;
  const { seconds, ends } = secondsThen(time, whole);
  const isTrusted = secondsDoubt(whole) === null;
  const [length, unit] = unitOfTime(seconds);
  const text = (value: number) => significant(value / length, 2);
  const pieces: Piece[] = [
    ...(isTrusted ? [] : ['about ']),
    { as: 'strong', text: `${text(seconds)}\u00a0${unit}` },
    ' ',
    { as: 'soft', text: `(${ends.map(text).join('–')})` },
  ];
  if (time.elapsed_is === 'shorter')
    pieces.push(` of CPU time, ${text(seconds * time.elapsed)}\u00a0${unit} of wall time`);
  // Waiting time need not grow as the work does.
  if (time.elapsed_is === 'longer') {
    const longest = time.longest * time.elapsed;
    const [length, unit] = unitOfTime(longest);
    const took = `${significant(longest / length, 2)}\u00a0${unit}`;
    pieces.push(` of CPU time, wall time unknown (longest run: ${took})`);
  }
  const { day_up_to: largest } = time;
  if (largest !== null && seconds > DAY && moved.value)
    pieces.push(` (one day handles ${visible(moved.value.feature)} = ${size(largest)})`);
  return { pieces, isTrusted };
}

/** Returns the largest unit that fits at least twice. */
function unitOfTime(seconds: number): readonly [number, string] {
  return UNITS.find(([length]) => seconds >= 2 * length) ?? (seconds >= 0.1 ? [1, 's'] : [1e-3, 'ms']);
}

/**
 * Returns each function's share of the time: in the longest sampled run, and at the target. Empty if the shares are
 * unknown.
 */
function timeShares(whole: Estimate): Map<number, [number, number]> {
  const { functions, findings } = page.value;
  const { time, time_parts: parts } = findings.answer ?? {};
  const shares = new Map<number, [number, number]>();
  if (!time || !parts) return shares;
  const longer = secondsThen(time, whole).seconds / parts.run.seconds;
  const growth = whole.cost / parts.counts;
  const at = moved.value?.at;
  const size = parts.size === null || at === undefined ? growth : at / parts.size;
  const then = parts.rows.map(({ share, counts, power }) => {
    if (!counts) return share * longer * size ** (power ?? 0);
    const subject = functions[counts.function];
    const estimate = subject && rowEstimate(subject.row, target.value);
    return estimate ? share * (estimate.cost / counts.cost) * (longer / growth) : NaN;
  });
  const all = then.reduce((sum, part) => sum + part, 0);
  if (!(all > 0)) return shares;
  for (const [i, { counts, share }] of parts.rows.entries())
    if (counts) shares.set(counts.function, [share, (then[i] ?? NaN) / all]);
  return shares;
}

/** Returns the first doubt about the seconds at the target; `null` if they can be trusted or nothing was timed. */
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

const BYTES: [number, string][] = [
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
];

/**
 * Writes `8.2 GB (7.9–8.5) of heap at a.c:7 alone`, or `memory unknown (longest run: 797 MB)`; returns `null` if
 * nothing was timed.
 */
function memoryUnknown(): Piece | null {
  const { answer: said, workloads, memory_lines: lines } = page.value.findings;
  const holder = said?.memory_holder?.name;
  const most = lines?.find(({ name }) => name === holder)?.most;
  const estimate = most ? rowEstimate(most, target.value) : null;
  if (holder !== undefined && estimate) {
    const [length, unit] = BYTES.find(([length]) => estimate.cost >= length) ?? [1, 'bytes'];
    const text = (value: number) => significant(value / length, 2);
    const ends =
      estimate.ci && estimate.ci[0] < estimate.ci[1] ? ` (${estimate.ci.map(text).join('–')})` : '';
    return {
      as: 'strong',
      text: `${text(estimate.cost)} ${unit}${ends} of heap at ${shorten(holder, 60)} alone`,
    };
  }
  const peak = workloads.longest?.peak_bytes;
  if (!said?.time || peak === undefined) return null;
  return {
    as: 'strong',
    text: `memory unknown (longest run: ${bytes(peak, 2)})`,
  };
}

type Curve = [constant: number, perUnit: number, perPower: number, exponent: number];

/**
 * Writes `500 MB (450–560) of memory`, and warns if the machine may have less; returns `null` if the memory is unknown.
 */
function memoryPiece(): Piece | null {
  const memory = page.value.findings.answer?.memory;
  const place = moved.value;
  if (!memory) return memoryUnknown();
  if (!place) return null;
  const at = ([constant, perUnit, perPower, exponent]: Curve) =>
    constant + perUnit * place.at + perPower * place.at ** exponent;
  const curve = at([memory.constant, memory.per_unit, memory.per_power, memory.exponent]);
  const below = memory.known.findLast(([size]) => size <= place.at)?.[1] ?? 0;
  const above = memory.known.find(([size]) => size >= place.at)?.[2] ?? -Infinity;
  const [low, high] = memory.bounds;
  const ends: [number, number] =
    below <= above ? [below, above] : [Math.min(...low.map(at), curve), Math.max(...high.map(at), curve)];
  const needed = Math.min(Math.max(curve, ends[0]), ends[1]);
  const about = memory.doubts.length > 0 ? 'about ' : '';
  const [length, unit] = BYTES.find(([length]) => needed >= length) ?? [1, 'bytes'];
  const text = (value: number) => significant(value / length, 2);
  const said = `${about}${text(needed)} ${unit} (${ends.map(text).join('–')}) of memory`;
  const machine = memory.machine_bytes;
  if (machine === null || ends[1] <= machine) return { as: 'strong', text: said };
  if (needed <= machine)
    return { as: 'strong', text: `${said}, which may exceed the machine's ${bytes(machine, 2)}` };
  const fits =
    memory.fits_up_to === null ? '' : ` (fits up to ${visible(place.feature)} = ${size(memory.fits_up_to)})`;
  return { as: 'strong', text: `${said}, more than the machine's ${bytes(machine, 2)}${fits}` };
}
