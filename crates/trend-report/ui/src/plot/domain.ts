/** Computes the visible part of the plane, as scales in pixels: the zoom in the address, or else room for all data. */

import { extent, type Kind, type Range, readRange, scale, type Scale, shows } from './scale';
import type { AxisProps, PlotProps, Series } from './types';

/** Margin around the data, as a fraction of the axis. */
const MARGIN = 0.04;

/** Returns true if a series was measured, not predicted. */
export const isMeasured = (series: Series) => series.kind === 'points' && series.shape !== 'diamond';

/** Error bars of predictions do not set the scale if they reach above this multiple of their point. */
const LONG = 20;

/** A point that the axes must include; a `null` coordinate has no effect. */
type Place = readonly [x: number | null, y: number | null];

function* places(series: Series): Generator<Place> {
  switch (series.kind) {
    case 'points':
      for (let i = 0; i < series.y.length; i++) {
        const [x, y] = [series.x[i] ?? null, series.y[i] ?? 0];
        yield [x, series.y[i] ?? null];
        for (const end of series.ranges?.[i] ?? []) {
          if (isMeasured(series) || (end > y && end < y * LONG)) yield [x, end];
        }
      }
      break;
    case 'line':
      if (!series.ghost) yield* series.points;
      break;
    case 'ribbon':
      // Skips intervals: one that reaches zero would leave no room for the data.
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

/** Returns the y-range of the points within the visible part of x, so that zooming in on x shows their detail. */
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

/** Returns true if these axes can show neither a point nor a part of a line. */
export function isEmpty(series: readonly Series[], xKind: Kind, yKind: Kind): boolean {
  const drawn = (s: Series): boolean => {
    if (s.kind === 'ribbon') return false;
    if (s.kind === 'line') return s.points.some(([x, y]) => shows(xKind, x) && shows(yKind, y));
    return s.y.some((y, i) => shows(yKind, y) && shows(xKind, s.x[i]));
  };
  return !series.some(drawn);
}

/** Counts the points that have no place on these axes. */
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

/** Parameters of a set of figures, as they stand in the address. */
export interface View {
  x: string | null;
  y: string | null;
  zoom: string | null;
}

export interface Frame {
  width: number;
  height: number;
  x: Scale;
  y: Scale;
}

/** Room for labels around the drawing, in pixels. Small drawings have no axis titles. */
const ROOM = { left: 62, right: 14, top: 24, bottom: 38 };
const SMALL = { left: 46, right: 8, top: 8, bottom: 22 };

export function frameOf(props: PlotProps, view: View, width: number, height: number): Frame {
  const xKind = kindOf(view.x, props.x.scale);
  const yKind = kindOf(view.y, props.y.scale);
  const x = readRange(xKind, view.zoom) ?? xDomain(xKind, props.x, props.series, yKind);
  const y = yDomain(yKind, props.y, props.series, xKind, x);
  const margin = props.small ? SMALL : ROOM;
  return {
    width,
    height,
    x: scale(xKind, x, [margin.left, Math.max(width - margin.right, margin.left + 10)]),
    y: scale(yKind, y, [height - margin.bottom, margin.top]),
  };
}

export function kindOf(text: string | null, usual: Kind = 'log'): Kind {
  return text === 'log' || text === 'linear' ? text : usual;
}
