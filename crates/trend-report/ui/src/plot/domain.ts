/** What part of the plane a plot shows: the zoom of the address, else room for everything that asks for it. */

import { extent, shows, type Kind, type Range } from './scale';
import type { AxisProps, Series } from './types';

const MARGIN = 0.04;

/** Error bars that reach further up than this many times their point do not set the scale. */
const LONG = 20;

/** A point as far as it makes the axes reach there. */
type Place = readonly [x: number | null, y: number | null];

function* places(series: Series): Generator<Place> {
  switch (series.kind) {
    case 'points':
      for (let i = 0; i < series.y.length; i++) {
        yield [series.x[i] ?? null, series.y[i] ?? null];
        for (const end of series.ranges?.[i] ?? []) yield [series.x[i] ?? null, end];
      }
      break;
    case 'line':
      if (!series.ghost) yield* series.points;
      break;
    case 'markers':
      for (const p of series.points) {
        yield [p.x, p.y];
        if (p.hi !== null && p.hi < p.y * LONG) yield [p.x, p.hi];
      }
      break;
    case 'ribbon':
      // An interval that reaches to zero would leave no room for the data.
      if (!series.dotted) break;
      for (const [x, lo, hi] of series.points) yield [x, Math.min(hi, lo * LONG)];
  }
}

export function xDomain(kind: Kind, axis: AxisProps, series: readonly Series[], yKind: Kind): Range {
  const values = [...(axis.include ?? [])];
  for (const s of series) {
    for (const [x, y] of places(s)) {
      if (shows(yKind, y) && x !== null) values.push(x);
    }
  }
  return extent(kind, values, MARGIN) ?? fallback(kind);
}

/** Of what lies within the shown part of x only, so that zooming in on x brings out what is there. */
export function yDomain(
  kind: Kind,
  axis: AxisProps,
  series: readonly Series[],
  xKind: Kind,
  x: Range,
): Range {
  const values = [...(axis.include ?? [])];
  for (const s of series) {
    for (const [px, py] of places(s)) {
      if (shows(xKind, px) && px >= x[0] && px <= x[1] && py !== null) values.push(py);
    }
  }
  const range = extent(kind, values, MARGIN) ?? fallback(kind);
  const allAbove = kind === 'linear' && range[0] < 0 && values.every((v) => v >= 0);
  return allAbove ? [0, range[1]] : range;
}

function fallback(kind: Kind): Range {
  return kind === 'log' ? [1, 10] : [0, 1];
}

/** Whether there is nothing that these axes can show: neither a point nor a part of a line. */
export function isEmpty(series: readonly Series[], xKind: Kind, yKind: Kind): boolean {
  const drawn = (s: Series): boolean => {
    if (s.kind === 'ribbon') return false;
    if (s.kind === 'line') return s.points.some(([x, y]) => shows(xKind, x) && shows(yKind, y));
    if (s.kind === 'markers') return s.points.some((p) => shows(xKind, p.x) && shows(yKind, p.y));
    return s.y.some((y, i) => shows(yKind, y) && shows(xKind, s.x[i]));
  };
  return !series.some(drawn);
}

/** How many points have no place on these axes. */
export function leftOut(series: readonly Series[], xKind: Kind, yKind: Kind): number {
  let count = 0;
  for (const s of series) {
    if (s.kind !== 'points') continue;
    s.y.forEach((y, i) => {
      if (!shows(xKind, s.x[i]) || !shows(yKind, y)) count++;
    });
  }
  return count;
}
