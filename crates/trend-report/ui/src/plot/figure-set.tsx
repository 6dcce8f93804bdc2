/**
 * Figures that share a size axis: stacked with one toolbar, or small in a grid, where a click enlarges one and Esc goes
 * back. Axes are logarithmic or linear. A drag zooms in, 0 shows everything again. The first figure can be shown as a
 * table and saved as SVG, PNG and CSV. The address holds this state under the keys `<link>.…`.
 */

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

import { plural, size } from '../format/number';
import { shorten, visible } from '../format/text';
import { kindOf, leftOut, type View } from './domain';
import { Plot } from './plot';
import { steps, type Scale } from './scale';
import { SeriesMarks } from './series';
import { useParam } from './state';
import { DataTable, Tools } from './toolbar';
import type { AxisProps, Figure, PlotProps, Series } from './types';
import { setParams } from '../state/state';
import { useKeys } from '../view/keys';
import { ClassText } from '../view/parts';

interface FigureSetProps {
  link: string;
  x: AxisProps;
  figures: Figure[];
  /** True if the figures are small, in a grid. */
  small?: boolean;
  controls?: ComponentChildren;
  /** Properties that all drawings share. */
  more?: Pick<PlotProps, 'onBrush' | 'band' | 'ahead'>;
}

const SMALL_HEIGHT = 186;
const LARGE_HEIGHT = 420;

export function FigureSet({ link, x, figures, small = false, controls, more }: FigureSetProps) {
  const view: View = {
    x: useParam(`${link}.x`),
    y: useParam(`${link}.y`),
    zoom: useParam(`${link}.zoom`),
  };
  const large = useParam('large');
  const only = small ? figures.find((figure) => figure.id === large) : undefined;
  const show = (id: string | null) => setParams({ large: id }, 'push');
  useKeys(only ? { Escape: () => show(null) } : {});
  const svg = useRef<SVGSVGElement>(null);
  const plots = (only ? [only] : figures).map((figure): PlotProps => ({ ...figure, ...more, x, link }));
  const [first] = plots;
  if (!first) return null;
  const Heading = only ? 'h3' : 'h2';
  if (small && !only) {
    return (
      <div class="multiples">
        {plots.map((plot) => (
          <figure key={plot.id} class="plot small">
            <h3>
              <b>
                <ClassText text={visible(plot.title)} />
              </b>{' '}
              <span>{plot.note}</span>
            </h3>
            <Plot
              plot={{ ...plot, small: true, height: SMALL_HEIGHT, open: () => show(plot.id) }}
              view={view}
            />
            <figcaption class="hidden">{plot.summary}</figcaption>
          </figure>
        ))}
      </div>
    );
  }
  return (
    <div class={only ? 'multiples large' : 'stacked'}>
      <div class="plot-bar wrap">
        <Heading>
          <ClassText text={visible(first.title)} />
        </Heading>
        <div class="plot-controls wrap">
          {only && (
            <button type="button" onClick={() => show(null)}>
              All charts
            </button>
          )}
          {controls}
          {view.zoom !== null && (
            <button
              type="button"
              title="show all (0, or double-click)"
              onClick={() => setParams({ [`${link}.zoom`]: null }, 'push')}
            >
              Show all
            </button>
          )}
          {!only && <Switch axis="x" link={link} now={view.x} usual={x.scale} />}
          {!only && <Switch axis="y" link={link} now={view.y} usual={first.y.scale} />}
          <Tools plot={first} svg={svg} />
        </div>
      </div>
      {plots.map((plot, i) => (
        <PlotFigure
          key={plot.id}
          plot={only ? { ...plot, height: LARGE_HEIGHT } : plot}
          // The y-axis switch belongs to the first figure; the others have their own scales.
          view={i === 0 ? view : { ...view, y: null }}
          {...(i === 0 ? { svg } : {})}
        />
      ))}
    </div>
  );
}

function PlotFigure(props: { plot: PlotProps; view: View; svg?: { current: SVGSVGElement | null } }) {
  const { plot, view } = props;
  const hidden = leftOut(plot.series, kindOf(view.x, plot.x.scale), kindOf(view.y, plot.y.scale));
  return (
    <figure class="plot">
      <Plot {...props} />
      <Legend series={plot.series} format={plot.x.format} />
      <figcaption>
        <ClassText text={plot.summary} />
        {hidden > 0 && ` ${plural(hidden, 'point')} outside these axes.`}
      </figcaption>
      {useParam(`${plot.id}.table`) !== null && <DataTable props={plot} />}
    </figure>
  );
}

interface SwitchProps {
  axis: 'x' | 'y';
  link: string;
  now: string | null;
  usual: AxisProps['scale'];
}

function Switch({ axis, link, now, usual = 'log' }: SwitchProps) {
  const kind = kindOf(now, usual);
  const other = kind === 'log' ? 'linear' : 'log';
  // Resets the zoom: a range on one scale may be invalid on the other, for example if it begins below 0.
  const change = () =>
    setParams({ [`${link}.${axis}`]: other === usual ? null : other, [`${link}.zoom`]: null }, 'push');
  return (
    <button
      type="button"
      class="quiet"
      onClick={change}
      title={`make the ${axis} axis ${other === 'log' ? 'logarithmic' : 'linear'}`}
    >
      {axis}: {kind}
    </button>
  );
}

function Legend({ series, format = size }: { series: Series[]; format?: (v: number) => string }) {
  const shown = series.filter((s) => s.name !== '');
  const coloured = series.find((s) => s.kind === 'points' && s.value);
  if (shown.length < 2 && !coloured) return null;
  return (
    <ul class="legend wrap">
      {shown.map((s, i) => (
        <li class="wrap" key={i}>
          <Swatch series={s} />
          <bdi>
            <ClassText text={shorten(s.name, 50)} />
          </bdi>
        </li>
      ))}
      {coloured?.kind === 'points' && coloured.value && (
        <li class="wrap">
          {coloured.valueLabel}:
          {steps(coloured.value, coloured.valueScale ?? 'linear').ranges.map(([from, to], i) => (
            <span key={i} class="step">
              <svg width="10" height="12" aria-hidden="true">
                <path class="series dot" style={{ stroke: `var(--step${i})` }} d="M5 7h0" />
              </svg>
              {format(from)}–{format(to)}
            </span>
          ))}
        </li>
      )}
    </ul>
  );
}

/** A scale whose values are the pixels of a swatch. */
const PIXELS: Scale = { kind: 'linear', domain: [0, 1], range: [12, 0], at: (v) => v, invert: (v) => v };

/** Draws a sample mark of a series. */
function Swatch({ series }: { series: Series }) {
  const sample: Series =
    series.kind === 'ribbon'
      ? { ...series, points: [[1, 11, 1], [21, 11, 1]] } // prettier-ignore
      : series.kind === 'line'
        ? { ...series, points: [[1, 6], [21, 6]] } // prettier-ignore
        : { ...series, x: [11], y: [6], value: series.value && [1], ranges: [], stems: false };
  return (
    <svg width="22" height="12" aria-hidden="true">
      <SeriesMarks series={sample} frame={{ x: PIXELS, y: PIXELS }} />
    </svg>
  );
}
