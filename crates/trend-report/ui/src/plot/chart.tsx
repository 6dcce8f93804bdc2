/** The drawing itself: axes, series, guides. It knows nothing of pointers and keys. */

import { clamp, tick } from '../format/number';
import { shorten } from '../format/text';
import type { Frame } from './frame';
import { endLabels, guideLabel, within, type GuideLabel } from './labels';
import { c, polyline } from './marks';
import { SeriesMarks } from './series';
import { ticks } from './ticks';
import type { AxisProps, Guide, PlotProps } from './types';

/** Room that a label needs, in pixels. */
const PER_X_LABEL = 58;
const PER_Y_LABEL = 38;

export function Chart({ props, frame, clip }: { props: PlotProps; frame: Frame; clip: string }) {
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const guides = props.guides ?? [];
  const guideLabels = guides.map((guide, i) => guideLabel(guide, frame, i));
  const ends = endLabels(
    props.series,
    frame,
    guideLabels.filter((label) => label !== null),
  );
  return (
    <>
      <clipPath id={clip}>
        <rect x={left - 4} y={top - 4} width={right - left + 8} height={bottom - top + 8} />
      </clipPath>
      {props.band && <Band band={props.band} frame={frame} />}
      <Lines props={props} frame={frame} />
      <Axis of="x" axis={props.x} frame={frame} named={!props.small} />
      <Axis of="y" axis={props.y} frame={frame} named={!props.small} />
      {guides.map((guide, i) => (
        <GuideLine key={i} guide={guide} frame={frame} label={guideLabels[i] ?? null} />
      ))}
      <g clip-path={`url(#${clip})`}>
        {props.series.map((series, i) => (
          <SeriesMarks key={i} series={series} frame={frame} />
        ))}
      </g>
      <path class="leader" d={ends.map(({ leader }) => (leader ? polyline(leader) : '')).join('')} />
      {ends.map((label, i) => (
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

function Band({ band, frame }: { band: readonly [number, number]; frame: Frame }) {
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const at = (value: number, end: number) => {
    const pixel = frame.x.at(value);
    return Number.isFinite(pixel) ? clamp(pixel, left, right) : end;
  };
  const [from, to] = [at(band[0], left), at(band[1], right)];
  return <rect class="band" x={c(from)} y={top} width={c(to - from)} height={bottom - top} />;
}

interface AxisDrawn {
  of: 'x' | 'y';
  axis: AxisProps;
  frame: Frame;
  /** Whether it says what it is of. */
  named: boolean;
}

function Axis({ of, axis, frame, named }: AxisDrawn) {
  const isX = of === 'x';
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const { major, minor } = ticksOf(axis, frame, of);
  const places = (values: number[]) =>
    values
      .map((value) => ({ value, at: frame[of].at(value) }))
      .filter(({ at }) => (isX ? within(at, left, right) : within(at, top, bottom)));
  const strokes = places(minor).map(({ at }) => (isX ? `M${c(at)} ${bottom}v4` : `M${left} ${c(at)}h-4`));
  return (
    <>
      <path class="axis" d={isX ? `M${left} ${bottom}H${right}` : `M${left} ${bottom}V${top}`} />
      <path class="axis minor" d={strokes.join('')} />
      {places(major).map(({ value, at }) => (
        <text
          key={value}
          x={isX ? c(at) : left - 8}
          y={isX ? bottom + 17 : c(at + 4)}
          text-anchor={isX ? 'middle' : 'end'}
        >
          {(axis.tick ?? tick)(value)}
        </text>
      ))}
      {named && (
        <text
          class="label"
          x={isX ? right : 0}
          y={isX ? bottom + 33 : 12}
          text-anchor={isX ? 'end' : 'start'}
        >
          {shorten(axis.label, 60)}
        </text>
      )}
    </>
  );
}

function GuideLine({ guide, frame, label }: { guide: Guide; frame: Frame; label: GuideLabel | null }) {
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const at = frame[guide.axis].at(guide.at);
  const shown = guide.axis === 'y' ? within(at, top, bottom) : within(at, left, right);
  if (!shown) return null;
  return (
    <>
      <path
        class="guide"
        d={guide.axis === 'y' ? `M${left} ${c(at)}H${right}` : `M${c(at)} ${bottom}V${top}`}
      />
      {label && (
        <text class="guide-label" x={c(label.x)} y={c(label.y)} text-anchor={label.anchor}>
          {label.text}
        </text>
      )}
    </>
  );
}
