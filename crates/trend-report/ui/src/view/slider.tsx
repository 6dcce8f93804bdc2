/** The target as a slider from 1× to 100×, with marks that are buttons. */

import { visible } from '../format/text';
import { page } from '../state/store';
import { askTimes, moved, multiple, MULTIPLES, targetText, timesMoved } from '../state/target';
import { Multiples } from './target';

export function Slider() {
  const times = timesMoved.value;
  const place = moved.value;
  if (times === null || !place) return null;
  const steps = Math.log10(Math.min(Math.max(times, 1), 100));
  const move = (value: number) => {
    const near = MULTIPLES.find((k) => Math.abs(Math.log10(k) - value) < 0.015);
    askTimes(near ?? 10 ** value);
  };
  return (
    <div class="slider">
      <label class="wrap" for="target-slider">
        <span>
          Input size <span class="soft">({visible(place.feature).slice(0, 24)})</span>
        </span>
        <span class="soft">
          {multiple(times)} {isLargest(place.feature) ? 'the largest run' : 'the 95th percentile'}
        </span>
      </label>
      <input
        id="target-slider"
        type="range"
        min={0}
        max={2}
        step={0.01}
        value={steps}
        aria-valuetext={targetText()}
        onInput={(e) => move(Number(e.currentTarget.value))}
      />
      <Multiples />
    </div>
  );
}

/** Whether the 95th percentile, of which targets are multiples, is about the largest size. */
function isLargest(feature: string): boolean {
  const summary = page.value.findings.features[page.value.featureIndex.get(feature) ?? -1];
  return (summary?.max ?? 0) <= (summary?.p95 ?? 0) * 1.01;
}
