/** The drawing itself: axes, series, guides. It knows nothing of pointers and keys. */

import { shorten } from '../format/text';
import type { Frame } from './frame';
import { c } from './marks';
import { SeriesMarks } from './series';
import { ticks, tickText } from './ticks';
import type { AxisProps, Guide, PlotProps } from './types';

/** Room that a label needs, in pixels. */
const PER_X_LABEL = 74;
const PER_Y_LABEL = 38;

export function Chart({ props, frame, clip }: { props: PlotProps; frame: Frame; clip: string }) {
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  return (
    <>
      <clipPath id={clip}>
        <rect x={left - 4} y={top - 4} width={right - left + 8} height={bottom - top + 8} />
      </clipPath>
      <XAxis axis={props.x} frame={frame} />
      <YAxis axis={props.y} frame={frame} />
      {props.guides?.map((guide, i) => (
        <GuideLine key={i} guide={guide} frame={frame} row={i} />
      ))}
      <g clip-path={`url(#${clip})`}>
        {props.series.map((series, i) => (
          <SeriesMarks key={i} series={series} frame={frame} />
        ))}
      </g>
      {props.series.map((series, i) => (
        <EndLabel key={i} series={series} frame={frame} />
      ))}
    </>
  );
}

function ticksOf(axis: AxisProps, frame: Frame, of: 'x' | 'y') {
  const { kind, domain, range } = frame[of];
  if (axis.ticks) return { major: axis.ticks(domain[0], domain[1]), minor: [] };
  const room = Math.abs(range[1] - range[0]);
  return ticks(kind, domain, Math.max(Math.floor(room / (of === 'x' ? PER_X_LABEL : PER_Y_LABEL)), 2));
}

function XAxis({ axis, frame }: { axis: AxisProps; frame: Frame }) {
  const { major, minor } = ticksOf(axis, frame, 'x');
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const shown = (v: number) => within(frame.x.at(v), left, right);
  const lines = major.filter(shown);
  return (
    <>
      <path class="grid" d={lines.map((v) => `M${c(frame.x.at(v))} ${bottom}V${top}`).join('')} />
      <path class="axis" d={`M${left} ${bottom}H${right}`} />
      <path
        class="axis minor"
        d={minor
          .filter(shown)
          .map((v) => `M${c(frame.x.at(v))} ${bottom}v4`)
          .join('')}
      />
      {lines.map((v) => (
        <text key={v} x={c(frame.x.at(v))} y={bottom + 17} text-anchor="middle">
          {(axis.tick ?? tickText)(v)}
        </text>
      ))}
      <text class="label" x={right} y={bottom + 33} text-anchor="end">
        {shorten(axis.label, 60)}
      </text>
    </>
  );
}

function YAxis({ axis, frame }: { axis: AxisProps; frame: Frame }) {
  const { major, minor } = ticksOf(axis, frame, 'y');
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const shown = (v: number) => within(frame.y.at(v), top, bottom);
  const lines = major.filter(shown);
  return (
    <>
      <path class="grid" d={lines.map((v) => `M${left} ${c(frame.y.at(v))}H${right}`).join('')} />
      <path class="axis" d={`M${left} ${bottom}V${top}`} />
      <path
        class="axis minor"
        d={minor
          .filter(shown)
          .map((v) => `M${left} ${c(frame.y.at(v))}h-4`)
          .join('')}
      />
      {lines.map((v) => (
        <text key={v} x={left - 8} y={c(frame.y.at(v) + 4)} text-anchor="end">
          {(axis.tick ?? tickText)(v)}
        </text>
      ))}
      <text class="label" x={0} y={12}>
        {shorten(axis.label, 60)}
      </text>
    </>
  );
}

function GuideLine({ guide, frame, row }: { guide: Guide; frame: Frame; row: number }) {
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const at = frame[guide.axis].at(guide.at);
  if (guide.axis === 'y') {
    if (!within(at, top, bottom)) return null;
    return (
      <>
        <path class="guide" d={`M${left} ${c(at)}H${right}`} />
        <text class="guide-label" x={right - 2} y={c(at - 5)} text-anchor="end">
          {guide.label}
        </text>
      </>
    );
  }
  if (!within(at, left, right)) return null;
  const late = at > (left + right) / 2;
  return (
    <>
      <path class="guide" d={`M${c(at)} ${bottom}V${top}`} />
      <text
        class="guide-label"
        x={c(late ? at - 4 : at + 4)}
        y={bottom - 6 - (row % 3) * 15}
        text-anchor={late ? 'end' : 'start'}
      >
        {guide.label}
      </text>
    </>
  );
}

/** The name of a line where it leaves the drawing. */
function EndLabel({ series, frame }: { series: PlotProps['series'][number]; frame: Frame }) {
  if (series.kind !== 'line' || !series.labelled) return null;
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const inside = series.points
    .map(([x, y]): [number, number] => [frame.x.at(x), frame.y.at(y)])
    .filter(([x, y]) => within(x, left, right) && within(y, top, bottom));
  const end = inside[inside.length - 1];
  if (!end) return null;
  return (
    <text
      class={`end-label ${series.tone ?? ''}`}
      x={c(end[0] - 4)}
      y={c(Math.max(end[1] - 5, top + 10))}
      text-anchor="end"
    >
      {shorten(series.name, 28)}
    </text>
  );
}

function within(pixel: number, from: number, to: number): boolean {
  return pixel >= from - 0.5 && pixel <= to + 0.5;
}
