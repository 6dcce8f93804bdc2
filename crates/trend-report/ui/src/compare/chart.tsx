/** A row of both versions over each other: hollow and dashed before, filled after. */

import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';

import { functionId } from '../data/page';
import type { Compare, ComparedTarget } from '../data/types';
import { shorten } from '../format/text';
import { asSeries, Corner, hasTable, Tools } from '../overview/chart';
import { Drawing, frameOf } from '../overview/drawing';
import { useWidth } from '../plot/state';
import { DataTable } from '../plot/table';
import type { PlotProps } from '../plot/types';
import { setParams } from '../state/route';
import { page } from '../state/store';
import { charted, curvesOf, featureOf, isSamePlace, sizeOf } from './state';

const ID = 'versions';

/** More rows than these are a list and no buttons. */
const MOST_BUTTONS = 4;

export function Overlay({ data, shown }: { data: Compare; shown: ComparedTarget }) {
  const positive = data.sizes.flat().flatMap((n) => (n !== null && n > 0 ? [n] : []));
  const [from, largest] = [Math.min(...positive), Math.max(...positive)];
  return from < largest ? <Figure {...{ data, shown, from, largest }} /> : null;
}

interface FigureProps {
  data: Compare;
  shown: ComparedTarget;
  from: number;
  largest: number;
}

function Figure({ data, shown, from, largest }: FigureProps) {
  const svg = useRef<SVGSVGElement>(null);
  const { ref, width } = useWidth(ID);
  const read = useSignal<number | null>(null);
  const strong = useSignal<string | null>(null);
  const [feature, at, row] = [featureOf(data), sizeOf(shown), charted.value];
  const to = Math.max(at, largest * 1.3) * 1.06;
  const curves = useMemo(
    () => (row ? curvesOf(data, row, { from, largest, to }) : []),
    [data, row, from, largest, to],
  );
  const extent = { feature, at, from, largest };
  const drawn = useMemo(
    () => frameOf(curves, 'total', { ...extent, to }, width),
    [curves, from, largest, at, width],
  );
  const name = row?.place ? shorten(row.place.name, 40) : 'whole program';
  const title = `Before and after: ${name}`;
  const summary = 'Hollow and dashed: before. Filled: after. Beyond the largest run both are predicted.';
  const plot: PlotProps = {
    id: ID,
    title,
    summary,
    x: { label: feature },
    y: { label: `cost in ${page.value.findings.unit}` },
    series: curves.flatMap(asSeries),
  };
  return (
    <section class="growth">
      <div class="head wrap">
        <h2>Before and after</h2>
        <div class="tools wrap">
          <Rows data={data} shown={shown} />
          <Tools plot={plot} svg={svg} />
        </div>
      </div>
      <div class="drawing" ref={ref}>
        <Drawing {...drawn} {...{ svg, read, strong, title, summary }} over={null} />
      </div>
      {drawn.isNarrow && <Corner curves={curves} read={read.value ?? at} name="total" />}
      <p class="note">
        {row?.place && `${name}. `}
        {summary}
      </p>
      {hasTable(ID) && <DataTable props={plot} />}
    </section>
  );
}

/** The choice of the row that the chart draws, among those that changed at this target. */
function Rows({ data, shown }: { data: Compare; shown: ComparedTarget }) {
  const places = shown.comparison.changes.flatMap(({ place }) => (place ? [place] : []));
  const known = places.filter((place) => data.rows.some((row) => isSamePlace(row.place, place)));
  const now = charted.value?.place;
  const choices = [null, ...known].map((place) => ({
    id: place && functionId(place),
    name: place ? shorten(place.name, 32) : 'Whole program',
    isNow: isSamePlace(place, now),
  }));
  if (known.length === 0) return null;
  if (known.length <= MOST_BUTTONS) {
    return (
      <span class="joined wrap" role="group" aria-label="What the chart shows">
        {choices.map(({ id, name, isNow }) => (
          <button key={id} type="button" aria-pressed={isNow} onClick={() => setParams({ row: id })}>
            {name}
          </button>
        ))}
      </span>
    );
  }
  return (
    <select
      aria-label="What the chart shows"
      value={choices.find(({ isNow }) => isNow)?.id ?? ''}
      onChange={(e) => setParams({ row: e.currentTarget.value })}
    >
      {choices.map(({ id, name }) => (
        <option key={id} value={id ?? ''}>
          {name}
        </option>
      ))}
    </select>
  );
}
