/** The order of rows: by any column, numbers within texts by their value, what is missing last. */

import type { Cell } from '../files/delimited';

export interface Sort {
  key: string;
  descending: boolean;
}

/** `cost` ascending, `-cost` descending; as addresses have it. */
export function parseSort(text: string): Sort {
  return text.startsWith('-') ? { key: text.slice(1), descending: true } : { key: text, descending: false };
}

export function writeSort({ key, descending }: Sort): string {
  return (descending ? '-' : '') + key;
}

/**
 * Positions of rows in the order of their [`ranks`]. Rows without a value come last whichever way; rows of equal value
 * stay in the order that they have.
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
 * A number per value that sorts as the value does, texts as their [`naturalKey`]s; NaN where there is none. Worth
 * keeping: of texts this takes several times as long as the order does.
 */
export function ranks(values: readonly Cell[]): Float64Array {
  const texts = new Map<string, number>();
  for (const v of values) if (typeof v === 'string') texts.set(v, 0);
  // Each different text once: thirty thousand locations lie in some hundred files.
  const keys = Array.from(texts.keys(), (text) => ({ text, key: naturalKey(text) }));
  keys.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  keys.forEach(({ text }, i) => texts.set(text, i));
  return Float64Array.from(values, (v) => {
    if (typeof v === 'string') return v === '' ? NaN : (texts.get(v) ?? NaN);
    return v === null ? NaN : clampInfinite(Number(v));
  });
}

/** Differences of infinities are NaN, which no order survives. */
function clampInfinite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE / 2), Number.MAX_VALUE / 2);
}

/** A text that sorts as people expect by plain comparison: no case, and `f9` before `f10`. */
export function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}
