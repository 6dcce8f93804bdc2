/** What all charts of a routine share: which cost, smoothing, aggregation, colour by calls; all in the address. */

import { computed } from '@preact/signals';

import type { KindWords } from '../data/types';
import { param, setParams } from '../state/route';

export const COSTS = ['worst', 'average', 'best'] as const;
export type Cost = (typeof COSTS)[number];

const costParam = param('cost');
const windowParam = param('w');
const groupParam = param('d');
const callsParam = param('calls');

const whole = (text: string | null): number => {
  const value = Number(text ?? '1');
  return Number.isInteger(value) && value >= 1 && value <= 100_000 ? value : 1;
};

export const cost = computed<Cost>(() => COSTS.find((c) => c === costParam.value) ?? 'worst');
export const smoothing = computed(() => whole(windowParam.value));
export const aggregation = computed(() => whole(groupParam.value));
export const byCalls = computed(() => callsParam.value === '1');

export function RoutineControls({ tuples, words }: { tuples: number; words: KindWords }) {
  return (
    <div class="routine-controls wrap" role="group" aria-label="Of all charts">
      <span role="group" aria-label={`cost of a ${words.execution}`}>
        {COSTS.map((c) => (
          <button
            key={c}
            type="button"
            aria-pressed={cost.value === c}
            onClick={() => setParams({ cost: c === 'worst' ? null : c }, 'push')}
          >
            {c}
          </button>
        ))}
      </span>
      <label>
        smoothing window{' '}
        <Whole
          name="w"
          value={smoothing.value}
          most={tuples}
          title="centred moving average over so many points"
        />
      </label>
      <label>
        points per group{' '}
        <Whole
          name="d"
          value={aggregation.value}
          most={tuples}
          title="the mean of so many points is one point"
        />
      </label>
      <label>
        <input
          type="checkbox"
          checked={byCalls.value}
          onChange={(e) => setParams({ calls: e.currentTarget.checked ? 1 : null }, 'push')}
        />{' '}
        colour by {words.execution}s
      </label>
    </div>
  );
}

function Whole({ name, value, most, title }: { name: string; value: number; most: number; title: string }) {
  return (
    <input
      type="number"
      min={1}
      max={Math.max(most, 1)}
      step={1}
      value={value}
      title={title}
      onInput={(e) => setParams({ [name]: e.currentTarget.value === '1' ? null : e.currentTarget.value })}
    />
  );
}
