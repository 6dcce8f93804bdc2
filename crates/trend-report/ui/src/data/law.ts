/** Costs of laws at points. The module computes them; this file only writes laws as numbers. */

import { extended } from './columns';
import { ask, exports, receivePoint, sendPoint } from './module';
import type { Band, Interval, Law, LawFactor, LawSum, Outlook, PowerLawModel, Source } from './types';

/** A cost at a size, with its interval and its source. */
export type Estimate = Pick<Outlook, 'cost' | 'source'> & { ci: Interval | null };

/** A row with all that its predictions depend on. */
export interface LawRow {
  law: Law | null;
  band?: Band | null | undefined;
  /** Features with the size beyond which the row is not executed. */
  ends?: [string, number][] | undefined;
}

/** The origins of laws, and the kinds of factors, in the order of the module. */
const SOURCES: Source[] = ['class', 'classes', 'power_law', 'joint', 'sum_of_parts', 'largest_part'];
const KINDS = ['power', 'exponential', 'times_exponential', 'factorial', 'least', 'inverse'];

/** Writes a list to `out`: its length, and then what `put` writes for each item. */
export function putList<T>(out: number[], items: readonly T[], put: (item: T, i: number) => void): void {
  out.push(items.length);
  for (let i = 0; i < items.length; i++) put(items[i] as T, i);
}

function putFactor(out: number[], factor: LawFactor): void {
  const kind = KINDS.indexOf(factor.kind);
  if (factor.kind === 'least') {
    out.push(kind, ...factor.features, 0);
    return;
  }
  const log = factor.kind === 'power' && factor.log ? 1 : 0;
  const value = 'exponent' in factor ? factor.exponent : 'base' in factor ? factor.base : 0;
  out.push(kind, factor.feature, value, log);
}

function putSum(out: number[], { weight, from = 0, terms }: LawSum): void {
  out.push(weight, from);
  putList(out, terms, ({ coefficient, factors }) => {
    out.push(coefficient);
    putList(out, factors, (factor) => putFactor(out, factor));
  });
}

function putLaw(out: number[], law: Law | null): void {
  out.push(SOURCES.indexOf(law?.source ?? 'class'));
  putList(out, law?.parts ?? [], ({ sums }) => putList(out, sums, (sum) => putSum(out, sum)));
}

/** Writes a row to `out`, as `flat.rs` of the module reads it; `names` are the features of its target. */
function putRow(
  out: number[],
  { law, band, ends }: LawRow,
  names: readonly string[] = law?.features ?? [],
): void {
  putList(out, law?.features ?? [], (name) => out.push(names.indexOf(name)));
  putList(out, ends ?? [], ([name, until]) => out.push(names.indexOf(name), until));
  out.push(band?.at.length ?? 0);
  if (band) out.push(...band.at, ...band.lo, ...band.hi);
  putLaw(out, law);
}

/** Ids in the module, by the objects that were sent. */
let laws = new WeakMap<object, number>();
let rows = new WeakMap<object, number>();
let lines = new WeakMap<object, number>();

/** Features of the study. */
let features: readonly string[] = [];

type Point = readonly { feature: string; at: number }[];

const valuesIn = (point: Point) =>
  features.map((name) => point.find((value) => value.feature === name)?.at ?? NaN);

/** Begins a study with these features; `points` are those of the analysis. */
export function begin(names: readonly string[], points: readonly Point[]): void {
  [laws, rows, lines] = [new WeakMap(), new WeakMap(), new WeakMap()];
  features = names;
  sendPoint(points.flatMap(valuesIn));
  exports.begin(names.length);
}

/** Returns the module's id for the numbers that `put` writes. They are sent only once for each `key`. */
function idIn(
  ids: WeakMap<object, number>,
  key: object,
  put: (out: number[]) => void,
  read: () => number,
): number {
  let id = ids.get(key);
  if (id === undefined) {
    const out: number[] = [];
    put(out);
    sendPoint(out);
    ids.set(key, (id = read()));
  }
  return id;
}

/** Returns the cost by a law; `null` if it is not a positive number. The law is sent only once for each `key`. */
function costAt(key: object, law: () => Law, point: readonly number[]): number | null {
  const id = idIn(laws, key, (out) => putLaw(out, law()), exports.law);
  sendPoint(point);
  const cost = exports.cost(id);
  return Number.isNaN(cost) ? null : cost;
}

/** Returns a law of these sums. */
export function lawOfSums(sums: LawSum[], feature: string, source: Source = 'class'): Law {
  return { source, decided: true, features: [feature], formula: '', parts: [{ sums }] };
}

const term = (coefficient: number, factor: LawFactor): LawSum => ({
  weight: 1,
  terms: [{ coefficient, factors: [factor] }],
});

/** Returns the law `a·n^b`. */
export function powerLaw({ a, b }: Pick<PowerLawModel, 'a' | 'b'>, feature = 'n'): Law {
  const power = { kind: 'power', feature: 0, exponent: b, log: false } as const;
  return lawOfSums([term(a, power)], feature, 'power_law');
}

/** Returns the law's cost at a point, one value per feature; `null` if that is not a positive number. */
export const lawAt = (law: Law, point: readonly number[]) => costAt(law, () => law, point);

/** Returns the cost of `a·n^b` at a size; `null` if that is not a positive number. */
export const powerAt = (power: PowerLawModel, n: number) => costAt(power, () => powerLaw(power), [n]);

/** Returns the value of a sum of terms at a size; `null` if that is not a positive number. */
export const sumAt = (sum: LawSum, n: number) =>
  costAt(sum, () => lawOfSums([extended(sum, { weight: 1 })], 'n'), [n]);

/** Returns the value of a term's factor at a size; `null` if that is not a positive number. */
export const factorAt = (factor: LawFactor, n: number) =>
  costAt(factor, () => lawOfSums([term(1, factor)], 'n'), [n]);

/** Sets the target of `outlookOf`; returns its position among the points of the analysis, or -1. */
export function aimAt(point: Point): number {
  sendPoint(valuesIn(point));
  return exports.target();
}

/** Sends a row to the module, unless it is there; returns its id. */
export const sendRow = (row: LawRow) => idIn(rows, row, (out) => putRow(out, row, features), exports.row);

/** Returns the cost at the target. */
export function outlookOf(row: LawRow): Estimate | null {
  return exports.outlook(sendRow(row)) ? received() : null;
}

/** Returns the cost at values of the law's features. */
export function outlookAt(key: object, row: () => LawRow, point: readonly number[]): Estimate | null {
  const id = idIn(lines, key, (out) => putRow(out, row()), exports.row);
  sendPoint(point);
  return exports.outlook_at(id) ? received() : null;
}

const received = () => estimateOf(receivePoint(4));

function estimateOf(numbers: ArrayLike<number>): Estimate {
  // Destructuring would go through an iterator, which takes several times as long.
  const cost = numbers[0] ?? NaN;
  const low = numbers[1] ?? NaN;
  const high = numbers[2] ?? NaN;
  const source = numbers[3] ?? 0;
  return { cost, ci: Number.isNaN(low) ? null : [low, high], source: SOURCES[source] ?? 'class' };
}

/** Writes an estimate to `out`. */
export function putEstimate(out: number[], estimate: Estimate | null): void {
  const { cost = NaN, ci, source = 'class' } = estimate ?? {};
  out.push(cost, ...(ci ?? [NaN, NaN]), SOURCES.indexOf(source));
}

/** Returns the estimate of a whole, which is never below that of one of its parts with a verdict. */
export const raised = (whole: Estimate | null, parts: readonly (Estimate | null)[]) =>
  withParts('raise', whole, parts);

/** Returns the estimate of a cluster, with an interval that includes the estimates of the functions in it. */
export const widened = (cluster: Estimate | null, functions: readonly (Estimate | null)[]) =>
  withParts('widen', cluster, functions);

function withParts(question: 'raise' | 'widen', whole: Estimate | null, parts: readonly (Estimate | null)[]) {
  if (!whole) return null;
  const out: number[] = [];
  putEstimate(out, whole);
  putList(out, parts, (part) => putEstimate(out, part));
  return estimateOf(ask(question, out));
}

/** Returns a cost as a share of a whole, of which `part` is predicted. */
export const shareOf = (cost: number, part: number, whole: number) =>
  exports.share_of_whole(cost, part, whole);
