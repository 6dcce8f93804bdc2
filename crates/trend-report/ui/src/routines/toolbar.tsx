/** What is common to all charts of a routine: one bar that stays in view. */

import type { ComponentChildren } from 'preact';

import type { Bound, Model } from '../data/types';
import { capitalized, visible } from '../format/text';
import { boundOf } from '../row/bounding';
import { useParam } from '../plot/state';
import { setParams } from '../state/route';
import { page } from '../state/store';
import { Menu } from '../table/menu';
import { Choice } from '../view/choice';
import { CopyButton } from '../view/copy';
import {
  aggregation,
  byCalls,
  isSelf,
  measures,
  oneCost,
  smoothing,
  toggleAxis,
  withContexts,
  xScale,
  yScale,
} from './choices';
import { metricOf, type Entry } from './places';
import { saveCharts } from './save';

export function Toolbar({ entry, model }: { entry: Entry; model: Model | undefined }) {
  const bound = model && boundOf(model, useParam('guess'));
  const { metrics, units } = measures.value;
  const { execution } = page.value.wordsOf(entry.row);
  const hasOwn = entry.extra.own_costs.length > 0;
  return (
    <div class="chart-bar wrap" role="group" aria-label="Of all charts">
      {metrics.length > 1 && (
        <Choice
          label="size"
          of={metrics.map((m) => ({ key: m, text: m.toUpperCase() }))}
          chosen={metricOf(entry.row)}
          choose={(m) => setParams({ metric: m }, 'push')}
        />
      )}
      {units.length > 1 && (
        <Choice
          label="unit"
          of={units.map((u) => ({ key: u, text: capitalized(visible(u)) }))}
          chosen={entry.row.unit}
          choose={(u) => setParams({ unit: u }, 'push')}
        />
      )}
      {(hasOwn || isSelf.value) && (
        <Choice
          label="what is counted"
          of={[
            { key: 'self', text: 'Self' },
            { key: 'cumulative', text: 'Cumulative' },
          ]}
          chosen={isSelf.value ? 'self' : 'cumulative'}
          choose={(of) => setParams({ of: of === 'self' ? of : null }, 'push')}
        />
      )}
      {!isSelf.value && (
        <Choice
          label={`cost of a ${execution}`}
          of={[
            { key: '', text: 'Together' },
            { key: 'worst', text: 'Worst' },
            { key: 'average', text: 'Average' },
            { key: 'best', text: 'Best' },
          ]}
          chosen={oneCost.value ?? ''}
          choose={(c) => setParams({ cost: c === '' ? null : c }, 'push')}
        />
      )}
      {model && bound && <BoundChoice model={model} bound={bound} />}
      <Menu label="Axes">
        <Check on={xScale.value === 'log'} change={() => toggleAxis('x')} text="sizes logarithmic" />
        <Check on={yScale.value === 'log'} change={() => toggleAxis('y')} text="costs logarithmic" />
      </Menu>
      <Menu label="Points">
        <Whole name="w" value={smoothing.value} most={entry.extra.observations.length}>
          smoothing: mean over so many sizes
        </Whole>
        <Whole name="d" value={aggregation.value} most={entry.extra.observations.length}>
          grouping: so many sizes are a point
        </Whole>
        <Check
          on={byCalls.value}
          change={() => setParams({ calls: byCalls.value ? null : 1 }, 'push')}
          text={`colour by ${execution}s`}
        />
      </Menu>
      {page.value.data.call_trees.length > 0 && (
        <button
          type="button"
          aria-pressed={withContexts.value}
          title="each calling context is a row of the list"
          onClick={() => setParams({ contexts: withContexts.value ? null : 1 }, 'push')}
        >
          Contexts
        </button>
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
          <p class="note">The tuples below have CSV and JSON.</p>
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

interface WholeProps {
  name: string;
  value: number;
  most: number;
  children: ComponentChildren;
}

function Whole({ name, value, most, children }: WholeProps) {
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
      <select
        aria-label="class of growth"
        value={bound.class}
        onChange={(e) => setParams({ guess: e.currentTarget.value }, 'push')}
      >
        {model.bounds?.map((b) => (
          <option key={b.class}>{b.class}</option>
        ))}
      </select>
    </label>
  );
}
