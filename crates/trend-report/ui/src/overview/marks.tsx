/** Shapes besides colours: which function something is of. */

import { everywhere, type Pixel } from '../plot/marks';

/** Around the origin, relative: all others, then 1 to 5. */
const SHAPES: ((s: number) => string)[] = [
  (s) => `m${-s} ${-s * 0.4}h${2 * s}v${s * 0.8}h${-2 * s}z`,
  (s) => `m${-s} 0a${s} ${s} 0 1 0 ${2 * s} 0a${s} ${s} 0 1 0 ${-2 * s} 0`,
  (s) => `m${-s * 0.88} ${-s * 0.88}h${s * 1.76}v${s * 1.76}h${-s * 1.76}z`,
  (s) => `m0 ${-s * 1.15}l${s * 1.1} ${s * 1.95}h${-s * 2.2}z`,
  (s) => `m0 ${-s * 1.25}l${s * 1.25} ${s * 1.25}l${-s * 1.25} ${s * 1.25}l${-s * 1.25} ${-s * 1.25}z`,
  (s) => `m0 ${s * 1.15}l${s * 1.1} ${-s * 1.95}h${-s * 2.2}z`,
];

/** A shape at each pixel. */
export const shapes = (pixels: readonly Pixel[], mark: number, size: number) =>
  everywhere(pixels, SHAPES[mark]?.(size) ?? '');

/** The colour of a mark: of all others grey, of the whole that of text, of two versions what the style sheet says. */
export function colourOf(mark: number, side?: string) {
  return side ? {} : { color: mark < 0 ? 'var(--ink)' : `var(--c${mark})` };
}

export function Mark({ mark, side = '' }: { mark: number; side?: string | undefined }) {
  return (
    <svg
      class={side}
      style={colourOf(mark, side)}
      width={14}
      height={14}
      viewBox="-7 -7 14 14"
      aria-hidden="true"
    >
      <path class="filled" d={shapes([[0, 0]], mark, 5)} />
    </svg>
  );
}
