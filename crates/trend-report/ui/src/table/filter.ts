/** What people type to narrow a table: words, and ranges such as `1.5..2`. */

import { parseQuantity } from '../format/quantity';

/** A test of rows by one typed text; `matches` is `null` where the text asks for nothing. */
export interface Condition<V> {
  matches: ((value: V) => boolean) | null;
  /** Why the text cannot be used; the table is then not narrowed by it. */
  error: string | null;
}

/** Words that all must occur, whatever their case. */
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

/** `2` = at least 2, `..5` = at most 5, `2..5` = between. Numbers may have units: `10k`; percentages a sign. */
export function rangeCondition(typed: string, percent = false): Condition<number | null> {
  if (typed.trim() === '') return { matches: null, error: null };
  const range = rangeOf(typed, percent);
  if (!range) return { matches: null, error: 'a number, or a range such as 1.5..2' };
  const [min, max] = range;
  return { matches: (value) => value !== null && value >= min && value <= max, error: null };
}

/** The ends of a typed range; `null` where it is none. */
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
