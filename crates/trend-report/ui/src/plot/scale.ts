/**
 * Maps values to pixels and back, and to colours. A range of zero width, such as that around a single point, is widened
 * on both sides.
 */

import { significant, tick } from '../format/number';

export type Kind = 'log' | 'linear';
export type Range = [number, number];

export interface Scale {
  kind: Kind;
  domain: Range;
  /** Range in pixels; the first may be greater than the second. */
  range: Range;
  /** Returns the pixel of a value; `NaN` if the value has no place on the axis. */
  at: (value: number) => number;
  invert: (pixel: number) => number;
}

export function scale(kind: Kind, domain: Range, range: Range): Scale {
  const [from, to] = [forward(kind, domain[0]), forward(kind, domain[1])];
  const perUnit = (range[1] - range[0]) / (to - from);
  return {
    kind,
    domain,
    range,
    at: (value) => range[0] + (forward(kind, value) - from) * perUnit,
    invert: (pixel) => back(kind, from + (pixel - range[0]) / perUnit),
  };
}

/**
 * Returns the coordinate of a value on a linear or logarithmic axis; `NaN` for a value that a logarithmic axis cannot
 * show.
 */
function forward(kind: Kind, value: number): number {
  if (kind === 'linear') return value;
  return value > 0 ? Math.log(value) : NaN;
}

function back(kind: Kind, value: number): number {
  return kind === 'linear' ? value : Math.exp(value);
}

/**
 * Limits of a logarithmic axis. Beyond them, its margins would begin at 0 or end at ∞, and the axis would show nothing.
 */
const LEAST = 1e-300;
const GREATEST = 1e300;

export function shows(kind: Kind, value: number | null | undefined): value is number {
  if (value === null || value === undefined || !Number.isFinite(value)) return false;
  return kind === 'linear' || (value >= LEAST && value <= GREATEST);
}

/** Returns the range of all values that the axis can show, with `margin` (a fraction of its length) at both ends. */
export function extent(kind: Kind, values: Iterable<number | null>, margin = 0.04): Range | null {
  let [lo, hi] = [Infinity, -Infinity];
  for (const value of values) {
    if (!shows(kind, value)) continue;
    if (value < lo) lo = value;
    if (value > hi) hi = value;
  }
  return lo > hi ? null : widen(kind, [lo, hi], margin);
}

/** Widens a range by a fraction of its length at both ends. */
function widen(kind: Kind, [lo, hi]: Range, margin: number): Range {
  if (kind === 'log') {
    const by = hi > lo ? Math.log(hi / lo) * margin : Math.LN2;
    return [Math.max(lo / Math.exp(by), Number.MIN_VALUE), Math.min(hi * Math.exp(by), Number.MAX_VALUE)];
  }
  const by = hi > lo ? (hi - lo) * margin : Math.max(Math.abs(lo), 1) / 2;
  return [lo - by, hi + by];
}

/** Writes the visible range for the address. */
export function writeRange([lo, hi]: Range): string {
  return `${Number(lo.toPrecision(6))},${Number(hi.toPrecision(6))}`;
}

export function readRange(kind: Kind, text: string | null): Range | null {
  if (text === null) return null;
  const [lo, hi] = text.split(',').map(Number);
  return shows(kind, lo) && shows(kind, hi) && lo < hi ? [lo, hi] : null;
}

const STEPS = 5;

export interface Steps {
  /** Returns the step of a value, 0 to 4; 0 for a missing value. */
  of: (value: number | null | undefined) => number;
  /** `[from, to]` of each step; empty if all values are equal. */
  ranges: [number, number][];
}

/** Divides values into steps of equal width, or of equal ratio on a logarithmic scale. */
export function steps(values: readonly (number | null)[], kind: Kind): Steps {
  let [lo, hi] = [Infinity, -Infinity];
  for (const value of values) {
    const place = forward(kind, value ?? NaN);
    if (Number.isFinite(place)) [lo, hi] = [Math.min(lo, place), Math.max(hi, place)];
  }
  if (!(hi > lo)) return { of: () => STEPS - 1, ranges: [] };
  const width = (hi - lo) / STEPS;
  const edge = (i: number) => back(kind, lo + i * width);
  return {
    of: (value) => {
      const place = forward(kind, value ?? NaN);
      return place > lo ? Math.min(Math.floor((place - lo) / width), STEPS - 1) : 0;
    },
    ranges: Array.from({ length: STEPS }, (_, i) => [edge(i), edge(i + 1)]),
  };
}

export function ticks(kind: Kind, domain: Range, count: number): number[] {
  return kind === 'log' ? logTicks(domain, count) : linearTicks(domain, count);
}

/** Returns about `count` ticks at multiples of 1, 2 or 5 times a power of ten. */
export function linearTicks([lo, hi]: Range, count: number): number[] {
  const raw = (hi - lo) / Math.max(count, 1);
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  const power = Math.floor(Math.log10(raw));
  const lead = raw / 10 ** power;
  const factor = lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10;
  // Divides by powers below 1 instead of multiplying, so that 3 × 0.1 is 0.3.
  const at = (i: number) => (power >= 0 ? i * factor * 10 ** power : (i * factor) / 10 ** -power);
  const step = factor * 10 ** power;
  const from = Math.ceil(lo / step - 1e-9);
  const to = Math.floor(hi / step + 1e-9);
  return to - from > 1000 ? [] : Array.from({ length: to - from + 1 }, (_, i) => at(from + i));
}

/**
 * Returns powers of ten if there are at least three; otherwise also 2 and 5 times these; if those are too few, linear
 * ticks.
 */
export function logTicks([lo, hi]: Range, count: number): number[] {
  const powers = whole(Math.log10(lo), Math.log10(hi));
  if (powers.length >= 3 || (powers.length === 2 && count <= 3)) {
    const step = Math.ceil(powers.length / Math.max(count, 2));
    return powers.filter((p) => p % step === 0).map((p) => Number(`1e${p}`));
  }
  const some = multiples(lo, hi, [1, 2, 5]);
  if (some.length >= 3) return thinned(some, count);
  return linearTicks([lo, hi], Math.min(count, 5)).filter((v) => v > 0);
}

function whole(from: number, to: number): number[] {
  const first = Math.ceil(from - 1e-9);
  const length = Math.max(Math.floor(to + 1e-9) - first + 1, 0);
  return Array.from({ length }, (_, i) => first + i);
}

function multiples(lo: number, hi: number, of: number[]): number[] {
  const decades = whole(Math.floor(Math.log10(lo)), Math.log10(hi));
  const all = decades.flatMap((p) => of.map((m) => Number(`${m}e${p}`)));
  return all.filter((v) => v >= lo * (1 - 1e-9) && v <= hi * (1 + 1e-9));
}

function thinned(values: number[], count: number): number[] {
  const step = Math.ceil(values.length / Math.max(count, 2));
  return values.filter((_, i) => i % step === 0);
}

/** Returns ticks at ratios, at equal distances above and below 1: 0.5, 1/1.5, 1, 1.5, 2. */
export function ratioTicks(lo: number, hi: number): number[] {
  const most = Math.max(hi, 1 / lo);
  const steps = [2, 1.5, 1.2, 1.1, 1.05, 1.02, 1.01, 1.005, 1.002, 1.001];
  const small = 10 ** Math.floor(Math.log10(most - 1));
  const above =
    most > 20
      ? logTicks([1, most], 4).filter((v) => v > 1)
      : most > 3
        ? [2, 5, 10].filter((v) => v <= most)
        : most > 1.001
          ? steps.filter((v) => v <= most && v - 1 > 0.3 * (most - 1)).slice(0, 2)
          : [1 + small];
  return [...above.map((v) => 1 / v), 1, ...above].sort((a, b) => a - b);
}

/** Formats a ratio: `×1.01`, `÷2`. */
export function ratioText(value: number): string {
  const times = value >= 1 ? value : 1 / value;
  const past = times - 1;
  const text = past > 0 && past < 9e-4 ? `1+${significant(past, 1)}` : tick(Number(times.toPrecision(4)));
  return `${value >= 1 ? '×' : '÷'}${text}`;
}
