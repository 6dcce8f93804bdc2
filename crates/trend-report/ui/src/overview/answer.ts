/**
 * Writes the two opening sentences at the page's target: the program's cost there, and the line to look at. The module
 * computes the costs and chooses the line; the terminal prints the same sentences, see
 * `trend-report/src/words/answer.rs`.
 */

import { computed } from '@preact/signals';

import type {
  AnswerKind,
  Candidates,
  Pace,
  Spread,
  TimeDoubt,
  TimeOutlook,
  Unnamed,
} from '../../generated/findings-types';
import { type Estimate, putEstimate, putList } from '../data/law';
import { ask } from '../data/module';
import type { Subject } from '../data/page';
import { rowEstimate, shown, totalEstimate } from '../data/predict';
import type { Candidate, Cluster, Interval, Predictable, Row } from '../data/types';
import {
  bytes,
  bytesEnds,
  featureSize,
  costEnds,
  picoseconds,
  predicted,
  seconds,
  secondsAs,
  secondsEnds,
  share,
} from '../format/number';
import { shorten, visible } from '../format/text';
import { href, page, target, targetText, theSize } from '../state/state';
import { type Piece } from '../view/parts';

/** A function with its share of the program's cost at the target. */
export interface WeighedFunction {
  candidate: Candidate;
  subject: Subject;
  then: number;
  thenCi: Interval | null;
}

/** A cluster with its share of the program's cost at the target. */
interface Group {
  subject: Subject<Cluster>;
  then: number;
}

export interface Answer {
  kind: AnswerKind;
  /** Cost of the whole program at the target; `null` if there is no prediction. */
  whole: Estimate | null;
  named: WeighedFunction | null;
  /** True if no other function costs more than the named one. */
  isCostliest: boolean;
  /** The reason why no single place decides, with the largest groups. */
  spread: Spread | null;
  groups: Group[];
  /** The claim about all rows if nothing needs fixing. */
  unnamed: Unnamed | null;
}

/** Cost of the whole program at the target. */
export const wholeThen = computed(() => totalEstimate(target.value));

const NOTHING: Omit<Answer, 'whole'> = {
  ...{ kind: 'steady', named: null, isCostliest: false, spread: null, groups: [], unnamed: null },
};

/** The answer; `null` if too few sizes were run. */
export const answer = computed<Answer | null>(() => {
  const { candidates } = page.value.data.answer;
  const whole = wholeThen.value;
  return candidates ? { ...NOTHING, whole, ...(whole && choose(candidates, whole)) } : null;
});

const KINDS: AnswerKind[] = ['fix', 'open', 'spread', 'steady'];
const SPREADS: Spread[] = ['small_fast', 'fast_group', 'whole_fast', 'all_small'];
const PACES: Pace[] = ['fast', 'open', 'slow'];

const ofPace = (pace: Pace | undefined) => (pace === undefined ? 0 : PACES.indexOf(pace) + 1);
const estimateNow = (row: Predictable | undefined) => (row ? rowEstimate(row, target.value) : null);

/** Passes the candidates to the rule of the module, `choice.rs`. */
function choose(candidates: Candidates, whole: Estimate): Partial<Answer> {
  const out: number[] = [];
  putScene(out, candidates, whole);
  let found = ask('choose', out);
  if (found.length === 0) {
    putOthers(out, candidates);
    found = ask('choose', out);
  }
  if (found.length === 0) return {};
  const [kind = 3, at = 0, then = NaN, low = NaN, high = NaN, costliest, large, certain] = found;
  const said = { kind: KINDS[kind] ?? 'steady', isCostliest: costliest === 1 };
  if (said.kind === 'spread')
    return { ...said, spread: SPREADS[at] ?? null, groups: groupsOf(found.slice(2)) };
  const candidate = candidates.functions[at];
  const subject = page.value.functions[candidate?.function ?? -1];
  if (!candidate || !subject) return said;
  const thenCi: Interval | null = Number.isNaN(low) ? null : [low, high];
  const unnamed = large === undefined ? null : { large_only: large === 1, certain: certain === 1 };
  return { ...said, named: { candidate, subject, then, thenCi }, unnamed };
}

/** Writes the program at the target, with the functions that may be named. */
function putScene(out: number[], candidates: Candidates, whole: Estimate): void {
  const { functions } = page.value.findings;
  const times = timeShares(whole);
  putEstimate(out, whole);
  out.push(ofPace(candidates.whole));
  out.push(Number(times !== null));
  putList(out, [...(times?.values() ?? [])], ([, then]) => out.push(then));
  putList(out, candidates.functions, ({ function: i, pace, is_own: isOwn }) => {
    const row = functions[i];
    const time = row && times?.get(timeKey(row));
    out.push(ofPace(pace), Number(isOwn), row?.share_now ?? NaN, time?.[1] ?? NaN);
    putEstimate(out, estimateNow(row));
  });
}

/** Writes the groups of blocks, and the rows that a claim must hold for. */
function putOthers(out: number[], { fast_groups: fastGroups, shown }: Candidates): void {
  const { functions, clusters } = page.value.findings;
  const fast = new Set(fastGroups);
  const groups = clusters.map(estimateNow);
  putList(out, groups, (group, i) => {
    out.push(Number(fast.has(i)));
    putEstimate(out, group);
  });
  const rows = [
    ...shown.functions.map(([i, pace]) => ({ pace, row: functions[i], then: estimateNow(functions[i]) })),
    ...shown.clusters.map(([i, pace]) => ({ pace, row: clusters[i], then: groups[i] ?? null })),
  ];
  putList(out, rows, ({ pace, row, then }) => {
    out.push(ofPace(pace), Number((row?.ends ?? []).length > 0));
    putEstimate(out, then);
  });
}

function groupsOf(numbers: readonly number[]): Group[] {
  return numbers.flatMap((cluster, i): Group[] => {
    const subject = page.value.clusters[cluster] as Subject<Cluster> | undefined;
    return i % 2 === 0 && subject ? [{ subject, then: numbers[i + 1] ?? NaN }] : [];
  });
}

/**
 * Writes `At n = 600,000 (10×): 5.6 s (4.6–7.3), 500 MB of memory.` If the time is unknown, executions come last;
 * otherwise only the gauge shows them.
 */
export function costPieces({ whole }: Answer): Piece[] {
  const place = `At ${targetText()}: `;
  if (!whole) return [place, 'nothing is predicted.'];
  const time = timePieces(whole);
  const memory = memoryPieces();
  const counts = time ? null : countPieces(whole);
  // Costs that are times come first.
  const parts = page.value.findings.unit === 'ps' ? [counts, time, memory] : [time, memory, counts];
  const known = parts.filter((part) => part !== null);
  return [place, ...known.flatMap((part, i) => (i === 0 ? part : [', ', ...part])), '.'];
}

function countPieces(whole: Estimate): Piece[] {
  const { unit } = page.value.findings;
  if (unit === 'ps') return [{ as: 'strong', text: picoseconds(Math.trunc(whole.cost)) }];
  const cost = predicted(whole);
  return [{ as: 'strong', text: `${cost} ${visible(unit)}` }, ...interval(costEnds(whole.ci))];
}

/** Returns a space and the interval, or nothing if it is empty. The short text omits it, because the gauges show it. */
const interval = (ends: string): Piece[] =>
  ends === '' ? [] : [extra(' '), { as: 'soft', text: ends, short: '' }];

/** Returns text that the short form omits. */
const extra = (text: string): Piece => ({ as: 'extra', text, short: '' });

/** The advice: its main sentence, and the sentences that explain it. */
export interface Advice {
  first: Piece[];
  more: Piece[];
}

/**
 * Writes `Fix list.c:7 in last_node (n^2): 24.0 % of the time now, 29.1 % then.`; shares are of the cost if the time
 * cannot be trusted.
 */
export function advice(said: Answer): Advice {
  const { kind, named, unnamed, isCostliest, whole } = said;
  if (!whole) return { first: [], more: [] };
  if (kind === 'spread') return spread(said);
  if (!named) return { first: [], more: [] };
  const grows = kind === 'open' ? ' (growth unclear)' : kind === 'fix' ? growthPiece(named) : '';
  const place = [...placePieces(named), grows];
  const shares = [...place, ': ', ...sharePieces(kind, named, whole), '.'];
  const behind = behindPieces(named.candidate);
  if (kind === 'fix') return { first: ['Fix ', ...shares], more: behind };
  if (kind === 'open')
    return { first: ['Watch ', ...shares], more: [...behind, nextRunsText(named.candidate.next)] };
  const byTime = timeShares(whole)?.has(timeKey(named.subject.row as Row)) ? 'By time, the' : 'The';
  const costliest = `${isCostliest ? byTime : 'Your'} most expensive function`;
  const first = unnamed ? [`${claimText(unnamed)}.`] : [];
  return { first, more: [` ${costliest} is `, ...shares, ...behind] };
}

/** Writes ` (n^2)`: the growth of the named function. */
function growthPiece({ subject: { row } }: WeighedFunction): string {
  const found = shown(row);
  const text = found?.joint ? (row as Row).growth : found?.model.growth?.short;
  return text ? ` (${shorten(text, SHORT_PLACE)})` : '';
}

/** Writes `24 % of the time now, 29 % then`; for an open question `20 % to 60 % then`. */
function sharePieces(kind: AnswerKind, named: WeighedFunction, whole: Estimate): Piece[] {
  const isOfTime = kind === 'steady' || (kind === 'fix' && secondsDoubt(whole) === null);
  const ofTime = isOfTime ? timeShares(whole)?.get(timeKey(named.subject.row as Row)) : undefined;
  if (ofTime)
    return [`${share(ofTime[0])} of the time now, `, { as: 'strong', text: share(ofTime[1]) }, ' then'];
  const [low, high] = (kind === 'open' && named.thenCi ? named.thenCi : [named.then]).map(share);
  const then = high === undefined || high === low ? (low ?? '') : `${low ?? ''} to ${high}`;
  return [`${share(named.subject.row.share_now)} of the cost now, `, { as: 'strong', text: then }, ' then'];
}

const leastShare = () => share(page.value.data.answer.candidates?.least_share ?? 0);

/** Writes `Nothing that takes 5 % or more of the cost at the target is known to grow faster than n log n`. */
function claimText({ large_only, certain }: Unnamed): string {
  const { uncounted } = page.value.data.answer;
  const counted = uncounted ? ['was counted'] : [];
  const large = large_only ? [`takes ${leastShare()} or more of the cost at the target`] : [];
  const which = [...counted, ...large].join(' and ');
  return `Nothing${which && ` that ${which}`} ${certain ? 'grows' : 'is known to grow'} faster than n log n`;
}

const spreadText: Record<Spread, () => string> = {
  small_fast: () =>
    `no function that grows faster than n log n reaches ${leastShare()} of the cost at the target`,
  fast_group: () => 'some blocks grow faster than n log n, but this is not certain for any function',
  whole_fast: () => 'the whole program grows faster than n log n, but this is not certain for any function',
  all_small: () => `no function reaches ${leastShare()} of the cost at the target`,
};

/**
 * Writes `No single function stands out: … The largest groups at the target: a.c:9 in find (a group of 3 functions),
 * 60 %; …`.
 */
function spread({ spread, groups }: Answer): Advice {
  const why = spreadText[spread ?? 'all_small']();
  const named = groups.flatMap(({ subject, then }, i): Piece[] => {
    const functions = subject.row.function_count ?? 1;
    const name: Piece = {
      as: 'function',
      text: shorten(subject.title, NAME),
      href: href('cluster', subject.id),
    };
    const of = functions > 1 ? ` (a group of ${functions} functions)` : '';
    return [...(i === 0 ? [] : ['; ']), name, `${of}, ${share(then)}`];
  });
  const largest =
    groups.length > 1 ? 'The largest groups at the target: ' : 'The largest group at the target: ';
  return {
    first: [`No single function stands out: ${why}.`],
    more: groups.length > 0 ? [` ${largest}`, ...named, '.'] : [],
  };
}

/** Writes ` Run bytes = 50 MB and 150 MB to find out.` */
function nextRunsText(next: Candidate['next']): string {
  if (!next) return '';
  const sizes = next.sizes.map((one) => featureSize(next.feature, one));
  const last = sizes.at(-1) ?? '';
  const feature = shorten(next.feature, 40);
  const runs =
    sizes.length > 2
      ? `${sizes.length} sizes up to ${feature} = ${last}`
      : `${feature} = ${sizes.join(' and ')}`;
  return ` Run ${runs} to ${next.decides ? 'find out' : 'learn more'}.`;
}

/** Writes ` Its calls come from parse.c:12 in parse.`, and the recursion and the loop that lead to its calls. */
function behindPieces({ is_own, caller, branching, repeating }: Candidate): Piece[] {
  const called: Piece[] = is_own && caller ? [' Its calls come from ', ...callPieces(caller), '.'] : [];
  const branches: Piece[] = branching
    ? [' Recursion at ', ...callPieces(branching), ': one call makes several recursive calls.']
    : [];
  const loops: Piece[] = repeating
    ? [
        ' The loop at ',
        ...callPieces(repeating),
        ' runs as often as this function is called, and may contain the call.',
      ]
    : [];
  return [...called, ...branches, ...loops];
}

/** Writes `parse.c:12 in parse`, or the function alone if the line is unknown. */
function callPieces(caller: NonNullable<Candidate['caller']>): Piece[] {
  const name = shorten(caller.function, NAME);
  return caller.line === 0 ? [name] : [linePiece(caller), extra(` in ${name}`)];
}

/** Maximum lengths: of names of functions and files in sentences, and of names and places in short texts. */
const [NAME, FILE, SHORT_NAME, SHORT_PLACE] = [48, 60, 28, 24];

/** Writes `list.c:7 in last_node`; for a library function, the user's own line: `a.cpp:9 in main, which calls find`. */
function placePieces(named: WeighedFunction): Piece[] {
  const { subject, candidate } = named;
  const [text, short] = [shorten(subject.title, NAME), shorten(subject.title, SHORT_NAME)];
  const name: Piece = { as: 'function', text, short, href: href('function', subject.id) };
  if (isCalled(candidate)) return [...callPieces(candidate.caller), ', which calls ', name];
  const place = placeOf(named);
  return place === null ? [name] : [linePiece(place), ' in ', name];
}

/** Returns true for a function outside the user's code that a line of the user's code calls. */
const isCalled = (one: Candidate): one is Candidate & { caller: NonNullable<Candidate['caller']> } =>
  !one.is_own && one.caller !== undefined;

interface LineOfCode {
  file: string;
  line: number;
}

/** Returns the line to look at; `null` if it is unknown. */
export function placeOf({ subject: { file }, candidate }: WeighedFunction): LineOfCode | null {
  const place = isCalled(candidate) ? candidate.caller : { file, line: candidate.line };
  return place.file === '' || place.line === 0 ? null : place;
}

/** Writes `list.c:7`, with a link. */
function linePiece({ file, line }: LineOfCode): Piece {
  const text = `${shorten(file, FILE)}:${line}`;
  return { as: 'line', text, short: shorten(text, SHORT_PLACE), href: href('source', file, { line }) };
}

/**
 * The size that the laws of time and memory depend on; `null` if the target gives another feature's size, or several
 * sizes.
 */
const lawSize = computed(() => {
  const { answer, points } = page.value.findings;
  const values = points[answer?.point ?? -1]?.values ?? [];
  const [given, ...others] = values.filter(({ given: { kind } }) => kind === 'asked' || kind === 'multiple');
  const place = theSize.value;
  return given?.feature === place?.feature && others.length === 0 ? place : null;
});

/** A prediction with its interval. */
export interface Predicted {
  value: number;
  ci: Interval;
}

/** A predicted time in seconds, and the doubts about it. */
interface TimeThen extends Predicted {
  leavesCache: boolean;
  isOpen: boolean;
  isLong: boolean;
}

/** Returns the CPU time at the target. */
export function timeThen({ law }: TimeOutlook, whole: Estimate): TimeThen {
  const { startup, rate, counts, drift, power, cache } = law;
  const [size, from] = cache === null ? [] : 'size' in cache ? [cache.size] : [undefined, cache.counts];
  const out = [startup, rate, counts, drift, ...(power ?? [NaN, NaN]), size ?? NaN, from ?? NaN];
  putEstimate(out, whole);
  out.push(lawSize.value?.at ?? NaN);
  const [value = NaN, low = NaN, high = NaN, leaves, open, long] = ask('time', out);
  return { value, ci: [low, high], leavesCache: leaves === 1, isOpen: open === 1, isLong: long === 1 };
}

/** Writes `5.6 s (4.6–7.3)`; returns `null` if nothing was timed. */
function timePieces(whole: Estimate): Piece[] | null {
  const time = page.value.findings.answer?.time;
  if (!time) return null;
  const { value: then, ci } = timeThen(time, whole);
  const pieces: Piece[] = [
    ...(secondsDoubt(whole) === null ? [] : ['about ']),
    { as: 'strong', text: seconds(then) },
    ...interval(secondsEnds(then, ci)),
  ];
  if (time.elapsed_is !== 'as_processor') pieces.push(' of CPU time');
  if (time.elapsed_is === 'shorter') pieces.push(`, ${secondsAs(then * time.elapsed, then)} of wall time`);
  return pieces;
}

const timeKey = ({ name, file }: { name: string; file: string }) => `${file}\n${name}`;

/**
 * Returns each function's share of the time: in the longest sampled run, and at the target. `null` if the shares are
 * unknown.
 */
function timeShares(whole: Estimate): Map<string, [number, number]> | null {
  const { time, time_parts: parts } = page.value.findings.answer ?? {};
  if (!time || !parts) return null;
  const { functions } = page.value.findings;
  const out = [time.law.startup, parts.run.seconds, timeThen(time, whole).value];
  out.push(parts.counts, whole.cost, parts.size ?? NaN, lawSize.value?.at ?? NaN);
  putList(out, parts.rows, ({ share, counts, power }) => {
    const cost = counts && estimateNow(functions[counts.function])?.cost;
    out.push(share, counts ? (cost ?? NaN) / counts.cost : NaN, power ?? 0);
  });
  const then = ask('time_shares', out);
  const shares = parts.rows.map((part, i) => ({ part, then: then[i] ?? NaN }));
  const ofFunctions = shares.filter(({ part }) => part.kind === 'function');
  return new Map(ofFunctions.map(({ part, then }) => [timeKey(part), [part.share, then]]));
}

/** Returns the first doubt about the seconds at the target; `null` if they can be trusted or nothing was timed. */
export function secondsDoubt(whole: Estimate): string | null {
  const time = page.value.findings.answer?.time;
  if (!time) return null;
  const { leavesCache, isOpen } = timeThen(time, whole);
  const holds = (doubt: TimeDoubt) =>
    doubt === 'cache' ? leavesCache : doubt === 'undecided' ? isOpen : time.doubts.includes(doubt);
  return page.value.data.answer.seconds.find(({ doubt }) => holds(doubt))?.line ?? null;
}

/** Writes `8.2 GB (7.9–8.5) of heap at a.c:7 alone`; returns `null` if the memory of lines was not recorded. */
function heapPiece(): Piece | null {
  const { answer: said, memory_lines: lines } = page.value.findings;
  const holder = said?.memory_holder?.name;
  const most = lines?.find(({ name }) => name === holder)?.most;
  const estimate = most ? rowEstimate(most, target.value) : null;
  if (holder === undefined || !estimate) return null;
  const { cost, ci } = estimate;
  const written = [bytes(cost, 2), ci ? bytesEnds(cost, ci) : ''].filter((part) => part !== '').join(' ');
  return { as: 'strong', text: `${written} of heap at ${shorten(holder, FILE)} alone` };
}

/** Returns the peak of memory at the target; `null` if it is unknown. */
export function memoryThen(): Predicted | null {
  const memory = page.value.findings.answer?.memory;
  const place = lawSize.value;
  if (!memory || !place) return null;
  const { constant, per_unit: perUnit, per_power: perPower, exponent, bounds, known } = memory;
  const out = [constant, perUnit, perPower, exponent];
  for (const curves of bounds) putList(out, curves, (curve) => out.push(...curve));
  putList(out, known, (size) => out.push(...size));
  out.push(place.at);
  const [value = NaN, low = NaN, high = NaN] = ask('peak', out);
  return { value, ci: [low, high] };
}

/**
 * Writes `500 MB (450–560) of memory`, and warns if the machine may have less; returns `null` if the memory is unknown.
 */
function memoryPieces(): Piece[] | null {
  const memory = page.value.findings.answer?.memory;
  const then = memoryThen();
  if (!memory || !then) {
    const heap = heapPiece();
    return heap === null ? null : [heap];
  }
  const { value, ci } = then;
  const pieces: Piece[] = [
    ...(memory.doubts.length > 0 ? ['about '] : []),
    { as: 'strong', text: bytes(value, 2) },
    ...interval(bytesEnds(value, ci)),
    ' of memory',
  ];
  const machine = memory.machine_bytes;
  if (machine === null || ci[1] <= machine) return pieces;
  const compared = value <= machine ? 'may exceed' : 'more than';
  return [...pieces, ` (${compared} `, { as: 'strong', text: `the machine's ${bytes(machine, 2)}` }, ')'];
}

/** Lists the doubts about the time and the memory at the target, and the gaps in both, in sentences. */
export function predictionDoubts(whole: Estimate): string[] {
  const { data, findings } = page.value;
  const { time, memory } = findings.answer ?? {};
  const then = memoryThen();
  const isLong = time ? timeThen(time, whole).isLong : false;
  const exceeds = then !== null && then.value > (memory?.machine_bytes ?? Infinity);
  const sentences = [
    secondsDoubt(whole),
    data.answer.wall_time,
    isLong && lawSize.value ? data.answer.day : null,
    data.answer.memory_unknown,
    then ? data.answer.memory : null,
    exceeds ? data.answer.machine : null,
    data.answer.not_counted,
  ];
  return sentences.filter((sentence) => sentence !== null && sentence !== undefined);
}
