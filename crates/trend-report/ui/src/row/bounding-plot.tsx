/** Curve bounding: the cost divided by a class of growth from a menu. */

import { useMemo } from 'preact/hooks';

import type { Bound, Model } from '../data/types';
import { Plot } from '../plot/plot';
import { useParam } from '../plot/state';
import { setParams } from '../state/route';
import { boundOf, boundText, quotients } from './bounding';
import { quotientSeries, type Figure } from './figures';
import { useSizeAxis } from './plots';

/** The quotient's axis spans at least this factor both ways, so that noise does not look like a trend. */
const QUOTIENT_FLOOR = 1.5;

export function BoundingPlot({ figure }: { figure: Figure }) {
  const bound = boundOf(figure.model, useParam('guess'));
  const x = useSizeAxis(figure);
  const found = useMemo(() => {
    if (!bound) return null;
    const drawn = quotients(bound, figure.x, figure.costs).filter((q) => q !== null);
    const middle = drawn.sort((a, b) => a - b)[drawn.length >> 1] ?? 1;
    const y = { label: 'cost ÷ class', include: [middle / QUOTIENT_FLOOR, middle * QUOTIENT_FLOOR] };
    return { y, series: quotientSeries(figure, bound) };
  }, [figure, bound]);
  if (!bound || !found) return null;
  return (
    <Plot
      id="bound"
      link="fit"
      title="Curve bounding"
      summary={boundText(bound)}
      x={{ ...x, switchable: false }}
      y={found.y}
      series={found.series}
      height={300}
      empty="No run has a quotient that can be drawn."
      controls={<BoundChoice model={figure.model} bound={bound} />}
    />
  );
}

export function BoundChoice({ model, bound }: { model: Model; bound: Bound }) {
  return (
    <label class="guess">
      cost ÷{' '}
      <select
        aria-label="class of growth"
        value={bound.class}
        onChange={(e) => setParams({ guess: e.currentTarget.value, 'bound.zy': null }, 'push')}
      >
        {model.bounds?.map((b) => (
          <option key={b.class}>{b.class}</option>
        ))}
      </select>
    </label>
  );
}
