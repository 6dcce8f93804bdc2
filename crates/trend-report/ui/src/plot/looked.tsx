/** What follows the pointer: a ring around the point that is looked at, its tooltip, the rectangle of a zoom. */

import type { Signal } from '@preact/signals';

import type { Frame } from './frame';
import type { Brush } from './gestures';
import { describe, target, type Hit } from './hits';
import { looked } from './state';
import type { PlotProps } from './types';

/** The point of this plot that is looked at, here or in a plot that is linked to it. */
function lookedAt(
  props: PlotProps,
  all: readonly Hit[],
): { hit: Hit; here: boolean; spoken: boolean } | null {
  const now = looked.value;
  if (!now || now.link !== props.link) return null;
  const here = now.plot === props.id;
  // Linked plots have the same ids in their series of points only.
  const same = (h: Hit) =>
    h.id === now.id && (here ? h.series === now.series : props.series[h.series]?.kind === 'points');
  const hit = all.find(same);
  return hit ? { hit, here, spoken: now.spoken } : null;
}

export function Ring({ props, frame, all }: { props: PlotProps; frame: Frame; all: readonly Hit[] }) {
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

export function BrushBand({ brush, frame }: { brush: Signal<Brush | null>; frame: Frame }) {
  const [from = 0, to = 0] = brush.value ?? [];
  const [bottom, top] = frame.y.range;
  if (Math.abs(to - from) < 5) return null;
  return (
    <rect class="brush" x={Math.min(from, to)} y={top} width={Math.abs(to - from)} height={bottom - top} />
  );
}

export function Tooltip({ props, frame, all }: { props: PlotProps; frame: Frame; all: readonly Hit[] }) {
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
