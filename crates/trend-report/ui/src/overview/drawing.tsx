/** The drawing of a view: axes, laws with their points, and labels beside them that are legend and read-out. */

import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId } from 'preact/hooks';

import { size, tick } from '../format/number';
import { shorten } from '../format/text';
import { Axes } from '../plot/axes';
import { apart } from '../plot/labels';
import { band, c, crosses, polyline, type Pixel } from '../plot/marks';
import { scale, type Scale } from '../plot/scale';
import { linearTicks, ticks } from '../plot/ticks';
import { go, href } from '../state/route';
import { answer } from './answer';
import { failedAt, readOut, valueAt, type Extent } from './curves';
import { colourOf, shapes } from './marks';
import { across, upright, type Curve, type ViewName } from './views';

/** Narrower drawings have no room for labels beside them. */
const NARROW = 520;
const LABEL_GAP = 18;
/** Characters of a name that tell it from others. */
const LEAST_NAME = 10;
/** Of a character of a label, rather too large. */
const CHARACTER = 6.9;

interface Frame {
  curves: Curve[];
  name: ViewName;
  extent: Extent & { to: number };
  width: number;
  height: number;
  isNarrow: boolean;
  x: Scale;
  y: Scale;
}

const HEIGHT = 400;
const HEIGHT_IF_NARROW = 250;
const TOP = 30;
const BOTTOM = 36;

export function frameOf(
  curves: Curve[],
  name: ViewName,
  extent: Extent & { to: number },
  width: number,
  tall: number,
): Frame {
  const isNarrow = width < NARROW;
  const height = Math.round((isNarrow ? HEIGHT_IF_NARROW : HEIGHT) * tall);
  const right = isNarrow ? 10 : Math.min(Math.max(width * 0.26, 210), 300);
  const x = scale('log', [extent.from, extent.to], [56, Math.max(width - right, 80)]);
  return {
    curves,
    name,
    extent,
    width,
    height,
    isNarrow,
    x,
    y: upright(name, curves, [height - BOTTOM, TOP]),
  };
}

interface DrawingProps extends Frame {
  svg: RefObject<SVGSVGElement | null>;
  read: Signal<number | null>;
  /** The one that somebody clicked. */
  strong: Signal<string | null>;
  over: { at: number; name: string } | null;
  title: string;
  summary: string;
}

export function Drawing(props: DrawingProps) {
  const { curves, name, extent, width, height, isNarrow, x, y, svg, read, strong, over } = props;
  const clip = useId();
  const [left, right] = x.range;
  const bottom = height - BOTTOM;
  const largest = c(x.at(Math.min(extent.largest, extent.to)));
  const look = (at: number | null) => (read.value = at);
  const point = (event: PointerEvent) => {
    const box = svg.current?.getBoundingClientRect();
    const px = box ? ((event.clientX - box.left) * width) / Math.max(box.width, 1) : NaN;
    look(px >= left && px <= right ? x.invert(px) : null);
  };
  const key = (event: KeyboardEvent) => {
    const step = (extent.to / extent.from) ** 0.04;
    const now = read.value ?? extent.largest;
    if (event.key === 'ArrowRight') look(Math.min(now * step, extent.to));
    else if (event.key === 'ArrowLeft') look(Math.max(now / step, extent.from));
    else if (event.key === 'Escape') look(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const said = read.value === null ? '' : readOut(curves, name, read.value);
  return (
    <>
      <svg
        ref={svg}
        class="growth-plot"
        viewBox={`0 0 ${width} ${height}`}
        tabIndex={0}
        role="application"
        aria-roledescription="plot"
        aria-label={`${props.title}. ${props.summary} Arrow keys read values.`}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={(e) => e.pointerType !== 'touch' && look(null)}
        onKeyDown={key}
        onBlur={() => look(null)}
      >
        <clipPath id={clip}>
          <rect x={left} y={TOP - 6} width={right - left} height={bottom - TOP + 6} />
        </clipPath>
        <Axes
          x={x}
          y={y}
          across={across(x.domain, right - left)}
          up={name === 'share' ? linearTicks([0, 1], 4) : ticks(y.kind, y.domain, 5)}
          xText={tick}
          yText={name === 'share' ? (v) => `${Math.round(v * 100)} %` : tick}
          label={extent.feature}
          ahead={extent.largest}
        />
        <g clip-path={`url(#${clip})`}>
          {name === 'share'
            ? stack(props)
            : [...curves]
                .reverse()
                .map((curve) => (
                  <Line key={keyOf(curve)} curve={curve} frame={props} pale={isPale(strong.value, curve)} />
                ))}
        </g>
        {!isNarrow && (
          <text class="halo" x={Number(largest) - 6} y={TOP - 8} text-anchor="end">
            largest run {size(Number(extent.largest.toPrecision(2)))}
          </text>
        )}
        <path
          class="failed"
          d={crosses(
            failedAt(extent).map((n): Pixel => [x.at(n), bottom]),
            4,
          )}
        />
        {name === 'share' && over && over.at < extent.to && (
          <Overtaking over={over} at={x.at(over.at)} bottom={bottom} isNarrow={isNarrow} />
        )}
        {!isNarrow && <Labels {...props} />}
        {read.value !== null && <path class="cross" d={`M${c(x.at(read.value))} ${TOP}V${bottom}`} />}
      </svg>
      <div class="hidden" role="status">
        {said}
      </div>
    </>
  );
}

const isPale = (strong: string | null, curve: Curve) => strong !== null && strong !== curve.name;

const keyOf = (curve: Curve) => curve.side ?? curve.mark;

function classOf({ mark, side }: Curve, pale: boolean): string {
  return [mark < 0 && 'whole', side, pale && 'pale'].filter(Boolean).join(' ');
}

/** A law with its points, its interval where it is not decided, and where it is at the target. */
function Line({ curve, frame, pale }: { curve: Curve; frame: Frame; pale: boolean }) {
  const { x, y, extent } = frame;
  const pixels = (some: Curve['points']) => polyline(some.map((p): Pixel => [x.at(p.x), y.at(p.y)]));
  const floor = frame.height - BOTTOM;
  const edge = (v: number) => (Number.isFinite(y.at(v)) ? y.at(v) : floor);
  const ribbon = curve.decided || curve.mark < 0 ? [] : curve.points.filter((p) => p.ci !== null);
  const end = curve.points.find((p) => p.x >= extent.at * 0.999) ?? null;
  const isAhead = extent.at > extent.largest * 1.2;
  return (
    <g class={classOf(curve, pale)} style={colourOf(curve.mark, curve.side)}>
      <path
        class="between"
        d={band(ribbon.map((p) => [x.at(p.x), edge(p.ci?.[0] ?? 0), edge(p.ci?.[1] ?? 0)] as const))}
      />
      <path class="law" d={pixels(curve.points.filter((p) => p.x <= extent.largest * 1.0001))} />
      <path class="law dashed" d={pixels(curve.points.filter((p) => p.x >= extent.largest * 0.9999))} />
      <path
        class="filled"
        d={shapes(
          curve.measured.map(([n, v]): Pixel => [x.at(n), y.at(v)]),
          Math.max(curve.mark, curve.mark < 0 ? 1 : 0),
          3,
        )}
      />
      {end?.ci && isAhead && ribbon.length > 0 && (
        <path
          class="whisker"
          d={`M${c(x.at(extent.at))} ${c(edge(end.ci[0]))}V${c(edge(end.ci[1]))}m-4 0h8M${c(x.at(extent.at) - 4)} ${c(edge(end.ci[0]))}h8`}
        />
      )}
      {end && isAhead && ribbon.length > 0 && (
        <path class="diamond" d={shapes([[x.at(extent.at), y.at(end.y)]], 4, 4.5)} />
      )}
    </g>
  );
}

/** Areas on each other, the named one below; paler where nothing was run. */
function stack({ curves, x, y, extent }: Frame) {
  const isNamed = (curve: Curve) => Number(curve.part?.id === answer.value?.named?.id);
  const order = [...curves].sort((a, b) => isNamed(b) - isNamed(a));
  const below = new Map<number, number>();
  // Where one of them has no law, nothing says what the others are a part of.
  const from = Math.max(...curves.map((curve) => curve.points[0]?.x ?? Infinity));
  return order.map((curve) => {
    const area = curve.points
      .filter((p) => p.x >= from)
      .map((p) => {
        const low = below.get(p.x) ?? 0;
        below.set(p.x, low + p.y);
        return { n: p.x, area: [x.at(p.x), y.at(low), y.at(low + p.y)] as const };
      });
    const run = area.filter(({ n }) => n <= extent.largest * 1.0001).map((p) => p.area);
    const beyond = area.filter(({ n }) => n >= extent.largest * 0.9999).map((p) => p.area);
    return (
      <g key={curve.mark} class="area" style={colourOf(curve.mark)}>
        <path d={band(run)} />
        <path class="beyond" d={band(beyond)} />
      </g>
    );
  });
}

function Overtaking(props: { over: { name: string }; at: number; bottom: number; isNarrow: boolean }) {
  return (
    <>
      <path class="cross" d={`M${c(props.at)} ${TOP - 14}V${props.bottom}`} />
      {!props.isNarrow && (
        <text class="halo" x={c(props.at)} y={TOP - 18} text-anchor="end">
          from here on {props.over.name} is the largest
        </text>
      )}
    </>
  );
}

/** Legend and read-out in one: they stay where they are while somebody reads. */
function Labels({ curves, name, extent, x, y, width, height, read, strong }: DrawingProps) {
  const [, right] = x.range;
  const at = extent.at;
  let sum = 0;
  const placed = curves
    .map((curve) => {
      const last = curve.points.at(-1);
      const share = last?.y ?? 0;
      sum += name === 'share' ? share : 0;
      const value =
        name === 'share' ? sum - share / 2 : (curve.points.find((p) => p.x >= at * 0.999)?.y ?? share);
      const pixel = y.at(value);
      return { curve, end: Number.isFinite(pixel) ? Math.min(Math.max(pixel, TOP), height - BOTTOM) : TOP };
    })
    .sort((a, b) => a.end - b.end);
  const ys = apart(
    placed.map((p) => p.end),
    LABEL_GAP,
    TOP + 6,
    height - BOTTOM,
  );
  const room = Math.floor((width - right - 36) / CHARACTER);
  const shown = read.value ?? at;
  return (
    <g class="labels">
      <text x={right + 14} y={TOP - 12}>
        at {size(Number(shown.toPrecision(2)))}
      </text>
      {placed.map(({ curve, end }, i) => {
        const top = ys[i] ?? end;
        const [value, full] = valueAt(curve, name, shown, read.value !== null);
        const left = room - value.length - 1;
        // An interval that leaves no room for the name is left to the table.
        const interval = left - full.length - 1 >= LEAST_NAME ? full : '';
        const columns = Math.max(interval === '' ? left : left - interval.length - 1, 6);
        return (
          <g
            key={keyOf(curve)}
            class={`label ${classOf(curve, isPale(strong.value, curve))}`}
            style={colourOf(curve.mark, curve.side)}
            onClick={() => (strong.value = strong.value === curve.name ? null : curve.name)}
            onDblClick={() => open(curve)}
          >
            <path
              class="leader"
              d={`M${c(x.at(name === 'share' ? extent.to : at) + 4)} ${c(end)}L${right + 14} ${c(top)}`}
            />
            <path
              class="filled"
              d={shapes([[right + 22, top]], Math.max(curve.mark, curve.mark < 0 ? 1 : 0), 4)}
            />
            <text x={right + 32} y={c(top + 4)}>
              {shorten(curve.name, columns)} <tspan class="value">{value}</tspan>
              {interval !== '' && <tspan class="soft"> {interval}</tspan>}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function open({ part }: Curve): void {
  if (part && part.id !== '') go(href('function', part.id));
}
