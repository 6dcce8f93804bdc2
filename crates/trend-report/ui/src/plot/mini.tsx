/** A plot for a table's cell, which says the same: the points of one row and its law, both axes logarithmic, no labels. */

import { useMemo } from 'preact/hooks';

import { part, type LawLine } from '../data/line';
import { dots, polyline, type Pixel } from './marks';
import { extent, scale } from './scale';

const WIDTH = 96;
const HEIGHT = 30;
const MARGIN = 4;

interface MiniProps {
  /** A feature's values per workload. */
  x: readonly (number | null)[];
  /** Costs per workload. */
  y: readonly number[];
  /** The law; drawn as far as the data go. */
  law: LawLine | null;
}

export function Mini({ x, y, law }: MiniProps) {
  const drawn = useMemo(() => draw({ x, y, law }), [x, y, law?.from]);
  return (
    <svg class="mini" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {drawn.fit && <path class="fit" d={drawn.fit} />}
      <path class="points" d={drawn.points} />
    </svg>
  );
}

function draw({ x, y, law }: MiniProps) {
  const shown = y.map((cost, i): Pixel => [x[i] ?? 0, cost]).filter(([n, cost]) => n > 0 && cost > 0);
  const [xs, ys] = [0, 1].map((axis) =>
    extent(
      'log',
      shown.map((point) => point[axis] ?? 0),
      0,
    ),
  );
  if (!xs || !ys) return { points: '', fit: '' };
  const across = scale('log', xs, [MARGIN, WIDTH - MARGIN]);
  const up = scale('log', ys, [HEIGHT - MARGIN, MARGIN]);
  const place = ([n, cost]: readonly [number, number, ...unknown[]]): Pixel => [across.at(n), up.at(cost)];
  const line = part(law, xs[0], xs[1]).map(place);
  return {
    points: dots(shown.map(place)),
    fit: polyline(line.filter((p) => p[1] > -HEIGHT && p[1] < 2 * HEIGHT)),
  };
}
