/** A plot for a table's cell: the points of one row and its law, both axes logarithmic, no labels. */

import { useMemo } from 'preact/hooks';

import { part, type LawLine } from '../data/line';
import { dots, polyline } from './marks';
import { extent, scale } from './scale';

const WIDTH = 96;
const HEIGHT = 30;
const MARGIN = 4;

export interface MiniProps {
  /** A feature's values per workload. */
  x: readonly (number | null)[];
  /** Costs per workload. */
  y: readonly number[];
  /** The law; drawn as far as the data go. */
  law: LawLine | null;
  /** What a screen reader says; empty where the cells beside it say the same. */
  label: string;
}

export function Mini({ x, y, law, label }: MiniProps) {
  const drawn = useMemo(() => draw(x, y, law), [x, y, law?.from]);
  const said = label ? ({ role: 'img', 'aria-label': label } as const) : ({ 'aria-hidden': true } as const);
  return (
    <svg class="mini" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} {...said}>
      {drawn.fit && <path class="fit" d={drawn.fit} />}
      <path class="points" d={drawn.points} />
    </svg>
  );
}

function draw(x: MiniProps['x'], y: MiniProps['y'], law: MiniProps['law']) {
  const both = (i: number) => (x[i] ?? 0) > 0 && (y[i] ?? 0) > 0;
  const shown = y.map((_, i) => i).filter(both);
  const xs = extent(
    'log',
    shown.map((i) => x[i] ?? null),
    0,
  );
  const ys = extent(
    'log',
    shown.map((i) => y[i] ?? null),
    0,
  );
  if (!xs || !ys) return { points: '', fit: '' };
  const across = scale('log', xs, [MARGIN, WIDTH - MARGIN]);
  const up = scale('log', ys, [HEIGHT - MARGIN, MARGIN]);
  return {
    points: dots(shown.map((i): [number, number] => [across.at(x[i] ?? NaN), up.at(y[i] ?? NaN)])),
    fit: polyline(
      part(law, xs[0], xs[1])
        .map((p): [number, number] => [across.at(p[0]), up.at(p[1])])
        .filter((p) => p[1] > -HEIGHT && p[1] < 2 * HEIGHT),
    ),
  };
}
