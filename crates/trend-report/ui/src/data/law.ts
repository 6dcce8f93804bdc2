/** Costs of laws at points. They are computed by the module, see `module.ts`. */

import { exports, receivePoint, send, sendPoint, text } from './module';
import type { Band, Interval, Law, LawFactor, LawSum, Outlook, PowerLawModel, Source } from './types';

/** A cost at a size, with its interval and its source. */
export type Estimate = Pick<Outlook, 'cost' | 'source'> & { ci: Interval | null };

/** A law with all that its predictions depend on. */
export interface Lawful {
  law: Law | null;
  band?: Band | null | undefined;
  /** Features with the size beyond which the row is not executed. */
  ends?: [string, number][] | undefined;
  /** Predictions at the points of the analysis. */
  outlooks?: (Outlook | null)[];
}

/** Ids in the module, by the objects that were sent. */
let laws = new WeakMap<object, number>();
let rows = new WeakMap<object, number>();

/** Begins a study with these features; `points` are those at which rows have outlooks. */
export function begin(features: string[], points: readonly { values: unknown }[]): void {
  [laws, rows] = [new WeakMap(), new WeakMap()];
  send({ features, points: points.map(({ values }) => values) });
  exports.begin();
}

function idIn(ids: WeakMap<object, number>, key: object, value: () => unknown, read: () => number): number {
  let id = ids.get(key);
  if (id === undefined) {
    send(value());
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
    idIn(laws, law, () => law, exports.law),
    point,
  );
}

/** Returns the cost of `a·n^b` at a size; `null` if that is not a positive number. */
export function powerAt(power: PowerLawModel, n: number): number | null {
  return costAt(
    idIn(laws, power, () => powerLaw(power), exports.law),
    [n],
  );
}

/** Returns the value of a sum of terms at a size; `null` if that is not a positive number. */
export function sumAt(sum: LawSum, n: number): number | null {
  return costAt(
    idIn(laws, sum, () => lawOfSums([{ ...sum, weight: 1 }], 'n'), exports.law),
    [n],
  );
}

/** Returns the value of a term's factor at a size; `null` if that is not a positive number. */
export function factorAt(factor: LawFactor, n: number): number | null {
  return costAt(
    idIn(laws, factor, () => lawOfSums([term(1, factor)], 'n'), exports.law),
    [n],
  );
}

/** Sets the target of `outlookOf`: a value per feature of the study, `NaN` for those that have none. */
export function aimAt(values: readonly number[]): void {
  sendPoint(values);
  exports.target();
}

/** Returns the cost at the target; `row` is sent once for each `key`. */
export function outlookOf(key: object, row: () => Lawful): Estimate | null {
  return exports.outlook(idIn(rows, key, row, exports.row)) ? received() : null;
}

/** Returns the cost at values of the law's features. */
export function outlookAt(key: object, row: () => Lawful, point: readonly number[]): Estimate | null {
  const id = idIn(rows, key, row, exports.row);
  sendPoint(point);
  return exports.outlook_at(id) ? received() : null;
}

function received(): Estimate {
  const [cost = NaN, low = NaN, high = NaN, source = 0] = receivePoint(4);
  return { cost, ci: Number.isNaN(low) ? null : [low, high], source: sourceOf(source) };
}

const sources: Source[] = [];

const sourceOf = (index: number): Source => (sources[index] ??= JSON.parse(text('source', index)) as Source);
