/** What a pointer or the arrow keys can be at. */

import { cost, size } from '../format/number';
import { visible } from '../format/text';
import type { Scale } from './scale';
import type { PlotProps, Series } from './types';

export interface Hit {
  /** Position of the series. */
  series: number;
  /** A point's id, the same in linked plots. */
  id: number;
  x: number;
  y: number;
  /** In pixels. */
  px: number;
  py: number;
}

/** By ascending x, as the arrow keys go. */
export function hits(series: readonly Series[], x: Scale, y: Scale): Hit[] {
  const found: Hit[] = [];
  const add = (s: number, id: number, vx: number | null | undefined, vy: number | null | undefined) => {
    if (vx === null || vx === undefined || vy === null || vy === undefined) return;
    const [px, py] = [x.at(vx), y.at(vy)];
    if (inside(px, x.range) && inside(py, y.range)) found.push({ series: s, id, x: vx, y: vy, px, py });
  };
  series.forEach((s, at) => {
    if (s.kind === 'points') s.y.forEach((vy, i) => add(at, s.ids?.[i] ?? i, s.x[i], vy));
    if (s.kind === 'markers') s.points.forEach((p, i) => add(at, i, p.x, p.y));
  });
  return found.sort((a, b) => a.px - b.px || b.py - a.py);
}

function inside(pixel: number, [a, b]: readonly [number, number]): boolean {
  return pixel >= Math.min(a, b) - 0.5 && pixel <= Math.max(a, b) + 0.5;
}

/** The nearest within `reach` pixels. */
export function nearest(all: readonly Hit[], px: number, py: number, reach: number): Hit | null {
  let best: Hit | null = null;
  let distance = reach * reach;
  for (const hit of all) {
    const d = (hit.px - px) ** 2 + (hit.py - py) ** 2;
    if (d <= distance) [best, distance] = [hit, d];
  }
  return best;
}

/** The next in a direction; from nowhere the first or the last. */
export function step(all: readonly Hit[], from: Hit | null, by: 1 | -1, axis: 'x' | 'y'): Hit | null {
  const order = axis === 'x' ? all : [...all].sort((a, b) => b.py - a.py || a.px - b.px);
  const at = order.findIndex((h) => h.series === from?.series && h.id === from.id);
  if (at < 0) return order[by > 0 ? 0 : order.length - 1] ?? null;
  return order[at + by] ?? order[at] ?? null;
}

/** What there is to say about a point: its name first, then one line each. */
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
  if (s?.kind === 'markers') {
    const p = s.points[hit.id];
    const interval = p && p.lo !== null && p.hi !== null ? [`interval: ${say.y(p.lo)} – ${say.y(p.hi)}`] : [];
    return [p?.label ?? s.name, x, y, ...interval];
  }
  return [s?.name ?? '', x, y];
}

export function formats(props: PlotProps): { x: (v: number) => string; y: (v: number) => string } {
  return { x: props.x.format ?? size, y: props.y.format ?? ((v) => cost(v, 4)) };
}

/** Where a point leads. */
export function target(props: PlotProps, hit: Hit | null): string | null {
  const s = hit ? props.series[hit.series] : undefined;
  return hit && s?.kind === 'points' && s.open ? s.open(hit.id) : null;
}
