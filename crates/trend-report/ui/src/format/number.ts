/**
 * Formats numbers for people, like `crates/trend-report/src/number.rs`: the page formats the sizes a reader types or
 * zooms to. `tests/formats.json` has examples that both are tested against.
 */

import type { Interval } from '../data/types';

/** Formats `600,000`. Made once, because making a format takes longer than using it. */
const WHOLE = new Intl.NumberFormat('en-US');

export const grouped = (value: number) => WHOLE.format(value);

const SUFFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** Costs from here on get a suffix; smaller ones are printed to the last unit. */
const SCALED_FROM = 10_000;

/** Digits of a number without an interval. */
const DIGITS_WITHOUT_INTERVAL = 3;

/** Keeps a number and its suffix on one line. */
const GAP = '\u00a0';

/** The sign of negative numbers. Text copied into a shell and files keep the hyphen. */
const MINUS = '−';

/**
 * Returns the number of digits of `value` that an interval supports: those on which both ends roughly agree, two to
 * four.
 */
export function supportedDigits(value: number, ci: Interval | null): number {
  if (!ci) return DIGITS_WITHOUT_INTERVAL;
  const half = (ci[1] - ci[0]) / 2;
  if (!Number.isFinite(half) || !Number.isFinite(value) || half < 0) return DIGITS_WITHOUT_INTERVAL;
  if (half === 0) return 4;
  return clamp(Math.floor(Math.log10(Math.abs(value) / half)) + 1, 2, 4);
}

/** The digits after the last printed one if a number lies halfway between two printed numbers. */
const HALF = '5'.padEnd(30, '0');

/** Rounds like `toFixed`, but halves to the even digit as Rust does: 12.5 becomes 12. */
function fixed(value: number, decimals: number): string {
  return evenly(value.toFixed(decimals), value.toFixed(decimals + HALF.length));
}

function exponential(value: number, decimals: number): string {
  return evenly(value.toExponential(decimals), value.toExponential(decimals + HALF.length));
}

/**
 * Returns `rounded`. If `exact` lies halfway and the digit before is even, returns `exact` cut off after that digit.
 */
function evenly(rounded: string, exact: string): string {
  const [digits = '', exponent] = exact.split('e');
  const kept = digits.slice(0, -HALF.length).replace(/\.$/, '');
  if (!digits.endsWith(HALF) || !/[02468]$/.test(kept)) return rounded;
  return exponent === undefined ? kept : `${kept}e${exponent}`;
}

/** Formats `value` to `digits` significant digits; in scientific notation where zeros would hide them. */
export function significant(value: number, digits: number): string {
  if (Number.isNaN(value)) return '?';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const scientific = exponential(value, Math.max(digits - 1, 0));
  const exponent = Number(scientific.slice(scientific.indexOf('e') + 1));
  if (exponent < -4 || exponent >= 6) return signed(scientific.replace('e+', 'e'));
  // Digits left of the point that the precision does not support become zeros.
  return signed(Number(scientific).toFixed(Math.max(digits - 1 - exponent, 0)));
}

/** Replaces a leading hyphen by a minus sign. Hyphens in powers of ten stay. */
export function signed(text: string): string {
  return text.startsWith('-') ? MINUS + text.slice(1) : text;
}

/** Returns the separator for an interval. A dash would be lost among minus signs. */
function between(...ends: string[]): string {
  return ends.some((end) => end.startsWith(MINUS)) ? ' … ' : '–';
}

/** Joins two printed numbers to an interval. */
export function joined(low: string, high: string): string {
  return low + between(low, high) + high;
}

/** Formats a cost to `digits` significant digits: `1770`, `5.40 G`. */
export function cost(value: number, digits = DIGITS_WITHOUT_INTERVAL): string {
  const [number, suffix] = scaled(value, digits);
  return number + suffix;
}

function scaled(value: number, digits: number): [string, string] {
  if (!Number.isFinite(value) || Math.abs(value) < SCALED_FROM) {
    const whole = Number.isFinite(value) && (isWhole(value) || Math.abs(value) >= 1000);
    return [whole ? withoutNegativeZero(fixed(value, 0)) : significant(value, digits), ''];
  }
  // Rounds first, so that 999,960 becomes 1.00 M and not 1000 k.
  const rounded = Number(exponential(value, digits - 1));
  const thousands = Math.floor(Math.log10(Math.abs(rounded)) / 3 + 1e-9);
  const suffix = SUFFIXES[thousands];
  if (suffix === undefined) return [significant(value, digits), ''];
  return [significant(rounded / 1000 ** thousands, digits), GAP + suffix];
}

/** True if a number is whole, apart from rounding errors of its computation. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= 1e-12 * Math.abs(value);
}

/** Formats an interval of costs: `21.5–21.7 G`. */
export function costInterval([lo, hi]: Interval): string {
  const digits = digitsThatDiffer(lo, hi, cost, 4);
  const [low, lowSuffix] = scaled(lo, digits);
  const [high, highSuffix] = scaled(hi, digits);
  const one = lowSuffix === highSuffix && !low.includes('e');
  const dash = between(low, high);
  if (low === high && lowSuffix === highSuffix) return `${low}${lowSuffix}`;
  return one ? `${low}${dash}${high}${highSuffix}` : `${low}${lowSuffix}${dash}${high}${highSuffix}`;
}

/** Returns the smallest number of digits, from 2 on, at which the ends of an interval look different. */
function digitsThatDiffer(
  lo: number,
  hi: number,
  print: (value: number, digits: number) => string,
  most: number,
): number {
  for (let digits = 2; digits < most; digits++) {
    if (print(lo, digits) !== print(hi, digits)) return digits;
  }
  return most;
}

/** Formats the exponent of a power law with two decimals, or with one if its interval is wide. */
export function exponent(b: number, ci: Interval | null): string {
  return withoutNegativeZero(fixed(b, ci && ci[1] - ci[0] > 0.4 ? 1 : 2));
}

/** Formats an interval of exponents: `1.90–1.96`, with a third decimal where two would hide its width. */
export function exponentInterval([lo, hi]: Interval): string {
  const print = (decimals: number): [boolean, string] => {
    const low = withoutNegativeZero(fixed(lo, decimals));
    const high = withoutNegativeZero(fixed(hi, decimals));
    return [low === high, low === high ? low : joined(low, high)];
  };
  const [hidden, text] = print(2);
  return hidden ? print(3)[1] : text;
}

function withoutNegativeZero(text: string): string {
  return /^-[0.]+$/.test(text) ? text.slice(1) : signed(text);
}

/** Formats a value of a feature: `600,000`, `52.4 M`, `0.250`. */
export function size(value: number): string {
  if (Number.isFinite(value) && Math.abs(value) < 1e7) {
    if (Number.isInteger(value) || Math.abs(value) >= 100) return signed(grouped(Math.round(value)));
    return significant(value, DIGITS_WITHOUT_INTERVAL);
  }
  let digits = 4;
  for (let d = 1; d < 4; d++) {
    if (Number(value.toExponential(d - 1)) === value) {
      digits = d;
      break;
    }
  }
  if (digits <= 3 && Math.abs(value) < 1e21) {
    const thousands = Math.floor(Math.log10(Math.abs(value)) / 3 + 1e-9);
    const suffix = SUFFIXES[thousands];
    if (suffix !== undefined)
      return signed(`${Number((value / 1000 ** thousands).toPrecision(12))}${GAP}${suffix}`);
  }
  return cost(value, Math.min(digits, 3));
}

/** Formats a round value for an axis label, without trailing zeros: `20 k`, `1.5 M`, `0.25`, `1e-9`. */
export function tick(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 1e-3 || size >= 1e21) {
    return signed(Number(value.toPrecision(6)).toExponential().replace('e+', 'e'));
  }
  if (size < SCALED_FROM) return signed(String(Number(value.toPrecision(6))));
  const thousands = Math.floor(Math.log10(size) / 3 + 1e-9);
  const suffix = SUFFIXES[thousands] ?? '';
  return signed(`${Number((value / 1000 ** thousands).toPrecision(6))}${suffix && GAP + suffix}`);
}

/** Formats a share between 0 and 1 as a percentage. */
export function share(part: number): string {
  return part > 0 && part < 0.0005 ? `<0.1${GAP}%` : `${fixed(part * 100, 1)}${GAP}%`;
}

/** Formats R². Never rounds it up to 1. */
export function r2(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '?';
  return withoutNegativeZero(fixed(value, value >= 0.995 && value < 0.9995 ? 3 : 2));
}

/** Formats a count with its noun: `12 locations`, `1 location`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats seconds with a suitable unit: `12 ms`, `3.4 s`, `5.1 min`. */
export function seconds(value: number): string {
  if (value < 1e-3) return `${significant(value * 1e6, 2)}${GAP}µs`;
  if (value < 1) return `${significant(value * 1e3, 2)}${GAP}ms`;
  if (value < 120) return `${significant(value, 2)}${GAP}s`;
  return `${significant(value / 60, 2)}${GAP}min`;
}

function inThousands(value: number, names: readonly string[], digits: number): string {
  const [larger, ...largest] = names.slice(1);
  if (value >= 1000 && larger !== undefined) return inThousands(value / 1000, [larger, ...largest], digits);
  return `${significant(value, digits)}${GAP}${names[0] ?? ''}`;
}

const TIMES = ['ps', 'ns', 'µs', 'ms', 's'];

/** Formats picoseconds as a time: `5.40 ms`. */
export const picoseconds = (value: number) => inThousands(value, TIMES, DIGITS_WITHOUT_INTERVAL);

const BYTES = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Formats memory in powers of ten: `6.63 MB`. */
export const bytes = (value: number, digits = DIGITS_WITHOUT_INTERVAL) => inThousands(value, BYTES, digits);

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
