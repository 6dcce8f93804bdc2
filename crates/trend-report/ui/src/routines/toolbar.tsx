/** The toolbar for all charts of a routine. It stays in view. */

import type { ComponentChildren } from 'preact';

import type { Bound, Model } from '../data/types';
import { capitalized, visible } from '../format/text';
import { savePicture, svgText } from '../plot/export';
import { useParam } from '../plot/state';
import { boundOf } from './figures';
import {
  aggregation,
  byCalls,
  COSTS,
  type Entry,
  isSelf,
  measures,
  metricOf,
  oneCost,
  smoothing,
  toggleAxis,
  withContexts,
  xScale,
  yScale,
} from './places';
import { page, setParams } from '../state/state';
import { Menu } from '../table/toolbar';
import { Choice, Select, Toggle } from '../view/choice';
import { CopyButton } from '../view/copy';

type Option = [key: string, text: string];

const COST_WORDS: Option[] = [['', 'Together'], ...COSTS.map((c): Option => [c, capitalized(c)])];
const COUNTED: Option[] = [
  ['self', 'Self'],
  ['', 'Cumulative'],
];

/** Returns a choice that sets a parameter of the address, from its values and their labels. */
const choice = (param: string, label: string, of: Option[], chosen: string) => (
  <Choice
    label={label}
    of={of.map(([key, text]) => ({ key, text }))}
    chosen={chosen}
    choose={(value) => setParams({ [param]: value }, 'push')}
  />
);

export function Toolbar({ entry, model }: { entry: Entry; model: Model | undefined }) {
  const bound = model && boundOf(model, useParam('guess'));
  const { metrics, units } = measures.value;
  const ofMetrics = metrics.map((m): Option => [m, m.toUpperCase()]);
  const ofUnits = units.map((u): Option => [u, capitalized(visible(u))]);
  const { execution } = page.value.wordsOf(entry.row);
  const hasOwn = entry.row.own_costs.length > 0;
  return (
    <div class="chart-bar wrap" role="group" aria-label="Options for all charts">
      {metrics.length > 1 && choice('metric', 'size', ofMetrics, metricOf(entry.row))}
      {units.length > 1 && choice('unit', 'unit', ofUnits, entry.row.unit)}
      {(hasOwn || isSelf.value) &&
        choice('of', 'cost with or without callees', COUNTED, isSelf.value ? 'self' : '')}
      {!isSelf.value && choice('cost', `cost of a ${execution}`, COST_WORDS, oneCost.value ?? '')}
      {model && bound && <BoundChoice model={model} bound={bound} />}
      <Menu label="Axes">
        <Check on={xScale.value === 'log'} change={() => toggleAxis('x')} text="logarithmic sizes" />
        <Check on={yScale.value === 'log'} change={() => toggleAxis('y')} text="logarithmic costs" />
      </Menu>
      <Menu label="Points">
        <WholeNumber name="w" value={smoothing.value} most={entry.row.observations.length}>
          smoothing: sizes per moving average
        </WholeNumber>
        <WholeNumber name="d" value={aggregation.value} most={entry.row.observations.length}>
          grouping: sizes per point
        </WholeNumber>
        <Check
          on={byCalls.value}
          change={() => setParams({ calls: byCalls.value ? null : 1 }, 'push')}
          text={`colour by ${execution}s`}
        />
      </Menu>
      {page.value.data.call_trees.length > 0 && (
        <Toggle
          param="contexts"
          on={withContexts.value}
          text="Contexts"
          title="each calling context is a row of the list"
        />
      )}
      <span class="wrap last">
        <Menu label="Save">
          <p class="line wrap">
            {(['svg', 'png'] as const).map((kind) => (
              <button key={kind} type="button" onClick={() => void saveCharts(kind, entry.row.name)}>
                Charts as {kind.toUpperCase()}
              </button>
            ))}
          </p>
          <CopyButton label="Copy link" text={() => location.href} />
          <p class="note">To save the tuples as CSV or JSON, use the table below.</p>
        </Menu>
      </span>
    </div>
  );
}

function Check({ on, change, text }: { on: boolean; change: () => void; text: string }) {
  return (
    <label>
      <input type="checkbox" checked={on} onChange={change} /> {text}
    </label>
  );
}

interface WholeNumberProps {
  name: string;
  value: number;
  most: number;
  children: ComponentChildren;
}

function WholeNumber({ name, value, most, children }: WholeNumberProps) {
  return (
    <label>
      <input
        type="number"
        min={1}
        max={Math.max(most, 1)}
        step={1}
        value={value}
        onInput={(e) => setParams({ [name]: e.currentTarget.value === '1' ? null : e.currentTarget.value })}
      />{' '}
      {children}
    </label>
  );
}

function BoundChoice({ model, bound }: { model: Model; bound: Bound }) {
  return (
    <label class="guess">
      cost ÷{' '}
      <Select
        label="class of growth"
        of={(model.bounds ?? []).map((b) => ({ key: b.class, text: b.class }))}
        chosen={bound.class}
        choose={(guess) => setParams({ guess }, 'push')}
      />
    </label>
  );
}

/** Gap between two charts, in pixels. */
const GAP = 24;
const ACROSS = 3;

const saveCharts = (kind: 'svg' | 'png', name: string) =>
  savePicture(kind, name, sheet([...document.querySelectorAll('#app .multiples figure')]));

/** Combines the drawings of figures in rows of three, each as it is saved alone. */
function sheet(figures: readonly Element[]): string {
  const drawn = figures.flatMap((figure) => {
    const svg = figure.querySelector<SVGSVGElement>('.drawing svg');
    return svg ? [svgText(svg, figure.querySelector('h3')?.textContent ?? '')] : [];
  });
  const documents = drawn.map(
    (text) => new DOMParser().parseFromString(text, 'image/svg+xml').documentElement,
  );
  const side = (name: 'width' | 'height') =>
    Math.max(...documents.map((d) => Number(d.getAttribute(name))), 1) + GAP;
  const [width, height] = [side('width'), side('height')];
  const sheet = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  sheet.setAttribute('width', String(ACROSS * width));
  sheet.setAttribute('height', String(Math.ceil(documents.length / ACROSS) * height));
  documents.forEach((one, i) => {
    one.setAttribute('x', String((i % ACROSS) * width));
    one.setAttribute('y', String(Math.floor(i / ACROSS) * height));
    sheet.append(one);
  });
  return new XMLSerializer().serializeToString(sheet);
}
