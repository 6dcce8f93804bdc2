/** Costs of laws at points. The module computes them; this file only writes laws as numbers. */

import { extended } from './columns';
import { ask, exports, receivePoint, sendPoint } from './module';
import type { Band, Interval, Law, LawFactor, LawSum, Outlook, PowerLawModel, Source } from './types';

/** A cost at a size, with its interval and its source. */
export type Estimate = Pick<Outlook, 'cost' | 'source'> & { ci: Interval | null };

/** A row with all that its predictions depend on. */
export interface Lawful {
  law: Law | null;
  band?: Band | null | undefined;
  /** Features with the size beyond which the row is not executed. */
  ends?: [string, number][] | undefined;
}

/** The origins of laws, and the kinds of factors, in the order of the module. */
const SOURCES: Source[] = ['class', 'classes', 'power_law', 'joint', 'sum_of_parts', 'largest_part'];
const KINDS = ['power', 'exponential', 'times_exponential', 'factorial', 'least', 'inverse'];

/** Writes a list as numbers. */
export function list<T>(items: readonly T[], numbers: (item: T, i: number) => readonly number[]): number[] {
  const all = [items.length];
  for (let i = 0; i < items.length; i++) {
    for (const number of numbers(items[i] as T, i)) all.push(number);
  }
  return all;
}

function ofFactor(factor: LawFactor): number[] {
  const kind = KINDS.indexOf(factor.kind);
  if (factor.kind === 'least') return [kind, ...factor.features, 0];
  const log = factor.kind === 'power' && factor.log ? 1 : 0;
  const value = 'exponent' in factor ? factor.exponent : 'base' in factor ? factor.base : 0;
  return [kind, factor.feature, value, log];
}

const ofSum = ({ weight, from = 0, terms }: LawSum) => [
  ...[weight, from],
  ...list(terms, ({ coefficient, factors }) => [coefficient, ...list(factors, ofFactor)]),
];

const ofLaw = (law: Law | null) => [
  SOURCES.indexOf(law?.source ?? 'class'),
  ...list(law?.parts ?? [], ({ sums }) => list(sums, ofSum)),
];

/** Writes a row as numbers, as `flat.rs` of the module reads them; `features` are those of its target. */
function ofRow({ law, band, ends }: Lawful, features: readonly string[]): number[] {
  return [
    ...list(law?.features ?? [], (name) => [features.indexOf(name)]),
    ...list(ends ?? [], ([name, until]) => [features.indexOf(name), until]),
    ...(band ? [...list(band.at, (at) => [at]), ...band.lo, ...band.hi] : [0]),
    ...ofLaw(law),
  ];
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

function idIn(
  ids: WeakMap<object, number>,
  key: object,
  numbers: () => number[],
  read: () => number,
): number {
  let id = ids.get(key);
  if (id === undefined) {
    sendPoint(numbers());
    ids.set(key, (id = read()));
  }
  return id;
}

const costAt = (id: number, point: readonly number[]): number | null => {
  sendPoint(point);
  const cost = exports.cost(id);
  return Number.isNaN(cost) ? null : cost;
};

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
export function lawAt(law: Law, point: readonly number[]): number | null {
  return costAt(
    idIn(laws, law, () => ofLaw(law), exports.law),
    point,
  );
}

/** Returns the cost of `a·n^b` at a size; `null` if that is not a positive number. */
export function powerAt(power: PowerLawModel, n: number): number | null {
  return costAt(
    idIn(laws, power, () => ofLaw(powerLaw(power)), exports.law),
    [n],
  );
}

/** Returns the value of a sum of terms at a size; `null` if that is not a positive number. */
export function sumAt(sum: LawSum, n: number): number | null {
  return costAt(
    idIn(laws, sum, () => ofLaw(lawOfSums([extended(sum, { weight: 1 })], 'n')), exports.law),
    [n],
  );
}

/** Returns the value of a term's factor at a size; `null` if that is not a positive number. */
export function factorAt(factor: LawFactor, n: number): number | null {
  return costAt(
    idIn(laws, factor, () => ofLaw(lawOfSums([term(1, factor)], 'n')), exports.law),
    [n],
  );
}

/** Sets the target of `outlookOf`; returns its position among the points of the analysis, or -1. */
export function aimAt(point: Point): number {
  sendPoint(valuesIn(point));
  return exports.target();
}

/** Returns the cost at the target; `row` is sent once for each `key`. */
export function outlookOf(key: object, row: () => Lawful): Estimate | null {
  return exports.outlook(idIn(rows, key, () => ofRow(row(), features), exports.row)) ? received() : null;
}

/** Returns the cost at values of the law's features. */
export function outlookAt(key: object, row: () => Lawful, point: readonly number[]): Estimate | null {
  const numbers = () => ofRow(row(), row().law?.features ?? []);
  const id = idIn(lines, key, numbers, exports.row);
  sendPoint(point);
  return exports.outlook_at(id) ? received() : null;
}

const received = () => estimateOf(receivePoint(4));

function estimateOf([cost = NaN, low = NaN, high = NaN, source = 0]: Iterable<number>): Estimate {
  return { cost, ci: Number.isNaN(low) ? null : [low, high], source: SOURCES[source] ?? 'class' };
}

/** Writes an estimate as numbers. */
export function ofEstimate(estimate: Estimate | null): number[] {
  if (!estimate) return [NaN, NaN, NaN, 0];
  return [estimate.cost, ...(estimate.ci ?? [NaN, NaN]), SOURCES.indexOf(estimate.source)];
}

/** Returns the estimate of a whole, which is never below that of one of its parts with a verdict. */
export function raised(whole: Estimate | null, parts: readonly (Estimate | null)[]): Estimate | null {
  return whole && estimateOf(ask('raise', [...ofEstimate(whole), ...list(parts, ofEstimate)]));
}

/** Returns a cost as a share of a whole, of which `part` is predicted. */
export const shareOf = (cost: number, part: number, whole: number) =>
  exports.share_of_whole(cost, part, whole);
