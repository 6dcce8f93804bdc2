/** Draws one plot: axes, series, a tooltip, and points that arrow keys step through and Enter opens. */

import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId, useMemo, useRef } from 'preact/hooks';

import { clamp, featureTick, tick } from '../format/number';
import { shorten } from '../format/text';
import { type Frame, frameOf, isEmpty, type View } from './domain';
import { type Brush, describe, type Hit, hits, target, useGestures } from './gestures';
import { c } from './marks';
import { ticks, writeRange } from './scale';
import { Axes, SeriesMarks } from './series';
import { looked, useWidth } from './state';
import type { AxisProps, PlotProps } from './types';
import { setParams } from '../state/state';

/** Minimum height; below it the labels of an axis overlap. */
const LEAST_HEIGHT = 135;

interface DrawingProps {
  plot: PlotProps;
  view: View;
  /** Reference to the drawing that the toolbar saves. */
  svg?: RefObject<SVGSVGElement | null>;
}

export function Plot({ plot, view, svg: given }: DrawingProps) {
  const { id, link, title, summary, series } = plot;
  const own = useRef<SVGSVGElement>(null);
  const svg = given ?? own;
  const { ref, width, tall } = useWidth(id);
  const { height: onScreen = 320 } = plot;
  const height = Math.max(Math.round(onScreen * tall), Math.min(onScreen, LEAST_HEIGHT));
  const clip = useId();
  const props: PlotProps = {
    ...plot,
    onBrush: plot.onBrush ?? ((range) => setParams({ [`${link}.zoom`]: writeRange([...range]) }, 'push')),
  };
  const frame = useMemo(
    () => frameOf(plot, view, width, height),
    [series, plot.x, plot.y, width, height, view.x, view.y, view.zoom],
  );
  const all = useMemo(() => hits(series, frame.x, frame.y), [series, frame]);
  const { brush, handlers } = useGestures(props, frame, all, svg, () =>
    setParams({ [`${link}.zoom`]: null }, 'push'),
  );
  const chart = useMemo(
    () => <Chart props={plot} frame={frame} clip={clip} />,
    [series, plot.band, plot.ahead, frame, clip],
  );
  if (isEmpty(series, frame.x.kind, frame.y.kind)) {
    return (
      <div class="drawing" ref={ref}>
        <p class="soft">{plot.empty ?? 'These axes can show no point.'}</p>
      </div>
    );
  }
  return (
    <div class="drawing" ref={ref}>
      <svg
        ref={svg}
        viewBox={`0 0 ${width} ${height}`}
        tabindex={0}
        role="application"
        aria-roledescription="plot"
        aria-label={`${title}. ${summary} Arrow keys step through its points.`}
        {...handlers}
      >
        {chart}
        <Ring props={plot} frame={frame} all={all} />
        <BrushBand brush={brush} frame={frame} />
      </svg>
      <Tooltip props={plot} frame={frame} all={all} />
    </div>
  );
}

/** Room that a label needs, in pixels. */
const PER_LABEL = { x: 58, y: 38 };

function Chart({ props, frame, clip }: { props: PlotProps; frame: Frame; clip: string }) {
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
        xText={props.x.tick ?? ((v) => featureTick(props.x.label, v))}
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

/** Returns this plot's point that the reader looks at, here or in a linked plot. */
function lookedAt(
  props: PlotProps,
  all: readonly Hit[],
): { hit: Hit; here: boolean; spoken: boolean } | null {
  const now = looked.value;
  if (!now || now.link !== props.link) return null;
  const here = now.plot === props.id;
  // Linked plots share the ids of their point series only.
  const same = (h: Hit) =>
    h.id === now.id && (here ? h.series === now.series : props.series[h.series]?.kind === 'points');
  // Series of different rows share ids too; the first belongs to the row itself.
  const hit = all.filter(same).sort((a, b) => a.series - b.series)[0];
  return hit ? { hit, here, spoken: now.spoken } : null;
}

function Ring({ props, frame, all }: { props: PlotProps; frame: Frame; all: readonly Hit[] }) {
  const at = lookedAt(props, all);
  if (!at) return null;
  const { px, py } = at.hit;
  return (
    <>
      <path class="crosshair" d={`M${px} ${frame.y.range[0]}V${frame.y.range[1]}`} />
      <circle class="ring" cx={px} cy={py} r={7} />
    </>
  );
}

/** Shows the range that is being selected. */
export function BrushBand({ brush, frame }: { brush: Signal<Brush | null>; frame: Pick<Frame, 'y'> }) {
  const [from = 0, to = 0] = brush.value ?? [];
  const [bottom, top] = frame.y.range;
  if (Math.abs(to - from) < 5) return null;
  return (
    <rect class="brush" x={Math.min(from, to)} y={top} width={Math.abs(to - from)} height={bottom - top} />
  );
}

function Tooltip({ props, frame, all }: { props: PlotProps; frame: Frame; all: readonly Hit[] }) {
  const at = lookedAt(props, all);
  const lines = at?.here ? describe(props, at.hit) : [];
  const shown = at?.here ? at.hit : null;
  const right = shown !== null && shown.px > frame.width / 2;
  const low = shown !== null && shown.py > frame.height / 2;
  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
  const place = shown && {
    [right ? 'right' : 'left']: percent(right ? frame.width - shown.px + 12 : shown.px + 12, frame.width),
    [low ? 'bottom' : 'top']: percent(low ? frame.height - shown.py + 8 : shown.py + 8, frame.height),
  };
  return (
    <>
      {shown && (
        <div class="tooltip" aria-hidden="true" style={place ?? {}}>
          {lines.map((line, i) => (
            <div key={i} class={i === 0 ? 'first' : ''}>
              <bdi>{line.length > 160 ? `${line.slice(0, 159)}…` : line}</bdi>
            </div>
          ))}
          {target(props, shown) && !props.open && <div class="soft">click or Enter opens it</div>}
        </div>
      )}
      <div class="hidden" role="status">
        {at?.spoken ? lines.join(', ') : ''}
      </div>
    </>
  );
}
