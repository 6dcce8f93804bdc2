/** How the costliest functions grow, out to the target: cost ÷ size, cost, or share. The labels are legend and read-out. */

import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useMemo, useRef } from 'preact/hooks';

import { size } from '../format/number';
import { capitalized, shorten, visible } from '../format/text';
import { exportPlot, type FileKind } from '../plot/export';
import { useWidth } from '../plot/state';
import { DataTable } from '../plot/table';
import type { PlotProps, Series } from '../plot/types';
import { param, route, setParams } from '../state/route';
import { page } from '../state/store';
import { moved, targetWith } from '../state/target';
import { answer } from './answer';
import { curvesOf, valueAt, type Extent } from './curves';
import { Drawing, frameOf } from './drawing';
import { Mark } from './marks';
import { parts } from './rows';
import { overtakesAt, sizes, type Curve, type ViewName } from './views';

const view = param('chart');

const viewNow = (): ViewName => (view.value === 'total' || view.value === 'share' ? view.value : 'per');

export function Growth() {
  const place = moved.value;
  const summary = page.value.findings.features[page.value.featureIndex.get(place?.feature ?? '') ?? -1];
  const positive = page.value.featureValues(place?.feature ?? '').filter((v) => v !== null && v > 0);
  const from = Math.min(...positive.map(Number));
  if (!place || !summary?.max || !(from < summary.max) || parts.value.length === 0) return null;
  return <Figure feature={place.feature} at={place.at} from={from} largest={summary.max} />;
}

function Figure(extent: Extent) {
  const { feature, at, from, largest } = extent;
  const name = viewNow();
  const svg = useRef<SVGSVGElement>(null);
  const { ref, width } = useWidth('growth');
  const read = useSignal<number | null>(null);
  const strong = useSignal<string | null>(null);
  const to = Math.max(at, largest * 1.3) * 1.06;
  const curves = useMemo(
    () => curvesOf(name, feature, sizes(from, largest, to)),
    [name, feature, from, largest, to, parts.value],
  );
  const by = perUnit(feature, 30);
  const unit = capitalized(visible(page.value.findings.unit).slice(0, 40));
  const titles = { per: `${unit} per ${by}`, total: 'How the cost grows', share: 'Where the cost goes' };
  const over = overtaking(extent);
  const caption = {
    per: `Flat lines scale with the input; a rising one does not.${over ? ` ${over.text}` : ''}`,
    total: over?.text ?? 'Points were measured, lines are laws.',
    share: 'How much of the cost is whose. Paler from the largest run on: predicted.',
  }[name];
  const plot: PlotProps = {
    id: 'growth',
    title: titles[name],
    summary: caption,
    x: { label: feature },
    y: { label: { per: `cost per ${by}`, total: 'cost', share: 'share' }[name] },
    series: curves.flatMap(asSeries),
  };
  const drawn = useMemo(
    () => frameOf(curves, name, { ...extent, to }, width),
    [curves, name, from, largest, at, width],
  );
  return (
    <section class="growth">
      <div class="head wrap">
        <h2>{titles[name]}</h2>
        <span class="soft wide">points were measured, dashes are predicted</span>
        <div class="tools wrap">
          <span class="joined wrap" role="group" aria-label="What the chart shows">
            {(['per', 'total', 'share'] as const).map((v) => (
              <button
                key={v}
                type="button"
                aria-pressed={v === name}
                onClick={() => setParams({ chart: v === 'per' ? null : v })}
              >
                {v === 'per' ? `Per ${perUnit(feature, 12)}` : capitalized(v)}
              </button>
            ))}
          </span>
          <Tools plot={plot} svg={svg} />
        </div>
      </div>
      <div class="drawing" ref={ref}>
        <Drawing {...drawn} {...{ svg, read, strong, over }} title={plot.title} summary={caption} />
      </div>
      {drawn.isNarrow && <Corner curves={curves} read={read.value ?? at} name={name} />}
      <p class="note">{caption}</p>
      {hasTable('growth') && <DataTable props={plot} />}
    </section>
  );
}

/** `byte`, `n` */
const perUnit = (feature: string, columns: number) =>
  feature === 'bytes' ? 'byte' : shorten(feature, columns);

export function asSeries(curve: Curve): Series[] {
  const y = curve.measured.map((p) => p[1]);
  return [
    { kind: 'points', name: curve.name, x: curve.measured.map((p) => p[0]), y },
    { kind: 'line', name: `${curve.name}, law`, points: curve.points.map((p) => [p.x, p.y] as const) },
  ];
}

/** Where the named function becomes the costliest of those shown. */
function overtaking({
  feature,
  from,
  largest,
  at,
}: Extent): { at: number; text: string; name: string } | null {
  const named = parts.value.find((part) => part.id !== '' && part.id === answer.value?.named?.id);
  if (!named) return null;
  const others = parts.value.filter((part) => part !== named && part.id !== '');
  const costs = (n: number) =>
    [named, ...others].map((part) => part.at(targetWith(feature, n))?.cost ?? null);
  const there = overtakesAt(costs, from, Math.max(at, largest) * 10);
  if (there === null) return null;
  const before = costs(there * 0.99).slice(1);
  const passed = others[before.indexOf(Math.max(...before.map((v) => v ?? 0)))];
  const where = size(Number(there.toPrecision(2)));
  const name = shorten(named.name, 40);
  const text = `${name} passes ${shorten(passed?.name ?? '', 40)} at ${shorten(feature, 40)} = ${where} and is then the costliest.`;
  return { at: there, text, name };
}

/** Whether somebody wants the numbers of a plot. */
export const hasTable = (id: string) => route.value.params.has(`${id}.table`);

/** A plot as a table, and as files. */
export function Tools({ plot, svg }: { plot: PlotProps; svg: RefObject<SVGSVGElement | null> }) {
  const shown = hasTable(plot.id);
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-pressed={shown}
        onClick={() => setParams({ [`${plot.id}.table`]: shown ? null : 1 })}
      >
        Table
      </button>
      <Save plot={plot} svg={svg} />
    </>
  );
}

/** On a phone: what is read, below the drawing. */
export function Corner({ curves, read, name }: { curves: Curve[]; read: number; name: ViewName }) {
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

function Save({ plot, svg }: { plot: PlotProps; svg: RefObject<SVGSVGElement | null> }) {
  const save = (kind: FileKind) => () => void exportPlot(kind, plot, svg.current);
  return (
    <span class="joined wrap" role="group" aria-label={`save ${visible(plot.title)}`}>
      {(['svg', 'png', 'csv'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          class="quiet"
          title={`save as ${kind.toUpperCase()}`}
          onClick={save(kind)}
        >
          {kind.toUpperCase()}
        </button>
      ))}
    </span>
  );
}
