/** Pointers and keys: what they do to the point that is looked at and to the part that is shown. */

import { useSignal, type Signal } from '@preact/signals';
import type { RefObject } from 'preact';

import { go } from '../state/route';
import type { Frame } from './frame';
import { nearest, step, target, type Hit } from './hits';
import type { Range, Scale } from './scale';
import { looked } from './state';
import type { PlotProps } from './types';

/** How near a pointer has to be to a point, in pixels. */
const REACH = 28;
/** A shorter way is a click. */
const CLICK = 5;

/** What is being drawn over, in pixels of x. */
export type Brush = readonly [from: number, to: number];

export interface Gestures {
  brush: Signal<Brush | null>;
  handlers: Record<string, (event: never) => void>;
}

export function useGestures(
  props: PlotProps,
  frame: Frame,
  all: Hit[],
  svg: RefObject<SVGSVGElement | null>,
  showAll: () => void,
): Gestures {
  const brush = useSignal<Brush | null>(null);
  const at = (event: PointerEvent): [number, number] => {
    const box = svg.current?.getBoundingClientRect();
    if (!box) return [0, 0];
    const ratio = frame.width / Math.max(box.width, 1);
    return [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
  };
  const look = (hit: Hit | null, spoken: boolean) => {
    const now = looked.peek();
    if (!hit && now?.plot !== props.id) return;
    if (hit && now?.plot === props.id && now.series === hit.series && now.id === hit.id) return;
    looked.value = hit && { link: props.link, plot: props.id, series: hit.series, id: hit.id, spoken };
  };
  const current = (): Hit | null => {
    const now = looked.peek();
    if (now?.plot !== props.id) return null;
    return all.find((h) => h.series === now.series && h.id === now.id) ?? null;
  };
  const open = (hit: Hit | null) => {
    const where = target(props, hit);
    if (props.open) props.open();
    else if (where) go(where);
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const [x] = at(event);
    svg.current?.setPointerCapture(event.pointerId);
    brush.value = [x, x];
  };
  const move = (event: PointerEvent) => {
    // A finger that comes down moves as well: what it looks at is for its tap to say, which opens what is looked at.
    if (event.pointerType === 'touch') return;
    const [x, y] = at(event);
    const drawn = brush.peek();
    if (drawn) brush.value = [drawn[0], x];
    else look(nearest(all, x, y, REACH), false);
  };
  const up = (event: PointerEvent) => {
    const [x, y] = at(event);
    if (event.pointerType === 'touch') return tap(x, y);
    const drawn = brush.peek();
    brush.value = null;
    if (!drawn) return;
    if (Math.abs(x - drawn[0]) < CLICK) open(nearest(all, x, y, REACH / 2));
    else props.onBrush?.(rangeOf(frame.x, drawn[0], x));
  };
  const tap = (x: number, y: number) => {
    const hit = nearest(all, x, y, REACH);
    const before = current();
    // The first tap says what it is, the second opens it; what is small opens at once.
    const isSecond = hit !== null && before?.id === hit.id && before.series === hit.series;
    if (props.open || isSecond) open(hit);
    else look(hit, false);
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const hit = current();
    const act: Record<string, () => void> = {
      ArrowRight: () => look(step(all, hit, 1, 'x'), true),
      ArrowLeft: () => look(step(all, hit, -1, 'x'), true),
      ArrowUp: () => look(step(all, hit, 1, 'y'), true),
      ArrowDown: () => look(step(all, hit, -1, 'y'), true),
      Home: () => look(all[0] ?? null, true),
      End: () => look(all[all.length - 1] ?? null, true),
      Enter: () => open(hit),
      '0': showAll,
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
      onPointerUp: up,
      onPointerCancel: () => (brush.value = null),
      // A finger leaves whenever it is lifted; what it tapped stays, for the second tap.
      onPointerLeave: (event: PointerEvent) => {
        if (event.pointerType !== 'touch') look(null, false);
      },
      onDblClick: showAll,
      onKeyDown: key,
      onBlur: () => look(null, false),
    } as Record<string, (event: never) => void>,
  };
}

/** From one pixel to another, as far as the axis goes. */
function rangeOf(s: Scale, a: number, b: number): Range {
  const clip = (p: number) => Math.min(Math.max(p, Math.min(...s.range)), Math.max(...s.range));
  const [p, q] = [s.invert(clip(a)), s.invert(clip(b))];
  return [Math.min(p, q), Math.max(p, q)];
}
