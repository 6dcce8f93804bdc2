/** The drawing itself: axes, series, guides. It knows nothing of pointers and keys. */

import { shorten } from '../format/text';
import type { Frame } from './frame';
import { endLabels } from './labels';
import { c } from './marks';
import { SeriesMarks } from './series';
import { ticks, tickText } from './ticks';
import type { AxisProps, Guide, PlotProps } from './types';

/** Room that a label needs, in pixels. */
const PER_X_LABEL = 58;
const PER_Y_LABEL = 38;

/** Narrower drawings have no room for labels of guides. */
const LABELLED_FROM = 420;

export function Chart({ props, frame, clip }: { props: PlotProps; frame: Frame; clip: string }) {
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  return (
    <>
      <clipPath id={clip}>
        <rect x={left - 4} y={top - 4} width={right - left + 8} height={bottom - top + 8} />
      </clipPath>
      <Lines props={props} frame={frame} />
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
      {endLabels(props.series, frame).map((label, i) => (
        <text key={i} class={`end-label ${label.tone}`} x={c(label.x)} y={c(label.y)} text-anchor="end">
          {label.text}
        </text>
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

/** A line per label, under everything else. */
function Lines({ props, frame }: { props: PlotProps; frame: Frame }) {
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const across = ticksOf(props.x, frame, 'x').major.map((v) => frame.x.at(v));
  const up = ticksOf(props.y, frame, 'y').major.map((v) => frame.y.at(v));
  const d = [
    ...across.filter((x) => within(x, left, right)).map((x) => `M${c(x)} ${bottom}V${top}`),
    ...up.filter((y) => within(y, top, bottom)).map((y) => `M${left} ${c(y)}H${right}`),
  ];
  return <path class="grid" d={d.join('')} />;
}

function XAxis({ axis, frame }: { axis: AxisProps; frame: Frame }) {
  const { major, minor } = ticksOf(axis, frame, 'x');
  const [left, right] = frame.x.range;
  const [bottom] = frame.y.range;
  const shown = (v: number) => within(frame.x.at(v), left, right);
  const lines = major.filter(shown);
  return (
    <>
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
  const [left] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const shown = (v: number) => within(frame.y.at(v), top, bottom);
  const lines = major.filter(shown);
  return (
    <>
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
      {frame.width >= LABELLED_FROM && (
        <text
          class="guide-label"
          x={c(late ? at - 4 : at + 4)}
          y={bottom - 6 - (row % 3) * 15}
          text-anchor={late ? 'end' : 'start'}
        >
          {guide.label}
        </text>
      )}
    </>
  );
}

function within(pixel: number, from: number, to: number): boolean {
  return pixel >= from - 0.5 && pixel <= to + 0.5;
}
