/** Turns pixels into SVG paths. A series is one path, however many points it has. */

export type Pixel = readonly [number, number];

/**
 * Number of points above which points less than two pixels apart are drawn once. Marks are wider than that, and drawing
 * takes time.
 */
const MANY = 300;

/** Returns the beginning of each mark's path. Marks on the same spot are drawn once. */
function spots(points: readonly Pixel[]): string[] {
  const perPixel = points.length > MANY ? 0.5 : 10;
  const seen = new Set<number>();
  const found: string[] = [];
  for (const [x, y] of points) {
    const spot = Math.round(x * perPixel) * 65_536 + Math.round(y * perPixel);
    if (!Number.isFinite(spot) || seen.has(spot)) continue;
    seen.add(spot);
    found.push(`M${c(x)} ${c(y)}`);
  }
  return found;
}

/** Repeats a relative path at each of the points. */
const everywhere = (points: readonly Pixel[], path: string) =>
  spots(points)
    .map((spot) => spot + path)
    .join('');

/** Draws points as strokes of zero length with round caps. */
export const dots = (points: readonly Pixel[]) => everywhere(points, 'h0');

/** Draws a line that is interrupted at points without a place. */
export function polyline(points: Iterable<Pixel>): string {
  let path = '';
  let pen = 'M';
  for (const [x, y] of points) {
    if (Number.isFinite(x) && Number.isFinite(y)) {
      path += `${pen}${c(x)} ${c(y)}`;
      pen = 'L';
    } else pen = 'M';
  }
  return path;
}

/** Draws the area between two lines over the same x. */
export function band(points: readonly (readonly [number, number, number])[]): string {
  const shown = points.filter((p) => p.every(Number.isFinite));
  if (shown.length < 2) return '';
  const low = shown.map(([x, lo]): Pixel => [x, lo]);
  const high = shown.map(([x, , hi]): Pixel => [x, hi]).reverse();
  return `${polyline(low)}${polyline(high).replace('M', 'L')}Z`;
}

export function crosses(points: readonly Pixel[], arm: number): string {
  const side = 2 * arm;
  return everywhere(points, `m${-arm} ${-arm}l${side} ${side}m0 ${-side}l${-side} ${side}`);
}

export const diamonds = (points: readonly Pixel[]) =>
  everywhere(points, 'm0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z');

export function rings(points: readonly Pixel[], radius: number): string {
  const half = `a${radius} ${radius} 0 1 0`;
  return everywhere(points, `m${-radius} 0${half} ${2 * radius} 0${half} ${-2 * radius} 0`);
}

/** Formats a coordinate to a tenth of a pixel, clamped to values that renderers can handle. */
export function c(value: number): string {
  return String(Math.round(Math.min(Math.max(value, -1e5), 1e5) * 10) / 10);
}

/** Shapes that identify marks without colour, as paths relative to the origin: first all others, then marks 1 to 5. */
const SHAPES: ((s: number) => string)[] = [
  (s) => `m${-s} ${-s * 0.4}h${2 * s}v${s * 0.8}h${-2 * s}z`,
  (s) => `m${-s} 0a${s} ${s} 0 1 0 ${2 * s} 0a${s} ${s} 0 1 0 ${-2 * s} 0`,
  (s) => `m${-s * 0.88} ${-s * 0.88}h${s * 1.76}v${s * 1.76}h${-s * 1.76}z`,
  (s) => `m0 ${-s * 1.15}l${s * 1.1} ${s * 1.95}h${-s * 2.2}z`,
  (s) => `m0 ${-s * 1.25}l${s * 1.25} ${s * 1.25}l${-s * 1.25} ${s * 1.25}l${-s * 1.25} ${-s * 1.25}z`,
  (s) => `m0 ${s * 1.15}l${s * 1.1} ${-s * 1.95}h${-s * 2.2}z`,
];

/** Draws a shape at each pixel. */
export const shapes = (pixels: readonly Pixel[], mark: number, size: number) =>
  everywhere(pixels, SHAPES[mark]?.(size) ?? '');
