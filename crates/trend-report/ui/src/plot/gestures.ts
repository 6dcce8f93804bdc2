/** Pointers and keys: what they do to the point that is looked at and to the part that is shown. */

import { useSignal, type Signal } from '@preact/signals';
import type { RefObject } from 'preact';

import { go, setParams } from '../state/route';
import type { Frame } from './frame';
import { keys } from './frame';
import { nearest, step, target, type Hit } from './hits';
import { writeRange, zoomed, type Range, type Scale } from './scale';
import { looked } from './state';
import type { PlotProps } from './types';

/** How near a pointer has to be to a point, in pixels. */
const REACH = 28;
/** A shorter way is a click. */
const CLICK = 5;
/** A drag that is this flat chooses a range of x only. */
const FLAT = 14;

/** A rectangle that is being drawn, in pixels. */
export interface Brush {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface Gestures {
  brush: Signal<Brush | null>;
  handlers: Record<string, (event: never) => void>;
}

export function useGestures(
  props: PlotProps,
  frame: Frame,
  all: Hit[],
  svg: RefObject<SVGSVGElement | null>,
): Gestures {
  const brush = useSignal<Brush | null>(null);
  const link = props.link ?? props.id;
  const at = (event: PointerEvent | WheelEvent): [number, number] => {
    const box = svg.current?.getBoundingClientRect();
    if (!box) return [0, 0];
    const ratio = frame.width / Math.max(box.width, 1);
    return [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
  };
  const look = (hit: Hit | null, spoken: boolean) => {
    const now = looked.peek();
    if (!hit && now?.plot !== props.id) return;
    if (hit && now?.plot === props.id && now.series === hit.series && now.id === hit.id) return;
    looked.value = hit && { link, plot: props.id, series: hit.series, id: hit.id, spoken };
  };
  const current = (): Hit | null => {
    const now = looked.peek();
    if (now?.plot !== props.id) return null;
    return all.find((h) => h.series === now.series && h.id === now.id) ?? null;
  };
  const open = (hit: Hit | null) => {
    if (props.small) return props.small.open();
    const where = target(props, hit);
    if (where) go(where);
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const [x, y] = at(event);
    svg.current?.setPointerCapture(event.pointerId);
    brush.value = { x0: x, y0: y, x1: x, y1: y };
  };
  const move = (event: PointerEvent) => {
    // A finger that comes down moves as well: what it looks at is for its tap to say, which opens what is looked at.
    if (event.pointerType === 'touch') return;
    const [x, y] = at(event);
    const drawn = brush.peek();
    if (drawn) brush.value = { ...drawn, x1: x, y1: y };
    else look(nearest(all, x, y, REACH), false);
  };
  const up = (event: PointerEvent) => {
    const drawn = brush.peek();
    brush.value = null;
    if (!drawn) return;
    const [x, y] = at(event);
    const rectangle = { ...drawn, x1: x, y1: y };
    if (Math.hypot(x - drawn.x0, y - drawn.y0) < CLICK) open(nearest(all, x, y, REACH / 2));
    else if (props.onBrush) props.onBrush(rangeOf(frame.x, drawn.x0, x));
    else zoomTo(props, frame, rectangle);
  };
  const tap = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') return;
    const [x, y] = at(event);
    const hit = nearest(all, x, y, REACH);
    const before = current();
    // The first tap says what it is, the second opens it; what is small opens at once.
    if (props.small) open(hit);
    else if (hit && before?.id === hit.id && before.series === hit.series) open(hit);
    else look(hit, false);
  };
  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const [x, y] = at(event);
    zoomBy(props, frame, event.deltaY > 0 ? 1.25 : 0.8, [frame.x.invert(x), frame.y.invert(y)]);
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const hit = current();
    const around = hit ? ([hit.x, hit.y] as const) : undefined;
    const act: Record<string, () => void> = {
      ArrowRight: () => look(step(all, hit, 1, 'x'), true),
      ArrowLeft: () => look(step(all, hit, -1, 'x'), true),
      ArrowUp: () => look(step(all, hit, 1, 'y'), true),
      ArrowDown: () => look(step(all, hit, -1, 'y'), true),
      Home: () => look(all[0] ?? null, true),
      End: () => look(all[all.length - 1] ?? null, true),
      Enter: () => open(hit),
      '+': () => zoomBy(props, frame, NEARER, around),
      '-': () => zoomBy(props, frame, 1 / NEARER, around),
      '0': () => resetZoom(props),
    };
    const found = act[event.key];
    // What only the pointer is at is left by moving it.
    if (event.key === 'Escape' && hit && looked.peek()?.spoken) look(null, true);
    else if (!found) return;
    else found();
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    brush,
    handlers: {
      onPointerDown: down,
      onPointerMove: move,
      onPointerUp: (event: PointerEvent) => (up(event), tap(event)),
      onPointerCancel: () => (brush.value = null),
      // A finger leaves whenever it is lifted; what it tapped stays, for the second tap.
      onPointerLeave: (event: PointerEvent) => {
        if (event.pointerType !== 'touch') look(null, false);
      },
      onDblClick: () => resetZoom(props),
      onWheel: wheel,
      onKeyDown: key,
      onBlur: () => look(null, false),
    } as Record<string, (event: never) => void>,
  };
}

/** One step nearer. */
const NEARER = 0.6;

/** Shows a part that is `factor` times as long, around a place; by default around the middle. */
function zoomBy(props: PlotProps, frame: Frame, factor: number, around?: readonly [number, number]): void {
  const { x, y } = frame;
  const middle = (s: Scale) => s.invert((s.range[0] + s.range[1]) / 2);
  const [atX, atY] = around ?? [middle(x), middle(y)];
  setParams({
    [keys(props).zoomX]: writeRange(zoomed(x.kind, x.domain, atX, factor)),
    [keys(props).zoomY]: writeRange(zoomed(y.kind, y.domain, atY, factor)),
  });
}

export function resetZoom(props: PlotProps): void {
  setParams({ [keys(props).zoomX]: null, [keys(props).zoomY]: null }, 'push');
}

/** From one pixel to another, as far as the axis goes. */
function rangeOf(s: Scale, a: number, b: number): Range {
  const clip = (p: number) => Math.min(Math.max(p, Math.min(...s.range)), Math.max(...s.range));
  const [p, q] = [s.invert(clip(a)), s.invert(clip(b))];
  return [Math.min(p, q), Math.max(p, q)];
}

function zoomTo(props: PlotProps, frame: Frame, { x0, y0, x1, y1 }: Brush): void {
  const onlyX = Math.abs(y1 - y0) < FLAT;
  setParams(
    {
      [keys(props).zoomX]: writeRange(rangeOf(frame.x, x0, x1)),
      ...(onlyX ? {} : { [keys(props).zoomY]: writeRange(rangeOf(frame.y, y0, y1)) }),
    },
    'push',
  );
}
