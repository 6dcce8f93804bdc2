/** Handles pointers and keys in a plot: finds the point they are at, moves to points, opens them and selects ranges. */

import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';

import { cost, featureSize } from '../format/number';
import { visible } from '../format/text';
import type { Frame } from './domain';
import type { Range, Scale } from './scale';
import { looked } from './state';
import type { PlotProps, Series } from './types';
import { go } from '../state/state';

/** Maximum distance from a pointer to a point, in pixels. */
const REACH = 28;
/** Movement in pixels below which a drag counts as a click. */
export const CLICK = 5;

/** The range being selected, in pixels of x. */
export type Brush = readonly [from: number, to: number];

export function useGestures(
  props: PlotProps,
  frame: Frame,
  all: Hit[],
  svg: RefObject<SVGSVGElement | null>,
  showAll: () => void,
) {
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
    // Ignores touch: a finger moves as it comes down, and looking at the point now would make its tap the second one.
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
    // The first tap describes the point, the second opens it. A small plot opens at once.
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
    // Escape leaves only a point chosen by keys; a point under the pointer is left by moving the pointer.
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
      // Lifting a finger fires this event too; the tapped point stays for the second tap.
      onPointerLeave: (event: PointerEvent) => {
        if (event.pointerType !== 'touch') look(null, false);
      },
      onDblClick: showAll,
      onKeyDown: key,
      onBlur: () => look(null, false),
    } as Record<string, (event: never) => void>,
  };
}

/** Returns the values between two pixels, clipped to the axis. */
export function rangeOf(s: Scale, a: number, b: number): Range {
  const clip = (p: number) => Math.min(Math.max(p, Math.min(...s.range)), Math.max(...s.range));
  const [p, q] = [s.invert(clip(a)), s.invert(clip(b))];
  return [Math.min(p, q), Math.max(p, q)];
}

export interface Hit {
  /** Position of the series. */
  series: number;
  /** Id of the point, the same in linked plots. */
  id: number;
  x: number;
  y: number;
  /** Position in pixels. */
  px: number;
  py: number;
}

/** Returns the visible points by ascending x, the order of the arrow keys. */
export function hits(series: readonly Series[], x: Scale, y: Scale): Hit[] {
  const found: Hit[] = [];
  const add = (s: number, id: number, vx: number | null | undefined, vy: number | null | undefined) => {
    if (vx === null || vx === undefined || vy === null || vy === undefined) return;
    const [px, py] = [x.at(vx), y.at(vy)];
    if (inside(px, x.range) && inside(py, y.range)) found.push({ series: s, id, x: vx, y: vy, px, py });
  };
  series.forEach((s, at) => {
    if (s.kind === 'points') s.y.forEach((vy, i) => add(at, s.ids?.[i] ?? i, s.x[i], vy));
  });
  return found.sort((a, b) => a.px - b.px || b.py - a.py);
}

function inside(pixel: number, [a, b]: readonly [number, number]): boolean {
  return pixel >= Math.min(a, b) - 0.5 && pixel <= Math.max(a, b) + 0.5;
}

/** Returns the nearest point within `reach` pixels. */
export function nearest(all: readonly Hit[], px: number, py: number, reach: number): Hit | null {
  let best: Hit | null = null;
  let distance = reach * reach;
  for (const hit of all) {
    const d = (hit.px - px) ** 2 + (hit.py - py) ** 2;
    if (d <= distance) [best, distance] = [hit, d];
  }
  return best;
}

/** Returns the next point in a direction; without a start, the first or the last point. */
export function step(all: readonly Hit[], from: Hit | null, by: 1 | -1, axis: 'x' | 'y'): Hit | null {
  const order = axis === 'x' ? all : [...all].sort((a, b) => b.py - a.py || a.px - b.px);
  const at = order.findIndex((h) => h.series === from?.series && h.id === from.id);
  if (at < 0) return order[by > 0 ? 0 : order.length - 1] ?? null;
  return order[at + by] ?? order[at] ?? null;
}

/** Describes a point: its name, then one line for each value. */
export function describe(props: PlotProps, hit: Hit): string[] {
  const s = props.series[hit.series];
  const say = formats(props);
  const [x, y] = [`${visible(props.x.label)}: ${say.x(hit.x)}`, `${visible(props.y.label)}: ${say.y(hit.y)}`];
  if (s?.kind === 'points') {
    const at = s.ids ? s.ids.indexOf(hit.id) : hit.id;
    const value = s.value?.[at];
    return [
      s.labels ? visible(s.labels(hit.id)) : s.name,
      x,
      s.approximate ? y.replace(': ', ': ≈ ') : y,
      ...(value !== null && value !== undefined ? [`${s.valueLabel ?? 'value'}: ${say.x(value)}`] : []),
      ...(s.detail?.(hit.id) ?? []),
    ];
  }
  return [s?.name ?? '', x, y];
}

export function formats(props: PlotProps): { x: (v: number) => string; y: (v: number) => string } {
  return {
    x: props.x.format ?? ((v) => featureSize(props.x.label, v)),
    y: props.y.format ?? ((v) => cost(v, 4)),
  };
}

/** Returns the address that a point links to. */
export function target(props: PlotProps, hit: Hit | null): string | null {
  const s = hit ? props.series[hit.series] : undefined;
  return hit && s?.kind === 'points' && s.open ? s.open(hit.id) : null;
}
