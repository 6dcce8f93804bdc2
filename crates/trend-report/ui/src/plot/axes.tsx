/** What every drawing stands on: rules, ticks with their labels, and the ground where nothing was run. */

import { shorten } from '../format/text';
import { c } from './marks';
import type { Scale } from './scale';

interface AxesProps {
  x: Scale;
  y: Scale;
  across: readonly number[];
  up: readonly number[];
  xText: (value: number) => string;
  yText: (value: number) => string;
  /** What the x axis is of. */
  label?: string;
  /** From here on nothing was run. */
  ahead?: number | undefined;
}

export function Axes({ x, y, across, up, xText, yText, label, ahead }: AxesProps) {
  const [left, right] = x.range;
  const [bottom, top] = y.range;
  const [xs, ys] = [inside(x, across), inside(y, up)];
  const from = ahead === undefined ? NaN : x.at(ahead);
  const isAhead = from > left && from < right - 1;
  return (
    <>
      {isAhead && <rect class="ahead" x={c(from)} y={top} width={c(right - from)} height={bottom - top} />}
      <path class="rule" d={ys.map(({ at }) => `M${left} ${c(at)}H${right}`).join('')} />
      {isAhead && <path class="edge dotted" d={`M${c(from)} ${top}V${bottom}`} />}
      <path
        class="edge"
        d={`M${left} ${bottom}H${right}${xs.map(({ at }) => `M${c(at)} ${bottom}v4`).join('')}`}
      />
      {ys.map(({ value, at }) => (
        <text key={`y${value}`} x={left - 8} y={c(at + 4)} text-anchor="end">
          {yText(value)}
        </text>
      ))}
      {xs.map(({ value, at }) => (
        <text key={`x${value}`} x={c(at)} y={bottom + 17} text-anchor="middle">
          {xText(value)}
        </text>
      ))}
      {label !== undefined && (
        <text x={right} y={bottom + 32} text-anchor="end">
          {shorten(label, 60)}
        </text>
      )}
    </>
  );
}

function inside(scale: Scale, values: readonly number[]): { value: number; at: number }[] {
  const [lo, hi] = [Math.min(...scale.range) - 0.5, Math.max(...scale.range) + 0.5];
  const places = values.map((value) => ({ value, at: scale.at(value) }));
  return places.filter(({ at }) => at >= lo && at <= hi);
}
