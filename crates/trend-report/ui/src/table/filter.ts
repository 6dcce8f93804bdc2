/** What people type to narrow a table: words, `/a regular expression/`, and ranges such as `1.5..2`. */

import { parseQuantity } from '../format/quantity';
import { whyForever } from './pattern';

/**
 * Patterns look at so many characters of a row: names may have ten thousand, and what a pattern takes grows faster
 * than the text. Words look at all of it.
 */
const PATTERN_REACH = 300;

/** What a pattern may take for all rows together. */
const PATTERN_MS = 1000;

/** A pattern has taken too long; thrown by `matches`. */
export class TooSlow extends Error {
  constructor() {
    super('could take forever: gave up after a second');
  }
}

/** A test of rows by one typed text; `matches` is `null` where the text asks for nothing, and may throw [`TooSlow`]. */
export interface Condition<V> {
  matches: ((value: V) => boolean) | null;
  /** Why the text cannot be used; the table is then not narrowed by it. */
  error: string | null;
}

/** Words that all must occur, whatever their case; or `/pattern/flags`. */
export function textCondition(typed: string): Condition<string> {
  const text = typed.trim();
  if (text === '') return { matches: null, error: null };
  const pattern = /^\/(.+)\/([a-z]*)$/s.exec(text);
  if (pattern) return patternCondition(pattern[1] ?? '', pattern[2] ?? '');
  const words = text.toLowerCase().split(/\s+/);
  return {
    matches: (value) => {
      const lower = value.toLowerCase();
      return words.every((word) => lower.includes(word));
    },
    error: null,
  };
}

function patternCondition(source: string, flags: string): Condition<string> {
  if (/[^imsu]/.test(flags)) return { matches: null, error: 'flags are i, m, s and u' };
  try {
    const pattern = new RegExp(source, flags);
    const why = whyForever(source);
    if (why !== null) return { matches: null, error: `could take forever: ${why}` };
    let spent = 0;
    const matches = (value: string) => {
      if (spent > PATTERN_MS) throw new TooSlow();
      const start = performance.now();
      const found = pattern.test(value.slice(0, PATTERN_REACH));
      spent += performance.now() - start;
      return found;
    };
    return { matches, error: null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { matches: null, error: message.replace(/^Invalid regular expression: /, 'invalid: ') };
  }
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
