/** Pixels to SVG paths: a series is one path, however many points it has. */

export type Pixel = readonly [number, number];

/** Points as strokes of no length with round caps; those on the same spot once. */
export function dots(points: Iterable<Pixel>): string {
  const spots = new Set<string>();
  for (const [x, y] of points) {
    if (Number.isFinite(x) && Number.isFinite(y)) spots.add(`M${c(x)} ${c(y)}h0`);
  }
  return Array.from(spots).join('');
}

/** A line that is interrupted where a point has no place. */
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

/** The area between two lines over the same x. */
export function band(points: readonly (readonly [number, number, number])[]): string {
  const shown = points.filter((p) => p.every(Number.isFinite));
  if (shown.length < 2) return '';
  const low = shown.map(([x, lo]): Pixel => [x, lo]);
  const high = shown.map(([x, , hi]): Pixel => [x, hi]).reverse();
  return `${polyline(low)}${polyline(high).replace('M', 'L')}Z`;
}

export function crosses(points: Iterable<Pixel>, arm: number): string {
  let path = '';
  for (const [x, y] of points) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    path += `M${c(x - arm)} ${c(y - arm)}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`;
  }
  return path;
}

export function rings(points: Iterable<Pixel>, radius: number): string {
  let path = '';
  for (const [x, y] of points) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    path += `M${c(x - radius)} ${c(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
  }
  return path;
}

/** A coordinate: a tenth of a pixel, and nothing so far away that a renderer trips over it. */
export function c(value: number): string {
  return String(Math.round(Math.min(Math.max(value, -1e5), 1e5) * 10) / 10);
}
