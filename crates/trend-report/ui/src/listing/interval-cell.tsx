/** An exponent with its interval, drawn on a scale that all cells of a column share. */

import type { PowerLawModel } from '../data/types';
import * as number from '../format/number';

export interface Scale {
  lo: number;
  hi: number;
}

const WIDTH = 100;
const HEIGHT = 12;
const MARGIN = 5;

/** Exponents beyond the scale, of so many, would make it too coarse for the others. */
const BEYOND = 0.02;

/** What all but a few exponents lie in: from 0 or −1 to 2, 2.5, … or 4. */
export function exponentScale(laws: readonly (PowerLawModel | null)[]): Scale {
  const exponents = laws.flatMap((law) => (law ? [law.b] : [])).sort((a, b) => a - b);
  const few = Math.floor(exponents.length * BEYOND);
  const lo = exponents[few] ?? 0;
  const hi = exponents[exponents.length - 1 - few] ?? 1;
  return { lo: lo < -0.1 ? -1 : 0, hi: number.clamp(Math.ceil(hi * 2 + 0.2) / 2, 2, 4) };
}

/** The bar ends in an arrow where the interval leaves the scale. */
export function IntervalCell({
  law,
  scale,
  oneLine = false,
}: {
  law: PowerLawModel | null;
  scale: Scale;
  /** The drawing beside the text instead of under it. */
  oneLine?: boolean;
}) {
  if (!law) return <span class="soft">–</span>;
  const at = (b: number) =>
    MARGIN +
    ((number.clamp(b, scale.lo, scale.hi) - scale.lo) / (scale.hi - scale.lo)) * (WIDTH - 2 * MARGIN);
  const [lo, hi] = law.b_ci ?? [law.b, law.b];
  const middle = HEIGHT / 2;
  const ticks = Array.from({ length: Math.floor(scale.hi - scale.lo) + 1 }, (_, i) => scale.lo + i);
  return (
    <span
      class={oneLine ? 'exponent one-line' : 'exponent'}
      title={`exponent ${law.b}${law.b_ci ? `, interval ${lo} to ${hi}` : ', no interval'}`}
    >
      <span class="text">
        <b>{number.exponent(law.b, law.b_ci)}</b>{' '}
        {law.b_ci ? (
          <span class="soft">{number.exponentInterval(law.b_ci)}</span>
        ) : (
          <span class="doubt">no interval</span>
        )}
      </span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" preserveAspectRatio="none">
        <path class="ticks" d={ticks.map((t) => `M${at(t)} 0V${HEIGHT}`).join('')} />
        <path class={lo > 1 ? 'bar steep' : 'bar'} d={`M${at(lo)} ${middle}H${at(hi)}`} />
        {lo < scale.lo && (
          <path class="bar wrap" d={`M${MARGIN} ${middle - 3}L1 ${middle}L${MARGIN} ${middle + 3}`} />
        )}
        {hi > scale.hi && (
          <path
            class="bar wrap"
            d={`M${WIDTH - MARGIN} ${middle - 3}L${WIDTH - 1} ${middle}L${WIDTH - MARGIN} ${middle + 3}`}
          />
        )}
        <path class="best" d={`M${at(law.b)} 1V${HEIGHT - 1}`} />
      </svg>
    </span>
  );
}
