/**
 * Splits the program into its most expensive functions at the target and all others. Draws their laws as curves in
 * three views (cost ÷ size, cost, share of the whole) and reads values off them.
 */

import { computed } from '@preact/signals';

import { type Estimate, raised, shareOf } from '../data/law';
import { sizesBetween } from '../data/models';
import type { Subject } from '../data/page';
import { rowEstimate, shown, type Shown } from '../data/predict';
import type { Cluster, Interval, Row } from '../data/types';
import { cost, costEnds, featureSize, grouped, predicted, roundSize, share } from '../format/number';
import { shorten } from '../format/text';
import { answer, wholeThen } from './answer';
import { logTicks, type Range, readRange, scale, type Scale } from '../plot/scale';
import { givenText, moved, page, type Place, target, targetWith, usualTarget } from '../state/state';

export type ViewName = 'per' | 'total' | 'share';

/** A law at several sizes, with the measured points. */
export interface Curve {
  /** The part that the curve shows; `null` for the whole. */
  part: Part | null;
  name: string;
  mark: number;
  /** Version of a compared program; "before" is hollow and dashed. */
  side?: 'before' | 'after' | undefined;
  decided: boolean;
  /** Returns the law's estimate at a size. */
  at: (n: number) => Estimate | null;
  /** Formats a cost with as many digits as its interval supports; in a comparison, with as many as its sentence has. */
  text?: (estimate: Estimate) => string;
  points: { x: number; y: number; ci: Interval | null }[];
  measured: [number, number][];
}

/** Returns the sizes at which laws are drawn: within the runs, and beyond them. */
export function sizes({ from, largest, to }: Pick<Extent, 'from' | 'largest' | 'to'>): number[] {
  if (from >= largest) return sizesBetween([from, to], 40);
  const run = sizesBetween([from, Math.min(largest, to)], 40);
  return to > largest ? [...run, ...sizesBetween([largest, to], 16).slice(1)] : run;
}

/** Above this ratio of the largest to the smallest value, an axis from 0 shows only the largest. */
const MOST_SPREAD = 50;

/** Functions with a smaller share, now and at the target, do not matter. Their curves do not stretch the axis. */
const LEAST_SHARE = 1e-5;

const isTiny = (part: Part | null) =>
  part !== null && Math.max(part.shareNow, part.shareThen ?? 0) < LEAST_SHARE;

/** Returns a vertical axis that shows all curves, except those too low to matter. */
export function upright(view: ViewName, all: readonly Omit<Curve, 'at'>[], range: Range): Scale {
  if (view === 'share') return scale('linear', [0, 1], range);
  const curves = all.filter((curve) => !isTiny(curve.part));
  const drawn = curves.flatMap((curve) => curve.points.map((p) => p.y)).filter((y) => y > 0);
  const seen = [
    ...drawn,
    ...curves.flatMap((curve) => curve.measured.map(([, y]) => y)).filter((y) => y > 0),
  ];
  const [least, most] = [Math.min(...seen), Math.max(...seen)];
  if (!(least < Infinity)) return scale('linear', [0, 1], range);
  if (view === 'total' || Math.max(...drawn) / Math.min(...drawn) > MOST_SPREAD) {
    return scale('log', [least / 1.3, most * 1.3], range);
  }
  // Includes the intervals of undecided laws, unless they would flatten the rest.
  const ends = curves.flatMap((c) => (c.decided ? [] : c.points.map((p) => p.ci?.[1] ?? 0)));
  return scale('linear', [0, Math.max(most, Math.min(Math.max(0, ...ends), 3 * most)) * 1.06], range);
}

/** Returns powers of ten, or 1, 2 and 5 times these if there are few. */
export function across(domain: Range, room: number): number[] {
  return logTicks(domain, Math.max(Math.floor(room / 64), 2)).slice(0, 7);
}

/**
 * Returns the size from which the first costs most. Returns `null` if it already does at `from`, or does not up to
 * `to`.
 */
export function overtakesAt(
  costs: (at: number) => (number | null)[],
  from: number,
  to: number,
): number | null {
  const leads = (at: number) => {
    const [first = null, ...others] = costs(at);
    return first !== null && others.every((cost) => (cost ?? 0) <= first);
  };
  if (leads(from) || !leads(to)) return null;
  let [low, high] = [from, to];
  for (let i = 0; i < 40; i++) {
    const middle = Math.sqrt(low * high);
    if (leads(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The x-range of a chart: a feature, its smallest and largest measured sizes, the target, and the drawing's end. */
export interface Extent {
  feature: string;
  at: number;
  from: number;
  largest: number;
  to: number;
  /** True if the reader zoomed in. */
  isZoomed: boolean;
}

/** Returns the x-range of a chart with runs of sizes from one to another; `null` if all have one size. */
export function extentOf(feature: string, at: number, runs: Range | null): Extent | null {
  const [from, largest] = runs ?? [0, 0];
  return from < largest
    ? { feature, at, from, largest, to: Math.max(at, largest * 1.3) * 1.06, isZoomed: false }
    : null;
}

/** Returns the extent, narrowed to `zoom`, such as `n:100,2000`. */
export function zoomed(extent: Extent, zoom: string | null): Extent {
  const prefix = `${extent.feature}:`;
  const range = zoom?.startsWith(prefix) ? readRange('log', zoom.slice(prefix.length)) : null;
  return range ? { ...extent, from: range[0], to: range[1], isZoomed: true } : extent;
}

/** Returns the laws and the measured points in the units of a view. */
export function curvesOf(name: ViewName, feature: string, at: number[]): Curve[] {
  const x = page.value.featureValues(feature);
  const totals = page.value.findings.total.costs ?? [];
  const points = at.map((n) => ({ n, point: targetWith(feature, n) }));
  const wholes = points.map(({ point }) => wholeAt(point)?.cost ?? NaN);
  const curve = (part: Pick<Part, 'name' | 'mark' | 'decided' | 'at' | 'costs'>): Curve => ({
    part: 'subject' in part ? (part as Part) : null,
    name: part.name,
    mark: part.mark,
    decided: part.decided,
    at: (n) => part.at(targetWith(feature, n)),
    points: points.flatMap(({ n, point }, i) => {
      const found = part.at(point);
      return found ? [{ x: n, ...shownAs(name, n, found, wholes[i] ?? NaN) }] : [];
    }),
    measured: (part.costs ?? []).flatMap((cost, w): [number, number][] => {
      const n = x[w] ?? 0;
      const y = name === 'per' ? cost / n : name === 'share' ? cost / (totals[w] ?? NaN) : cost;
      return n > 0 && cost > 0 ? [[n, y]] : [];
    }),
  });
  const whole = { name: 'whole program', mark: -1, decided: false, costs: totals, at: wholeAt };
  const curves = [...(name === 'total' ? [whole] : []), ...parts.value].map(curve);
  // The line of all other functions is left out if it is unknown or too low to matter.
  return curves.filter(({ part, points }) => part?.subject !== null || (points.length > 0 && !isTiny(part)));
}

function shownAs(name: ViewName, n: number, { cost, ci }: Estimate, whole: number) {
  const as = (v: number) => (name === 'per' ? v / n : name === 'share' ? shareOf(v, cost, whole) : v);
  return { y: as(cost), ci: ci && ([as(ci[0]), as(ci[1])] as [number, number]) };
}

/**
 * Returns a label's texts: the value at the given size, and the interval if the law is undecided or `always` is set.
 */
export function valueAt(
  curve: Curve,
  name: ViewName,
  at: number,
  always: boolean,
): [value: string, interval: string] {
  const found = curve.at(at);
  if (!found) return ['–', ''];
  const whole = name === 'share' ? wholeAt(targetWith(moved.value?.feature ?? '', at))?.cost : undefined;
  const { y, ci } = shownAs(name, at, found, whole ?? NaN);
  const interval = ci && (always || !curve.decided) ? ci : null;
  if (name === 'share') {
    const [low, high] = (interval ?? []).map(share);
    return [share(y), low === high ? '' : `(${(low ?? '').replace(/\s%$/, '')}–${high ?? ''})`];
  }
  const value = name === 'total' ? (curve.text ?? predicted)(found) : cost(y);
  return [value, costEnds(interval)];
}

/** Returns all values as one text for screen readers. */
export function readOut(curves: Curve[], name: ViewName, feature: string, at: number): string {
  const values = curves.map((curve) => `${shorten(curve.name, 30)} ${valueAt(curve, name, at, false)[0]}`);
  return `at ${roundSize(feature, at)}: ${values.join(', ')}`;
}

/** Returns the sizes of failed runs within the drawing. */
export function failedAt({ feature, from, to }: Extent): number[] {
  const { failures } = page.value.findings.workloads;
  const at = failures.map((failure) => failure.values[page.value.featureIndex.get(feature) ?? -1] ?? NaN);
  return at.filter((n) => n >= from && n <= to);
}

/** Number of functions shown: as many as a reader can tell apart. */
const MOST = 5;

/** The numbers of a row of a table: its cost and its share of the whole, now and at the target. */
export interface Numbers {
  /** The row's model and prediction; `null` in the row of all other functions. */
  outlook: Shown | null;
  /** Cost in the largest run, by the laws. */
  now: number;
  shareNow: number;
  then: Estimate | null;
  shareThen: number | null;
  /** True if its growth is decided. Charts show the intervals of the others. */
  decided: boolean;
  /** Number of its mark and colour, 1 to 5; 0 without a mark. */
  mark: number;
}

/** Returns true if a prediction has an interval without width. A cost that never varies has one, but no decided law. */
const isExact = (then: Estimate | null) => then !== null && then.ci !== null && then.ci[0] >= then.ci[1];

/** Returns the numbers of a row of the findings. */
export function numbersOf(row: Row | Cluster, mark: number): Numbers {
  const [outlook, then, whole] = [shown(row), rowEstimate(row, target.value), wholeThen.value];
  return {
    ...{ outlook, then, mark, now: row.share_now * wholeNow(), shareNow: row.share_now },
    shareThen: then && whole && shareOf(then.cost, then.cost, whole.cost),
    decided: isExact(then) || (outlook?.joint?.law.decided ?? row.law?.decided ?? true),
  };
}

export interface Part extends Numbers {
  /** The function; `null` in the row of all other functions. */
  subject: Subject | null;
  name: string;
  /** The line to look at, in the function's file. */
  line: number;
  /** Returns its cost at a point. */
  at: (point: readonly Place[]) => Estimate | null;
  /** `[workloads]`; absent if the page does not carry the costs. */
  costs: readonly number[] | undefined;
}

/** Returns the functions by falling cost at a point. */
function ranked(point: readonly Place[]): number[] {
  const costs = page.value.findings.functions.map((row) => rowEstimate(row, point)?.cost ?? -1);
  const known = [...costs.keys()].filter((i) => (costs[i] ?? 0) > 0);
  return known.sort((a, b) => (costs[b] ?? 0) - (costs[a] ?? 0) || a - b);
}

/** The most expensive functions at the default target. They keep their marks when the target moves. */
const usual = computed(() => ranked(usualTarget.value).slice(0, MOST));

/** The most expensive functions at the target, by falling cost. */
const largest = computed(() => ranked(target.value).slice(0, MOST));

/** The function that the answer names, unless it is one of the most expensive ones. */
export const smaller = computed(() => {
  const named = answer.value?.named?.candidate.function;
  return named === undefined || largest.value.includes(named) ? null : named;
});

/** The five functions that the overview draws: the most expensive ones, and always the one that the answer names. */
const chosen = computed(() =>
  smaller.value === null ? largest.value : [...largest.value.slice(0, MOST - 1), smaller.value],
);

/** Formats the size of the largest run: `at 51.0 MB`. */
export function sizeNow(): string {
  const { total, answer } = page.value.findings;
  const costs = total.costs ?? [];
  const run = answer?.run_now ?? costs.indexOf(Math.max(...costs));
  const { feature } = moved.value ?? { feature: '' };
  const at = page.value.featureValues(feature)[run] ?? null;
  return at === null ? 'most expensive run' : `at ${featureSize(feature, at)}`;
}

/** Formats the target for a heading: `510 MB`, or each given size if there are several features. */
export function sizeThen(): string {
  const { feature, at } = moved.value ?? { feature: '', at: NaN };
  return page.value.findings.features.length === 1 ? featureSize(feature, at) : givenText();
}

/** Returns the cost of the whole program today: in the largest run, by its law if it has one. */
export function wholeNow(): number {
  const { answer, total } = page.value.findings;
  return answer?.whole_now ?? total.max_cost;
}

/**
 * The functions that the overview does not draw, and the sum of their laws. The points of a chart are computed once.
 */
const hiddenRows = computed(() => {
  const rows = page.value.findings.functions.filter((_, i) => !chosen.value.includes(i));
  const known = new Map<string, Estimate | null>();
  const sum = (point: readonly Place[]) => {
    const key = point.map(({ at }) => at).join(' ');
    const estimate = known.get(key) ?? sumOf(rows, point);
    known.set(key, estimate);
    return estimate;
  };
  return { rows, sum };
});

export const parts = computed<Part[]>(() => {
  const { findings, functions } = page.value;
  const { total } = findings;
  const free = [1, 2, 3, 4, 5].filter((mark) => !chosen.value.includes(usual.value[mark - 1] ?? -1));
  const whole = wholeThen.value;
  const named = chosen.value.flatMap((i): Part[] => {
    const subject = functions[i];
    if (!subject) return [];
    const { row, title: name } = subject;
    return [
      {
        ...numbersOf(row, usual.value.indexOf(i) + 1 || (free.shift() ?? 0)),
        ...{ subject, name, costs: row.costs, line: subject.line },
        at: (point) => rowEstimate(row, point),
      },
    ];
  });
  const others = functions.length - named.length;
  if (others <= 0) return named;
  const { rows: hidden, sum } = hiddenRows.value;
  const isSum = named.every(isSummand);
  const shareNow = isSum
    ? Math.max(1 - named.reduce((sum, part) => sum + part.shareNow, 0), 0)
    : hidden.reduce((sum, row) => sum + row.share_now, 0);
  const at = (point: readonly Place[]) => (isSum ? remainderOf(named, point) : sum(point));
  const costs = total.costs?.map((cost, w) =>
    named.reduce((rest, part) => rest - (part.costs?.[w] ?? NaN), cost),
  );
  const then = at(target.value);
  const rest: Part = {
    ...{ subject: null, line: 0, mark: 0, outlook: null, then, shareNow, decided: true, at, costs },
    name: others === 1 ? '1 other function' : `${grouped(others)} other functions`,
    now: shareNow * wholeNow(),
    shareThen: then && whole && shareOf(then.cost, then.cost, whole.cost),
  };
  return [...named, rest];
});

/** Returns true if the law of the whole program is a sum that contains the function's law. */
function isSummand({ subject }: Part): boolean {
  const { law } = page.value.findings.total;
  return law?.source === 'sum_of_parts' && law.parts.some(({ part }) => part === subject?.name);
}

/** Returns the law of the whole program at a point minus the laws of the summands: the sum of its other laws. */
function remainderOf(summands: readonly Part[], point: readonly Place[]): Estimate | null {
  const whole = rowEstimate(page.value.findings.total, point);
  const cost = summands.reduce((rest, part) => rest - (part.at(point)?.cost ?? NaN), whole?.cost ?? NaN);
  return cost > 0 ? { cost, ci: null, source: 'sum_of_parts' } : null;
}

/** Returns the sum of the rows' laws, where they are positive; `null` if a row that matters has no law. */
function sumOf(rows: readonly Row[], point: readonly Place[]): Estimate | null {
  if (rows.some((row) => !row.law && row.share_now >= LEAST_SHARE)) return null;
  const cost = rows.reduce((sum, row) => sum + (rowEstimate(row, point)?.cost ?? 0), 0);
  return cost > 0 ? { cost, ci: null, source: 'sum_of_parts' } : null;
}

/** Returns the number of a function's mark; 0 without a mark. */
export const markOf = (subject: Subject) => parts.value.find((part) => part.subject === subject)?.mark ?? 0;

/** Returns the style in which drawings about a function have the colour of its mark. Clusters have no marks. */
export function coloursOf(subject: Subject | undefined) {
  if (subject?.kind !== 'function') return {};
  const mark = markOf(subject);
  return mark === 1 ? {} : { '--c1': `var(--c${mark})` };
}

/** Returns true for the function that the answer names. */
export const isNamed = ({ subject }: Part) =>
  subject !== null && subject.id === answer.value?.named?.subject.id;

/** The relative difference between the sum of the parts' laws and the law of the whole; 0 if that is unknown. */
export const gap = computed(() => {
  const whole = parts.value.every((part) => part.then) ? (wholeThen.value?.cost ?? 0) : 0;
  const sum = parts.value.reduce((sum, part) => sum + (part.then?.cost ?? 0), 0);
  return whole > 0 ? sum / whole - 1 : 0;
});

/**
 * Returns the cost of the whole program at a point of a chart. In several features it is at least the cost of each
 * function shown.
 */
function wholeAt(point: readonly Place[]): Estimate | null {
  if (point === target.value) return wholeThen.value;
  const named = parts.value.filter((part) => part.subject).map((part) => part.at(point));
  return wholeOf(point, named);
}

function wholeOf(point: readonly Place[], named: readonly (Estimate | null)[]): Estimate | null {
  const { features, total } = page.value.findings;
  const whole = rowEstimate(total, point);
  return features.length < 2 ? whole : raised(whole, named);
}
