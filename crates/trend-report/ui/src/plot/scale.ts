/** Values to pixels and back. A range of no width, as of one point, is widened so that its point is in the middle. */

export type Kind = 'log' | 'linear';
export type Range = [number, number];

export interface Scale {
  kind: Kind;
  domain: Range;
  /** In pixels; the first may be above the second. */
  range: Range;
  /** The pixel of a value; `NaN` for what has no place on the axis. */
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

/** On a logarithmic axis what is not positive has no place. */
function forward(kind: Kind, value: number): number {
  if (kind === 'linear') return value;
  return value > 0 ? Math.log(value) : NaN;
}

function back(kind: Kind, value: number): number {
  return kind === 'linear' ? value : Math.exp(value);
}

/** Beyond these a logarithmic axis would begin at 0 or end at ∞ with its margins, and show nothing at all. */
export const LEAST = 1e-300;
export const GREATEST = 1e300;

export function shows(kind: Kind, value: number | null | undefined): value is number {
  if (value === null || value === undefined || !Number.isFinite(value)) return false;
  return kind === 'linear' || (value >= LEAST && value <= GREATEST);
}

/** The range of all values that the axis can show, with `margin` (a part of its length) at both ends. */
export function extent(kind: Kind, values: Iterable<number | null>, margin = 0.04): Range | null {
  let [lo, hi] = [Infinity, -Infinity];
  for (const value of values) {
    if (!shows(kind, value)) continue;
    if (value < lo) lo = value;
    if (value > hi) hi = value;
  }
  return lo > hi ? null : widen(kind, [lo, hi], margin);
}

/** Wider by a part of the length at both ends. */
export function widen(kind: Kind, [lo, hi]: Range, margin: number): Range {
  if (kind === 'log') {
    const by = hi > lo ? Math.log(hi / lo) * margin : Math.LN2;
    return [Math.max(lo / Math.exp(by), Number.MIN_VALUE), Math.min(hi * Math.exp(by), Number.MAX_VALUE)];
  }
  const by = hi > lo ? (hi - lo) * margin : Math.max(Math.abs(lo), 1) / 2;
  return [lo - by, hi + by];
}

/** The part that is shown, as it stands in an address. */
export function writeRange([lo, hi]: Range): string {
  return `${Number(lo.toPrecision(6))},${Number(hi.toPrecision(6))}`;
}

export function readRange(kind: Kind, text: string | null): Range | null {
  if (text === null) return null;
  const [lo, hi] = text.split(',').map(Number);
  return shows(kind, lo) && shows(kind, hi) && lo < hi ? [lo, hi] : null;
}
