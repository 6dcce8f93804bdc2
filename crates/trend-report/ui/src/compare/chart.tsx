/** A row of both versions over each other: hollow and dashed before, filled after. */

import { useMemo } from 'preact/hooks';

import { functionId } from '../data/page';
import type { Compare, ComparedTarget } from '../data/types';
import { shorten } from '../format/text';
import { LawsFigure } from '../overview/figure';
import { setParams } from '../state/route';
import { page } from '../state/store';
import { Choice } from '../view/choice';
import { charted, curvesOf, featureOf, isSamePlace, sizeOf } from './state';

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
  const [feature, at, row] = [featureOf(data), sizeOf(shown), charted.value];
  const to = Math.max(at, largest * 1.3) * 1.06;
  const curves = useMemo(
    () => (row ? curvesOf(data, row, { from, largest, to }) : []),
    [data, row, from, largest, to],
  );
  const name = row?.place ? shorten(row.place.name, 40) : 'whole program';
  return (
    <LawsFigure
      id="versions"
      heading="Before and after"
      title={`Before and after: ${name}`}
      summary={`${row?.place ? `${name}. ` : ''}Hollow and dashed: before. Filled: after. Beyond the largest run both are predicted.`}
      yLabel={`cost in ${page.value.findings.unit}`}
      view="total"
      extent={{ feature, at, from, largest, to }}
      curves={curves}
      controls={<Rows data={data} shown={shown} />}
    />
  );
}

/** The choice of the row that the chart draws, among those that changed at this target. */
function Rows({ data, shown }: { data: Compare; shown: ComparedTarget }) {
  const places = shown.comparison.changes.flatMap(({ place }) => (place ? [place] : []));
  const known = places.filter((place) => data.rows.some((row) => isSamePlace(row.place, place)));
  const now = charted.value?.place;
  const choices = [null, ...known].map((place) => ({
    key: place ? functionId(place) : '',
    text: place ? shorten(place.name, 32) : 'Whole program',
  }));
  if (known.length === 0) return null;
  const chosen = now ? functionId(now) : '';
  const choose = (row: string) => setParams({ row });
  if (known.length <= MOST_BUTTONS) {
    return <Choice label="What the chart shows" of={choices} chosen={chosen} choose={choose} />;
  }
  return (
    <select aria-label="What the chart shows" value={chosen} onChange={(e) => choose(e.currentTarget.value)}>
      {choices.map(({ key, text }) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}
