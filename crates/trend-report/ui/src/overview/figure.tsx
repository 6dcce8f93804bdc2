/** Laws as a drawing with its head, its numbers and files, and what is read of it on a phone. */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';

import { size } from '../format/number';
import { useWidth } from '../plot/state';
import { DataTable } from '../plot/table';
import { hasTable, Tools } from '../plot/toolbar';
import type { PlotProps, Series } from '../plot/types';
import { valueAt, type Extent } from './curves';
import { Drawing, frameOf } from './drawing';
import { Mark } from './marks';
import type { Curve, ViewName } from './views';

interface LawsFigureProps {
  id: string;
  /** Above the drawing, and on its file. */
  heading: string;
  title: string;
  summary: string;
  yLabel: string;
  view: ViewName;
  curves: Curve[];
  /** With how far the drawing goes. */
  extent: Extent & { to: number };
  over?: { at: number; name: string } | null;
  controls: ComponentChildren;
}

export function LawsFigure(props: LawsFigureProps) {
  const { id, heading, title, summary, yLabel, view, curves, extent, over = null, controls } = props;
  const svg = useRef<SVGSVGElement>(null);
  const { ref, width, tall } = useWidth(id);
  const read = useSignal<number | null>(null);
  const strong = useSignal<string | null>(null);
  const plot: PlotProps = {
    ...{ id, link: id, title, summary },
    x: { label: extent.feature },
    y: { label: yLabel },
    series: curves.flatMap(asSeries),
  };
  const { from, largest, at } = extent;
  const drawn = useMemo(
    () => frameOf(curves, view, extent, width, tall),
    [curves, view, from, largest, at, width, tall],
  );
  return (
    <section class="growth">
      <div class="head wrap">
        <h2>{heading}</h2>
        <span class="soft wide">points were measured, dashes are predicted</span>
        <div class="tools wrap">
          {controls}
          <Tools plot={plot} svg={svg} />
        </div>
      </div>
      <div class="drawing" ref={ref}>
        <Drawing {...drawn} {...{ svg, read, strong, over, title, summary }} />
      </div>
      {drawn.isNarrow && <Corner curves={curves} read={read.value ?? at} name={view} />}
      <p class="note">{summary}</p>
      {hasTable(id) && <DataTable props={plot} />}
    </section>
  );
}

function asSeries(curve: Curve): Series[] {
  const y = curve.measured.map((p) => p[1]);
  return [
    { kind: 'points', name: curve.name, x: curve.measured.map((p) => p[0]), y },
    { kind: 'line', name: `${curve.name}, law`, points: curve.points.map((p) => [p.x, p.y] as const) },
  ];
}

/** On a phone: what is read, below the drawing. */
function Corner({ curves, read, name }: { curves: Curve[]; read: number; name: ViewName }) {
  return (
    <p class="corner">
      at {size(Number(read.toPrecision(2)))}:{' '}
      {curves.map((curve) => (
        <span key={curve.side ?? curve.mark} class="nowrap">
          <Mark mark={Math.max(curve.mark, 0)} side={curve.side} /> {valueAt(curve, name, read, false)[0]}
        </span>
      ))}
    </p>
  );
}
