/**
 * Draws laws: axes, curves with their points, and labels that are both legend and read-out. Adds a heading, a table and
 * downloads.
 */

import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useMemo, useRef } from 'preact/hooks';

import { clamp, featureSize, featureTick, roundSize, tick } from '../format/number';
import { shorten } from '../format/text';
import {
  across,
  type Curve,
  type Extent,
  failedAt,
  isNamed,
  readOut,
  upright,
  valueAt,
  type ViewName,
} from './views';
import { type Brush, CLICK, rangeOf } from '../plot/gestures';
import { band, c, crosses, type Pixel, shapes } from '../plot/marks';
import { BrushBand } from '../plot/plot';
import { linearTicks, type Range, scale, type Scale, ticks, writeRange } from '../plot/scale';
import { Axes, colourOf, Mark, SeriesMarks } from '../plot/series';
import { useWidth } from '../plot/state';
import { DataTable, hasTable, Tools } from '../plot/toolbar';
import type { PlotProps, Series } from '../plot/types';
import { go, href, setParams } from '../state/state';

/** Width below which a drawing has no room for labels next to it. */
const NARROW = 520;
const LABEL_GAP = 18;
/** Characters needed to tell a name from others. */
const LEAST_NAME = 10;
/** Width of a label's character in pixels, rounded up. */
const CHARACTER = 6.9;

/** A selection whose ends have a smaller ratio does not zoom. */
const LEAST_RATIO = 1.01;

const HEIGHT = 400;
const HEIGHT_IF_NARROW = 250;
const TOP = 30;
const BOTTOM = 36;

interface LawsFigureProps {
  id: string;
  /** Heading above the drawing. Its files are titled `title`. */
  heading: string;
  title: string;
  summary: string;
  yLabel: string;
  view: ViewName;
  curves: Curve[];
  extent: Extent;
  /** The size at which a curve becomes the highest, and the curve's name. */
  over?: { at: number; name: string } | null;
  controls: ComponentChildren;
}

export function LawsFigure(props: LawsFigureProps) {
  const { id, heading, title, summary, yLabel, view, curves, extent, over = null, controls } = props;
  const { from, largest, at, to, isZoomed } = extent;
  const svg = useRef<SVGSVGElement>(null);
  const { ref, width, tall } = useWidth(id);
  const read = useSignal<number | null>(null);
  const brush = useSignal<Brush | null>(null);
  const zoom = (range: Range | null) =>
    setParams({ [`${id}.zoom`]: range && `${extent.feature}:${writeRange(range)}` }, 'push');
  /** Name of the curve that the reader clicked. */
  const strong = useSignal<string | null>(null);
  const clip = useId();
  const isNarrow = width < NARROW;
  const height = Math.round((isNarrow ? HEIGHT_IF_NARROW : HEIGHT) * tall);
  const drawn = useMemo((): Drawn => {
    const margin = isNarrow ? 10 : clamp(width * 0.26, 210, 300);
    const x = scale('log', [from, to], [56, Math.max(width - margin, 80)]);
    const seen = curves.map((curve) => ({
      ...curve,
      measured: curve.measured.filter(([n]) => !isZoomed || (n >= from && n <= to)),
    }));
    return { ...{ view, curves, extent, width, x }, y: upright(view, seen, [height - BOTTOM, TOP]) };
  }, [curves, view, from, largest, at, to, width, height]);
  const series = useMemo(() => curves.map((curve) => seriesOf(curve, extent)), [drawn]);
  const marks = useMemo(
    () => (view === 'share' ? stack(drawn) : <Laws drawn={drawn} series={series} strong={strong} />),
    [drawn],
  );
  const { x, y } = drawn;
  const [left, right] = x.range;
  const [bottom] = y.range;
  const failed = failedAt(extent).map((n): Pixel => [x.at(n), bottom]);
  const plot: PlotProps = {
    ...{ id, link: id, title, summary, series: series.flat() },
    x: { label: extent.feature },
    y: { label: yLabel },
  };
  const look = (at: number | null) => (read.value = at);
  const pixelOf = (event: MouseEvent) => {
    const box = svg.current?.getBoundingClientRect();
    return box ? ((event.clientX - box.left) * width) / Math.max(box.width, 1) : NaN;
  };
  const isInside = (px: number) => px >= left && px <= right;
  const point = (event: PointerEvent) => {
    const px = pixelOf(event);
    look(isInside(px) ? x.invert(px) : null);
    const begun = brush.peek();
    if (begun) brush.value = [begun[0], px];
  };
  const down = (event: PointerEvent) => {
    point(event);
    const px = pixelOf(event);
    if (event.button !== 0 || event.pointerType === 'touch' || !isInside(px)) return;
    svg.current?.setPointerCapture(event.pointerId);
    brush.value = [px, px];
  };
  const up = () => {
    const [a, b] = brush.peek() ?? [0, 0];
    brush.value = null;
    const [low, high] = rangeOf(x, a, b);
    if (Math.abs(a - b) >= CLICK && high > low * LEAST_RATIO) zoom([low, high]);
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (to / from) ** 0.04;
    const now = clamp(read.value ?? largest, from, to);
    if (event.key === 'ArrowRight') look(Math.min(now * step, to));
    else if (event.key === 'ArrowLeft') look(Math.max(now / step, from));
    else if (event.key === 'Escape') look(null);
    else if (event.key === '0') zoom(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section class="growth">
      <div class="head wrap">
        <h2>{heading}</h2>
        <span class="soft wide">points are measured, dashes are predicted</span>
        <div class="tools wrap">
          {controls}
          {isZoomed && (
            <button type="button" title="show all (0, or double-click)" onClick={() => zoom(null)}>
              Show all
            </button>
          )}
          <Tools plot={plot} svg={svg} />
        </div>
      </div>
      <div class="drawing" ref={ref}>
        <svg
          ref={svg}
          class="growth-plot"
          viewBox={`0 0 ${width} ${height}`}
          tabIndex={0}
          role="application"
          aria-roledescription="plot"
          aria-label={`${title}. ${summary} Arrow keys read values; a drag zooms in, 0 shows all.`}
          onPointerMove={point}
          onPointerDown={down}
          onPointerUp={up}
          onPointerCancel={() => (brush.value = null)}
          onDblClick={(event) => isInside(pixelOf(event)) && zoom(null)}
          onPointerLeave={(e) => e.pointerType !== 'touch' && look(null)}
          onKeyDown={key}
          onBlur={() => look(null)}
        >
          <clipPath id={clip}>
            <rect x={left} y={TOP - 6} width={right - left} height={bottom - TOP + 6} />
          </clipPath>
          <Axes
            {...{ x, y }}
            across={across(x.domain, right - left)}
            up={view === 'share' ? linearTicks([0, 1], 4) : ticks(y.kind, y.domain, 5)}
            xText={(v) => featureTick(extent.feature, v)}
            yText={view === 'share' ? (v) => `${Math.round(v * 100)} %` : tick}
            label={extent.feature}
            ahead={largest}
          />
          <g clip-path={`url(#${clip})`}>{marks}</g>
          {!isNarrow && from < largest && largest <= to && (
            <text class="halo" x={c(x.at(Math.min(largest, to)) - 6)} y={TOP - 8} text-anchor="end">
              largest run {featureSize(extent.feature, largest)}
            </text>
          )}
          <path class="failed" d={crosses(failed, 4)} />
          {view === 'share' && over && over.at > from && over.at < to && (
            <>
              <path class="cross" d={`M${c(x.at(over.at))} ${TOP - 14}V${bottom}`} />
              {!isNarrow && (
                <text class="halo" x={c(x.at(over.at))} y={TOP - 18} text-anchor="end">
                  from here on {over.name} is the largest
                </text>
              )}
            </>
          )}
          {!isNarrow && <Labels drawn={drawn} read={read} strong={strong} />}
          <BrushBand brush={brush} frame={drawn} />
          {read.value !== null && <path class="cross" d={`M${c(x.at(read.value))} ${TOP}V${bottom}`} />}
        </svg>
        <div class="hidden" role="status">
          {read.value !== null && readOut(curves, view, extent.feature, read.value)}
        </div>
      </div>
      {isNarrow && <Corner {...{ curves, view, extent }} read={read.value} />}
      <p class="note">{summary}</p>
      {hasTable(id) && <DataTable props={plot} />}
    </section>
  );
}

/** The curves with the scales and the width they are drawn at. */
interface Drawn {
  view: ViewName;
  curves: Curve[];
  extent: Extent;
  width: number;
  x: Scale;
  y: Scale;
}

/**
 * Returns the series of a curve: its law, its points, its interval if it is undecided, and its position at the target.
 */
function seriesOf(
  { name, mark, side, decided, points, measured }: Curve,
  { at, largest, from }: Extent,
): Series[] {
  const ribbon = decided || mark < 0 ? [] : points.flatMap(({ x, ci }) => (ci ? [[x, ...ci] as const] : []));
  const line = (name: string, dash: boolean, some: Curve['points']): Series => {
    return { kind: 'line', name, tone: 'own', dash, points: some.map((p) => [p.x, p.y] as const) };
  };
  const ran = points.filter((p) => p.x <= largest * 1.0001);
  const beyond = points.filter((p) => p.x >= largest * 0.9999);
  const isDrawn = at > largest * 1.2 && from <= at && ribbon.length > 0;
  const end = isDrawn ? points.find((p) => p.x >= at * 0.999) : undefined;
  return [
    { kind: 'ribbon', name: `${name}, interval`, points: ribbon },
    line(`${name}, law`, side === 'before', ran),
    line(`${name}, predicted`, true, beyond),
    {
      ...{ kind: 'points', name, mark: Math.abs(mark), tone: 'own' },
      x: measured.map(([n]) => n),
      y: measured.map(([, cost]) => cost),
    },
    {
      ...{ kind: 'points', name: `${name}, target`, shape: 'diamond', tone: 'own' },
      ...{ x: end ? [at] : [], y: end ? [end.y] : [], ranges: end?.ci ? [end.ci] : [] },
    },
  ];
}

interface LawsProps {
  drawn: Drawn;
  series: Series[][];
  strong: Signal<string | null>;
}

function Laws({ drawn, series, strong }: LawsProps) {
  const groups = drawn.curves.map((curve, i) => (
    <g key={keyOf(curve)} class={classOf(curve, strong.value)} style={colourOf(curve.mark, curve.side)}>
      {series[i]?.map((one, s) => (
        <SeriesMarks key={s} series={one} frame={drawn} />
      ))}
    </g>
  ));
  return <>{groups.reverse()}</>;
}

const keyOf = (curve: Curve) => curve.side ?? curve.mark;

function classOf({ name, mark, side }: Curve, strong: string | null): string {
  return [mark < 0 && 'whole', side, strong !== null && strong !== name && 'pale'].filter(Boolean).join(' ');
}

/** Draws the curves as stacked areas, the named function at the bottom, paler beyond the largest run. */
function stack({ curves, x, y, extent: { largest } }: Drawn) {
  const rank = ({ part }: Curve) => Number(part !== null && isNamed(part));
  const below = new Map<number, number>();
  // If one part has no law, the shares of the others are unknown: starts where all of them have one.
  const from = Math.max(...curves.map((curve) => curve.points[0]?.x ?? Infinity));
  const order = [...curves].sort((a, b) => rank(b) - rank(a));
  return order.map((curve) => {
    const shown = curve.points.filter((p) => p.x >= from);
    const area = shown.map((p) => {
      const low = below.get(p.x) ?? 0;
      below.set(p.x, low + p.y);
      return { n: p.x, area: [x.at(p.x), y.at(low), y.at(low + p.y)] as const };
    });
    const part = (isRun: boolean) =>
      band(
        area.filter(({ n }) => (isRun ? n <= largest * 1.0001 : n >= largest * 0.9999)).map((p) => p.area),
      );
    return (
      <g key={curve.mark} class="area" style={colourOf(curve.mark)}>
        <path d={part(true)} />
        <path class="beyond" d={part(false)} />
      </g>
    );
  });
}

interface LabelsProps {
  drawn: Drawn;
  read: Signal<number | null>;
  strong: Signal<string | null>;
}

/** Shows the legend, which is also the read-out. Labels stay in place while the reader moves along the axis. */
function Labels({ drawn, read, strong }: LabelsProps) {
  const { curves, view, extent, x, y, width } = drawn;
  const right = x.range[1] + 14;
  const [bottom] = y.range;
  const { from, to } = extent;
  // If the target is outside the drawing, the labels point at the right edge.
  const at = extent.at < from || extent.at > to ? to : extent.at;
  let sum = 0;
  const placed = curves.map((curve) => {
    const share = curve.points.at(-1)?.y ?? 0;
    sum += view === 'share' ? share : 0;
    const value =
      view === 'share' ? sum - share / 2 : (curve.points.find((p) => p.x >= at * 0.999)?.y ?? share);
    const pixel = y.at(value);
    return { curve, end: Number.isFinite(pixel) ? clamp(pixel, TOP, bottom) : TOP };
  });
  placed.sort((a, b) => a.end - b.end);
  const ys = apart(placed.map((p) => p.end), LABEL_GAP, TOP + 6, bottom); // prettier-ignore
  const room = Math.floor((width - right - 22) / CHARACTER);
  const shown = read.value ?? extent.at;
  return (
    <g class="labels">
      <text x={right} y={TOP - 12}>
        at {sizeAt(extent, read.value)}
      </text>
      {placed.map(({ curve, end }, i) => {
        const { name, mark, side, part } = curve;
        const top = ys[i] ?? end;
        const [value, full] = valueAt(curve, view, shown, read.value !== null);
        const left = room - value.length - 1;
        // Drops the interval if it leaves no room for the name; the table still shows it.
        const interval = left - full.length - 1 >= LEAST_NAME ? full : '';
        const columns = Math.max(interval === '' ? left : left - interval.length - 1, 6);
        const from = x.at(view === 'share' ? to : at) + 4;
        return (
          <g
            key={keyOf(curve)}
            class={`label ${classOf(curve, strong.value)}`}
            style={colourOf(mark, side)}
            onClick={() => (strong.value = strong.value === name ? null : name)}
            onDblClick={() => part?.subject && go(href('function', part.subject.id))}
          >
            <path class="leader" d={`M${c(from)} ${c(end)}L${right} ${c(top)}`} />
            <path class="filled" d={shapes([[right + 8, top]], Math.abs(mark), 4)} />
            <text x={right + 18} y={c(top + 4)}>
              {shorten(name, columns)} <tspan class="value">{value}</tspan>
              {interval !== '' && <tspan class="soft"> {interval}</tspan>}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/**
 * Places labels from top to bottom, as near to their ascending wanted places as a gap between two allows. Moves a label
 * down if the one above is too near, then moves labels up from the bottom edge.
 */
export function apart(wanted: readonly number[], gap: number, highest: number, lowest: number): number[] {
  const places: number[] = [];
  for (const y of wanted) places.push(Math.max(y, (places.at(-1) ?? highest - gap) + gap));
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i] ?? 0, (places[i + 1] ?? lowest + gap) - gap);
  }
  return places;
}

/** Formats the size that the reader looks at, or else the target. */
const sizeAt = ({ feature, at }: Extent, read: number | null) =>
  read === null ? featureSize(feature, at) : roundSize(feature, read);

/** Maximum length of a name below the drawing, so that two entries fit on one line on a phone. */
const NAME_IN_CORNER = 14;

type CornerProps = Pick<Drawn, 'curves' | 'view' | 'extent'> & { read: number | null };

/** Shows the read-out below the drawing on a phone. */
function Corner({ curves, read, view, extent }: CornerProps) {
  return (
    <p class="corner wrap">
      at {sizeAt(extent, read)}:{' '}
      {curves.map((curve) => (
        <span key={keyOf(curve)} class="nowrap">
          <Mark mark={Math.max(curve.mark, 0)} side={curve.side} /> {shorten(curve.name, NAME_IN_CORNER)}{' '}
          {valueAt(curve, view, read ?? extent.at, false)[0]}
        </span>
      ))}
    </p>
  );
}
