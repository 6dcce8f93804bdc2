/** Filters and sorts tables by typed text: words, and ranges such as `1.5..2`. Pure. */

import type { Cell } from '../files/delimited';
import { parseQuantity } from '../format/number';

/** A filter with a field of its own. */
export type Filter<T> = {
  /** Key of the filter in addresses. */
  key: string;
  label: string;
  hint?: string;
} & (
  | { kind: 'text'; value: (row: T) => string }
  /** A minimum or a range of numbers. With `percent`, 5 means 0.05. */
  | { kind: 'range'; percent?: boolean; value: (row: T) => number | null }
);

/** A named filter of rows. */
export interface Chip<T> {
  key: string;
  label: string;
  /** Explanation on hover. */
  hint?: string;
  keeps: (row: T) => boolean;
}

export interface Narrowed {
  /** True for each row that passes. */
  kept: boolean[];
  /** Error message of each unusable filter, by its key. */
  errors: Map<string, string>;
}

/** Returns the rows that pass the text `q`, the typed filters (by key) and the chip. */
export function narrow<T>(
  rows: readonly T[],
  texts: readonly string[],
  q: string,
  filters: readonly Filter<T>[],
  typed: (key: string) => string,
  chip: Chip<T> | undefined,
): Narrowed {
  const errors = new Map<string, string>();
  const tests: ((row: T, i: number) => boolean)[] = [];
  if (chip) tests.push(chip.keeps);
  const add = <V>(key: string, { matches, error }: Condition<V>, value: (row: T, i: number) => V) => {
    if (error !== null) errors.set(key, error);
    if (matches) tests.push((row, i) => matches(value(row, i)));
  };
  for (const filter of filters) {
    const text = typed(filter.key);
    if (filter.kind === 'text') add(filter.key, textCondition(text), filter.value);
    else add(filter.key, rangeCondition(text, filter.percent), filter.value);
  }
  add('q', textCondition(q), (_, i) => texts[i] ?? '');
  return { kept: rows.map((row, i) => tests.every((test) => test(row, i))), errors };
}

/** A test of rows by one typed text; `matches` is `null` if the text sets no condition. */
interface Condition<V> {
  matches: ((value: V) => boolean) | null;
  /** The reason why the text is unusable; it then filters nothing. */
  error: string | null;
}

/** Requires all words to occur, ignoring case. */
export function textCondition(typed: string): Condition<string> {
  const text = typed.trim().toLowerCase();
  if (text === '') return { matches: null, error: null };
  const words = text.split(/\s+/);
  return {
    matches: (value) => {
      const lower = value.toLowerCase();
      return words.every((word) => lower.includes(word));
    },
    error: null,
  };
}

/**
 * Parses a range: `2` = at least 2, `..5` = at most 5, `2..5` = between. Numbers may have units (`10k`), percentages a
 * sign.
 */
export function rangeCondition(typed: string, percent = false): Condition<number | null> {
  if (typed.trim() === '') return { matches: null, error: null };
  const range = rangeOf(typed, percent);
  if (!range) return { matches: null, error: 'a number, or a range such as 1.5..2' };
  const [min, max] = range;
  return { matches: (value) => value !== null && value >= min && value <= max, error: null };
}

/** Returns the ends of a typed range; `null` if the text is not a range. */
export function rangeOf(typed: string, percent = false): [number, number] | null {
  const text = typed.trim();
  const dots = text.indexOf('..');
  const lo = dots < 0 ? text : text.slice(0, dots);
  const hi = dots < 0 ? '' : text.slice(dots + 2);
  const min = lo.trim() === '' ? -Infinity : bound(lo, percent);
  const max = hi.trim() === '' ? Infinity : bound(hi, percent);
  return min === null || max === null || (min === -Infinity && max === Infinity) ? null : [min, max];
}

function bound(text: string, percent: boolean): number | null {
  const bare = percent ? text.replace(/\s*%\s*$/, '') : text;
  const plain = Number(bare.replace('−', '-'));
  const value = bare.trim() !== '' && Number.isFinite(plain) ? plain : parseQuantity(bare);
  return value === null ? null : percent ? value / 100 : value;
}

export interface Sort {
  key: string;
  descending: boolean;
}

/** Parses a sort order as written in addresses: `cost` ascending, `-cost` descending. */
export function parseSort(text: string): Sort {
  return text.startsWith('-') ? { key: text.slice(1), descending: true } : { key: text, descending: false };
}

export function writeSort({ key, descending }: Sort): string {
  return (descending ? '-' : '') + key;
}

/**
 * Returns the positions of rows in the order of their [`ranks`]. Rows without a value come last in both directions;
 * rows of equal value keep their order.
 *
 * - Time: O(n log n)
 */
export function order(ranks: Float64Array, descending: boolean): number[] {
  const present: number[] = [];
  const missing: number[] = [];
  for (let i = 0; i < ranks.length; i++) (Number.isNaN(ranks[i]) ? missing : present).push(i);
  const rank = (i: number) => ranks[i] ?? 0;
  present.sort(descending ? (a, b) => rank(b) - rank(a) || a - b : (a, b) => rank(a) - rank(b) || a - b);
  return present.concat(missing);
}

/**
 * Returns a number per value that sorts like the value, texts by their [`naturalKey`]; NaN for a missing value. Worth
 * caching: for texts this takes several times as long as sorting by the result.
 */
export function ranks(values: readonly Cell[]): Float64Array {
  const texts = new Map<string, number>();
  for (const v of values) if (typeof v === 'string') texts.set(v, 0);
  // Ranks each distinct text once: thirty thousand locations lie in some hundred files.
  const keys = Array.from(texts.keys(), (text) => ({ text, key: naturalKey(text) }));
  keys.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  keys.forEach(({ text }, i) => texts.set(text, i));
  return Float64Array.from(values, (v) => {
    if (typeof v === 'string') return v === '' ? NaN : (texts.get(v) ?? NaN);
    return v === null ? NaN : clampInfinite(Number(v));
  });
}

/** Replaces infinities by large numbers: their difference would be NaN, which breaks sorting. */
function clampInfinite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE / 2), Number.MAX_VALUE / 2);
}

/** Returns a key whose plain comparison sorts as people expect: ignoring case, and `f9` before `f10`. */
export function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}
