/**
 * Draws the parts that all plots share: axes (rules, ticks with labels, the area without runs) and each kind of series,
 * as one path if possible. Also draws the small plot in a table cell.
 */

import { useMemo } from 'preact/hooks';

import { type LawLine, part } from '../data/models';
import { shorten } from '../format/text';
import { band, c, crosses, diamonds, dots, type Pixel, polyline, rings, shapes } from './marks';
import { extent, scale, type Scale, steps } from './scale';
import type { PointSeries, Series } from './types';

/** The scales that place the marks. */
interface Frame {
  x: Scale;
  y: Scale;
}

export function SeriesMarks({ series, frame }: { series: Series; frame: Frame }) {
  const at = (x: number, y: number): Pixel => [frame.x.at(x), frame.y.at(y)];
  switch (series.kind) {
    case 'line': {
      const style = [series.tone ?? 'fit', series.dash && 'dash', series.ghost && 'ghost']
        .filter(Boolean)
        .join(' ');
      return <path class={`line ${style}`} d={polyline(series.points.map(([x, y]) => at(x, y)))} />;
    }
    case 'ribbon': {
      // Moves an end without a place, such as 0 on a logarithmic axis, to the edge.
      const floor = frame.y.range[0] + 10;
      const edge = (v: number) => (Number.isFinite(frame.y.at(v)) ? frame.y.at(v) : floor);
      const points = series.points.map(([x, lo, hi]) => [frame.x.at(x), edge(lo), edge(hi)] as const);
      return <path class={series.dotted ? 'ribbon dotted' : 'ribbon'} d={band(points)} />;
    }
    case 'points':
      return <Points series={series} frame={frame} />;
  }
}

function Points({ series, frame }: { series: PointSeries; frame: Frame }) {
  const { x, y, shape = 'dot', tone = 'points' } = series;
  const place = (i: number): Pixel => [frame.x.at(x[i] ?? NaN), frame.y.at(y[i] ?? NaN)];
  const path = (which: number[]): string => {
    const pixels = which.map(place);
    if (shape === 'ring') return rings(pixels, 4);
    if (shape === 'diamond') return diamonds(pixels);
    return shape === 'cross' ? crosses(pixels, 3.5) : dots(pixels);
  };
  const all = Array.from(y, (_, i) => i);
  if (series.mark !== undefined) return <path class="filled" d={shapes(all.map(place), series.mark, 3)} />;
  // Many points are drawn smaller, so that a cloud does not become a blot.
  const size = `${shape} ${all.length > 300 ? 'many' : ''}`;
  const bars = <path class={`whiskers ${tone}`} d={whiskers(series, frame)} />;
  if (!series.value) {
    return (
      <>
        {bars}
        <path class={`series ${size} ${tone}`} d={path(all)} />
      </>
    );
  }
  const { of } = steps(series.value, series.valueScale ?? 'linear');
  const groups: number[][] = [[], [], [], [], []];
  for (const i of all) groups[of(series.value[i])]?.push(i);
  return (
    <>
      {bars}
      {groups.map((which, step) => (
        <path key={step} class={`series ${size}`} style={{ stroke: `var(--step${step})` }} d={path(which)} />
      ))}
    </>
  );
}

/** Draws the stems and the ranges of points; an end without a place lies at the edge. */
function whiskers({ x, y, stems, ranges, shape }: PointSeries, frame: Frame): string {
  const [bottom] = frame.y.range;
  let path = '';
  y.forEach((value, i) => {
    const [lo, hi] = ranges?.[i] ?? [NaN, stems ? (value ?? NaN) : NaN];
    const [px, top, end] = [frame.x.at(x[i] ?? NaN), frame.y.at(hi), frame.y.at(lo)];
    if (lo === hi || !Number.isFinite(px) || !Number.isFinite(top)) return;
    path += `M${c(px)} ${c(top)}V${c(Number.isFinite(end) ? end : bottom)}`;
    if (shape === 'diamond') path += `m-4 0h8M${c(px - 4)} ${c(top)}h8`;
  });
  return path;
}

/**
 * Returns the colour of a mark: grey for all others, the text colour for the whole. The style sheet colours versions.
 */
export function colourOf(mark: number, side?: string) {
  return side ? {} : { color: mark < 0 ? 'var(--ink)' : `var(--c${mark})` };
}

export function Mark({ mark, side = '' }: { mark: number; side?: string | undefined }) {
  return (
    <svg
      class={side}
      style={colourOf(mark, side)}
      width={14}
      height={14}
      viewBox="-7 -7 14 14"
      aria-hidden="true"
    >
      <path class="filled" d={shapes([[0, 0]], mark, 5)} />
    </svg>
  );
}

interface AxesProps {
  x: Scale;
  y: Scale;
  across: readonly number[];
  up: readonly number[];
  xText: (value: number) => string;
  yText: (value: number) => string;
  /** Title of the x-axis. */
  label?: string;
  /** Largest size that was run; the area beyond it is shaded. */
  ahead?: number | undefined;
}

export function Axes({ x, y, across, up, xText, yText, label, ahead }: AxesProps) {
  const [left, right] = x.range;
  const [bottom, top] = y.range;
  const [xs, ys] = [inside(x, across), inside(y, up)];
  const from = ahead === undefined ? NaN : x.at(ahead);
  const isAhead = from > left && from < right - 1;
  return (
    <>
      {isAhead && <rect class="ahead" x={c(from)} y={top} width={c(right - from)} height={bottom - top} />}
      <path class="rule" d={ys.map(({ at }) => `M${left} ${c(at)}H${right}`).join('')} />
      {isAhead && <path class="edge dotted" d={`M${c(from)} ${top}V${bottom}`} />}
      <path
        class="edge"
        d={`M${left} ${bottom}H${right}${xs.map(({ at }) => `M${c(at)} ${bottom}v4`).join('')}`}
      />
      {ys.map(({ value, at }) => (
        <text key={`y${value}`} x={left - 8} y={c(at + 4)} text-anchor="end">
          {yText(value)}
        </text>
      ))}
      {xs.map(({ value, at }) => (
        <text key={`x${value}`} x={c(at)} y={bottom + 17} text-anchor="middle">
          {xText(value)}
        </text>
      ))}
      {label !== undefined && (
        <text x={right} y={bottom + 32} text-anchor="end">
          {shorten(label, 60)}
        </text>
      )}
    </>
  );
}

function inside(scale: Scale, values: readonly number[]): { value: number; at: number }[] {
  const [lo, hi] = [Math.min(...scale.range) - 0.5, Math.max(...scale.range) + 0.5];
  const places = values.map((value) => ({ value, at: scale.at(value) }));
  return places.filter(({ at }) => at >= lo && at <= hi);
}

const WIDTH = 96;
const HEIGHT = 30;
const MARGIN = 4;

interface MiniPlotProps {
  /** A feature's values per workload. */
  x: readonly (number | null)[];
  /** Costs per workload. */
  y: readonly number[];
  /** The law, drawn within the range of the data. */
  law: LawLine | null;
}

export function MiniPlot({ x, y, law }: MiniPlotProps) {
  const drawn = useMemo(() => draw({ x, y, law }), [x, y, law?.from]);
  return (
    <svg class="mini" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {drawn}
    </svg>
  );
}

function draw({ x, y, law }: MiniPlotProps) {
  const at = (axis: 0 | 1) => extent('log', shown.map((point) => point[axis]), 0); // prettier-ignore
  const shown = y.map((cost, i): Pixel => [x[i] ?? 0, cost]).filter(([n, cost]) => n > 0 && cost > 0);
  const [xs, ys] = [at(0), at(1)];
  if (!xs || !ys) return null;
  const across = scale('log', xs, [MARGIN, WIDTH - MARGIN]);
  const up = scale('log', ys, [HEIGHT - MARGIN, MARGIN]);
  const place = ([n, cost]: readonly [number, number, ...unknown[]]): Pixel => [across.at(n), up.at(cost)];
  const line = part(law, xs[0], xs[1]).map(place);
  return (
    <>
      <path class="fit" d={polyline(line.filter((p) => p[1] > -HEIGHT && p[1] < 2 * HEIGHT))} />
      <path class="points" d={dots(shown.map(place))} />
    </>
  );
}
