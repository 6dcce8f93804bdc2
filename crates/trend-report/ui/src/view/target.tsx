/**
 * The target: boxes with a size per feature, and a slider from 1× to 100×. It drives every prediction on every page.
 */

import { useSignal } from '@preact/signals';

import { featureSize } from '../format/number';
import { visible } from '../format/text';
import {
  ask,
  asked,
  askTimes,
  moved,
  multiple,
  MULTIPLES,
  page,
  placeText,
  readSize,
  target,
  targetText,
  timesMoved,
} from '../state/state';
import { Choice } from './choice';

/** Number of boxes in the bar; further features are in a list that unfolds. */
const MOST_IN_BAR = 3;

/** Shows the boxes. `inBar`: in the bar, while the band of the overview is out of view. */
export function TargetBox({ inBar = false, id = 'target-size' }: { inBar?: boolean; id?: string }) {
  const names = page.value.findings.features.map((f) => f.name);
  if (names.length === 0) return null;
  const more = names.slice(MOST_IN_BAR);
  return (
    <form class="target wrap" onSubmit={(e) => e.preventDefault()}>
      {inBar && <span class="label">Target</span>}
      {inBar && <Multiples />}
      {names.slice(0, MOST_IN_BAR).map((name, i) => (
        <Box key={name} name={name} id={i === 0 ? id : `${id}-${i}`} />
      ))}
      {more.length > 0 && (
        <details class="more" open={more.some((name) => asked.value.has(name)) || undefined}>
          <summary>{more.length} more</summary>
          {more.map((name, i) => (
            <Box key={name} name={name} id={`${id}-${i + MOST_IN_BAR}`} />
          ))}
        </details>
      )}
    </form>
  );
}

/** Lets the reader choose a multiple of the 95th percentile of the measured sizes. */
function Multiples() {
  const times = timesMoved.value;
  if (times === null) return null;
  return (
    <Choice
      label="Target, as a multiple of the measured size"
      kind="multiples-of"
      of={MULTIPLES.map((key) => ({ key, text: `${key}×` }))}
      chosen={MULTIPLES.find((k) => Math.abs(times / k - 1) < 0.005)}
      choose={askTimes}
    />
  );
}

/** Shows the box of a feature. An empty box shows the value that the page assumes. */
function Box({ name, id }: { name: string; id: string }) {
  const size = asked.value.get(name)?.text ?? '';
  // Text being typed, valid as long as the address does not get another size.
  const draft = useSignal<{ text: string; size: string } | null>(null);
  const text = draft.value?.size === size ? draft.value.text : size;
  const place = target.value.find((p) => p.feature === name);
  const isWrong = (text: string) => text.trim() !== '' && readSize(name, text) === null;
  const wrong = isWrong(text);
  return (
    <span class="box">
      <label for={id}>{visible(name).slice(0, 24)} =</label>
      <input
        id={id}
        type="text"
        inputMode="text"
        autocomplete="off"
        spellcheck={false}
        size={9}
        data-target
        placeholder={place ? featureSize(name, place.at) : 'size'}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        title={`a size such as 128MB, 1e6 or 3x; empty: ${place ? placeText(place) : 'none'}`}
        value={text}
        onInput={(e) => {
          const typed = e.currentTarget.value;
          if (!isWrong(typed)) ask(name, typed);
          draft.value = { text: typed, size: asked.value.get(name)?.text ?? '' };
        }}
        onBlur={() => {
          // Keeps an invalid text, so that the reader can correct it.
          if (!wrong) draft.value = null;
        }}
      />
      {wrong && (
        <span id={`${id}-wrong`} class="doubt wrong" role="status">
          Not a size. Try 2GB or 10x.
        </span>
      )}
    </span>
  );
}

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

/** Returns true if the 95th percentile, the base of the multiples, is about the largest size. */
function isLargest(feature: string): boolean {
  const summary = page.value.findings.features[page.value.featureIndex.get(feature) ?? -1];
  return (summary?.max ?? 0) <= (summary?.p95 ?? 0) * 1.01;
}
