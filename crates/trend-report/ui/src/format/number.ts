/** Formats numbers for people. The module does it, so that the page and the terminal have the same digits. */

import { exports, text } from '../data/module';
import type { Interval } from '../data/types';

/** Digits of a number without an interval. */
const DIGITS_WITHOUT_INTERVAL = 3;

const ends = (ci: Interval | null): Interval => ci ?? [NaN, NaN];

/** Formats `600,000`. */
export const grouped = (value: number) => text('grouped', value);

/**
 * Returns the number of digits of `value` that an interval supports: those on which both ends roughly agree, two to
 * four.
 */
export const supportedDigits = (value: number, ci: Interval | null) =>
  exports.supported_digits(value, ...ends(ci));

/** Formats `value` to `digits` significant digits; in scientific notation where zeros would hide them. */
export const significant = (value: number, digits: number) => text('significant', value, digits);

/** Replaces a leading hyphen by a minus sign. Hyphens in powers of ten stay. */
export const signed = (text: string) => text.replace(/^-/, '−');

/** Formats a cost to `digits` significant digits: `1770`, `5.40 G`. */
export const cost = (value: number, digits = DIGITS_WITHOUT_INTERVAL) => text('cost_text', value, digits);

/** Formats an interval of costs: `21.5–21.7 G`. */
export const costInterval = (ci: Interval) => text('cost_interval', ...ci);

/** Formats an interval of costs in parentheses; empty if both ends are equal when rounded to three digits. */
export const costEnds = (ci: Interval | null) => (ci === null ? '' : text('cost_ends', ...ci));

/** Formats a prediction with as many digits as its interval supports; without an interval, adds `≈`. */
export const predicted = ({ cost, ci }: { cost: number; ci: Interval | null }) =>
  text('predicted', cost, ...ends(ci));

/** Formats the exponent of a power law with two decimals, or with one if its interval is wide. */
export const exponent = (b: number, ci: Interval | null) => text('exponent', b, ...ends(ci));

/** Formats an interval of exponents: `1.90–1.96`, with a third decimal where two would hide its width. */
export const exponentInterval = (ci: Interval) => text('exponent_interval', ...ci);

/** Formats a value of a feature: `600,000`, `52.4 M`, `0.250`. */
export const size = (value: number) => text('size', value);

/** Formats a value of a feature: bytes as `40 MB` or `52.4 MB`, others as `600,000`. */
export const featureSize = (feature: string, value: number) =>
  feature === 'bytes' ? text('byte_size', value) : size(value);

/** Formats a size that is read off a chart. */
export const roundSize = (feature: string, value: number) =>
  featureSize(feature, Number(value.toPrecision(3)));

/** Formats a round value of a feature for an axis label: `1.5 MB`. */
export const featureTick = (feature: string, value: number) =>
  feature === 'bytes' ? featureSize(feature, value) : tick(value);

/** Formats a round value for an axis label, without trailing zeros: `20 k`, `1.5 M`, `0.25`, `1e-9`. */
export const tick = (value: number) => text('tick', value);

/** Formats a share between 0 and 1 as a percentage. */
export const share = (part: number) => text('share', part);

/** Formats a probability as a percentage. Never rounds it to 0 or 100 %. */
export const probability = (value: number) => text('probability', value);

/** Formats R². Never rounds it up to 1. */
export const r2 = (value: number | null) => text('r2', value ?? NaN);

/** Formats a count with its noun: `12 locations`, `1 location`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats seconds with a suitable unit: `12 ms`, `3.4 s`, `5.1 min`. */
export const seconds = (value: number) => text('seconds', value);

/** Formats seconds in the unit that fits another time. */
export const secondsAs = (value: number, like: number) => text('seconds_as', value, like);

/** Formats the interval of a time, in the unit of the time: `(4.6–7.3)`. */
export const secondsEnds = (value: number, ci: Interval) => text('seconds_ends', value, ...ci);

/** Formats the interval of memory, in the unit of the memory: `(450–560)`. */
export const bytesEnds = (value: number, ci: Interval) => text('bytes_ends', value, ...ci);

/** Formats picoseconds as a time: `5.40 ms`. */
export const picoseconds = (value: number) => text('picoseconds', value);

/** Formats memory in powers of ten: `6.63 MB`. */
export const bytes = (value: number, digits = DIGITS_WITHOUT_INTERVAL) => text('bytes', value, digits);

export function clamp(value: number, lo: number, hi: number): number {
  return Math.min(Math.max(value, lo), hi);
}

/** Unit prefixes by power of 1000; with an `i` after the prefix, by power of 1024. */
const PREFIXES = ['', 'k', 'm', 'g', 't', 'p'];

/** Parses a size with an optional unit; returns `null` if the text is not a positive size. */
export function parseQuantity(text: string): number | null {
  const match = /^\s*([0-9][0-9_,]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+)\s*([a-zA-Z]*)\s*$/.exec(text);
  const [, digits, unit] = match ?? [];
  if (digits === undefined || unit === undefined) return null;
  const known = /^(?:([kmgtp])(i?))?b?$/.exec(unit.toLowerCase());
  if (!known) return null;
  const [, prefix = '', binary] = known;
  const value = Number(digits.replace(/[_,]/g, '')) * (binary ? 1024 : 1000) ** PREFIXES.indexOf(prefix);
  return Number.isFinite(value) && value > 0 ? value : null;
}
