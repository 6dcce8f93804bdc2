/** The target of the first feature as a slider, so that one sees what widens. */

import * as number from '../format/number';
import { visible } from '../format/text';
import { page } from '../state/store';
import { ask, target } from '../state/target';

const MULTIPLES = [1, 2, 10, 100];
/** Steps of the slider, at equal ratios. */
const STEPS = 200;

export function SizeControl() {
  const [feature] = page.value.findings.features;
  const at = target.value.find((place) => place.feature === feature?.name)?.at;
  const { min, p95 } = feature ?? {};
  if (!feature || !min || !p95 || !at || !(min > 0)) return null;
  const most = p95 * (MULTIPLES.at(-1) ?? 1);
  const sizeAt = (step: number) => Number((min * (most / min) ** (step / STEPS)).toPrecision(3));
  const step = Math.round((Math.log(at / min) / Math.log(most / min)) * STEPS);
  return (
    <div class="size-control wrap">
      <input
        type="range"
        min={0}
        max={STEPS}
        value={number.clamp(step, 0, STEPS)}
        aria-label={`size in ${visible(feature.name)}`}
        aria-valuetext={number.size(at)}
        onInput={(e) => ask(feature.name, String(sizeAt(Number(e.currentTarget.value))))}
      />
      <span class="joined" role="group" aria-label="multiples of what was run">
        {MULTIPLES.map((times) => (
          <button
            key={times}
            type="button"
            aria-pressed={Math.abs(at / (p95 * times) - 1) < 1e-6}
            onClick={() => ask(feature.name, String(p95 * times))}
          >
            {times}×
          </button>
        ))}
      </span>
    </div>
  );
}
