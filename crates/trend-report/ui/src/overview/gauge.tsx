/** A cost with its interval on a scale, above its numbers. */

import type { ComponentChildren } from 'preact';

import type { Interval } from '../data/types';

const WIDTH = 300;
const HEIGHT = 34;

interface GaugeProps {
  name: string;
  /** What a screen reader says. */
  label: string;
  /** Where a cost is on the scale, 0 to 1. */
  at: (cost: number) => number;
  value: number;
  ci: Interval;
  /** A second mark: what was measured. */
  measured?: number;
  children: ComponentChildren;
}

export function GaugeBar({ name, label, at, value, ci: [lo, hi], measured, children }: GaugeProps) {
  const x = (cost: number) => 6 + (WIDTH - 12) * at(cost);
  return (
    <div class={`gauge ${name}`}>
      <span class="soft">{name}</span>
      <div>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
          <path class="rule" d={`M6 17H${WIDTH - 6}`} />
          {measured !== undefined && <path class="measured" d={`M${x(measured)} 11v12`} />}
          <rect class="between" x={x(lo)} y={12} width={Math.max(3, x(hi) - x(lo))} height={10} />
          <path class="predicted" d={`M${x(value)} 8v18`} />
        </svg>
        <div class="ends">{children}</div>
      </div>
    </div>
  );
}
