/** The drawing itself: axes and series. It knows nothing of pointers and keys. */

import { clamp, tick } from '../format/number';
import { shorten } from '../format/text';
import { Axes } from './axes';
import type { Frame } from './frame';
import { c } from './marks';
import { SeriesMarks } from './series';
import { ticks } from './ticks';
import type { AxisProps, PlotProps } from './types';

/** Room that a label needs, in pixels. */
const PER_LABEL = { x: 58, y: 38 };

export function Chart({ props, frame, clip }: { props: PlotProps; frame: Frame; clip: string }) {
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const [from, to] = (props.band ?? []).map((value, end) => {
    const pixel = frame.x.at(value);
    return Number.isFinite(pixel) ? clamp(pixel, left, right) : end === 0 ? left : right;
  });
  return (
    <>
      <clipPath id={clip}>
        <rect x={left - 4} y={top - 4} width={right - left + 8} height={bottom - top + 8} />
      </clipPath>
      {from !== undefined && to !== undefined && (
        <rect class="band" x={c(from)} y={top} width={c(to - from)} height={bottom - top} />
      )}
      <Axes
        x={frame.x}
        y={frame.y}
        across={ticksOf(props.x, frame, 'x')}
        up={ticksOf(props.y, frame, 'y')}
        xText={props.x.tick ?? tick}
        yText={props.y.tick ?? tick}
        ahead={props.ahead}
        {...(props.small ? {} : { label: props.x.label })}
      />
      {!props.small && <text y={12}>{shorten(props.y.label, 60)}</text>}
      <g clip-path={`url(#${clip})`}>
        {props.series.map((series, i) => (
          <SeriesMarks key={i} series={series} frame={frame} />
        ))}
      </g>
    </>
  );
}

function ticksOf(axis: AxisProps, frame: Frame, of: 'x' | 'y'): number[] {
  const { kind, domain, range } = frame[of];
  if (axis.ticks) return axis.ticks(domain[0], domain[1]);
  const room = Math.abs(range[1] - range[0]);
  return ticks(kind, domain, Math.max(Math.floor(room / PER_LABEL[of]), 2));
}
