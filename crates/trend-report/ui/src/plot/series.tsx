/** Each kind of series as marks: one path where that can be. */

import type { Frame } from './frame';
import { band, c, crosses, dots, polyline, rings, type Pixel } from './marks';
import { steps } from './steps';
import type { MarkerSeries, PointSeries, RibbonSeries, Series } from './types';

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
      // An end without a place, such as 0 on a logarithmic axis, lies at the edge.
      const floor = frame.y.range[0] + 10;
      const edge = (v: number) => (Number.isFinite(frame.y.at(v)) ? frame.y.at(v) : floor);
      const points = series.points.map(([x, lo, hi]) => [frame.x.at(x), edge(lo), edge(hi)] as const);
      return <path class={ribbonClass(series)} d={band(points)} />;
    }
    case 'points':
      return <Points series={series} frame={frame} />;
    case 'markers':
      return <Markers series={series} frame={frame} />;
  }
}

export const ribbonClass = ({ dotted }: RibbonSeries) => (dotted ? 'ribbon dotted' : 'ribbon');

function Points({ series, frame }: { series: PointSeries; frame: Frame }) {
  const { x, y, shape = 'dot', tone = 'points' } = series;
  const place = (i: number): Pixel => [frame.x.at(x[i] ?? NaN), frame.y.at(y[i] ?? NaN)];
  const path = (which: number[]): string => {
    const pixels = which.map(place);
    if (shape === 'ring') return rings(pixels, 4);
    return shape === 'cross' ? crosses(pixels, 3.5) : dots(pixels);
  };
  const all = Array.from(y, (_, i) => i);
  // Many points are smaller, so that a cloud does not become a blot.
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
  const { of } = steps(series.value, series.valueLog ?? false);
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

/** The stems of points, and what they are a middle of; an end without a place lies at the edge. */
function whiskers({ x, y, stems, ranges }: PointSeries, frame: Frame): string {
  const [bottom] = frame.y.range;
  let path = '';
  y.forEach((value, i) => {
    const [lo, hi] = ranges?.[i] ?? [NaN, stems ? (value ?? NaN) : NaN];
    const [px, top, end] = [frame.x.at(x[i] ?? NaN), frame.y.at(hi), frame.y.at(lo)];
    if (lo === hi || !Number.isFinite(px) || !Number.isFinite(top)) return;
    path += `M${c(px)} ${c(top)}V${c(Number.isFinite(end) ? end : bottom)}`;
  });
  return path;
}

function Markers({ series, frame }: { series: MarkerSeries; frame: Frame }) {
  return (
    <>
      {series.points.map((p, i) => {
        const [x, y] = [frame.x.at(p.x), frame.y.at(p.y)];
        if (!Number.isFinite(x) || !Number.isFinite(y)) return null;
        const [lo, hi] = [p.lo === null ? NaN : frame.y.at(p.lo), p.hi === null ? NaN : frame.y.at(p.hi)];
        const low = Number.isFinite(lo) ? lo : frame.y.range[0] + 10;
        const bar = Number.isFinite(hi)
          ? `M${c(x)} ${c(low)}V${c(hi)}M${c(x - 4)} ${c(hi)}h8M${c(x - 4)} ${c(low)}h8`
          : '';
        return (
          <g key={i} class="marker fit">
            <path class="whisker" d={bar} />
            <path class="diamond" d={`M${c(x)} ${c(y - 5.5)}l5.5 5.5l-5.5 5.5l-5.5 -5.5Z`} />
          </g>
        );
      })}
    </>
  );
}
