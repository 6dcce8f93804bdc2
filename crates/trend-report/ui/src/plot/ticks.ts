/** Where an axis is labelled, and how: round values, as many as there is room for, each as short as it is exact. */

import { significant, tick } from '../format/number';
import type { Kind, Range } from './scale';

export function ticks(kind: Kind, domain: Range, count: number): number[] {
  return kind === 'log' ? logTicks(domain, count) : linearTicks(domain, count);
}

/** Multiples of 1, 2 or 5 times a power of ten, about `count` of them. */
export function linearTicks([lo, hi]: Range, count: number): number[] {
  const raw = (hi - lo) / Math.max(count, 1);
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  const power = Math.floor(Math.log10(raw));
  const lead = raw / 10 ** power;
  const factor = lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10;
  // Powers below 1 are divided by, so that 3 × 0.1 is 0.3.
  const at = (i: number) => (power >= 0 ? i * factor * 10 ** power : (i * factor) / 10 ** -power);
  const step = factor * 10 ** power;
  const from = Math.ceil(lo / step - 1e-9);
  const to = Math.floor(hi / step + 1e-9);
  return to - from > 1000 ? [] : Array.from({ length: to - from + 1 }, (_, i) => at(from + i));
}

/** Powers of ten where there are at least three; below them also 2 and 5 times these; below that as on a linear axis. */
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

/** Multiples and fractions of 1 at equal distances above and below: 0.5, 1/1.5, 1, 1.5, 2. */
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
          ? steps.filter((v) => v <= most).slice(0, 2)
          : [1 + small];
  return [...above.map((v) => 1 / v), 1, ...above].sort((a, b) => a - b);
}

/** `×1.01`, `÷2`. */
export function ratioText(value: number): string {
  const times = value >= 1 ? value : 1 / value;
  const past = times - 1;
  const text = past > 0 && past < 9e-4 ? `1+${significant(past, 1)}` : tick(Number(times.toPrecision(4)));
  return `${value >= 1 ? '×' : '÷'}${text}`;
}
