/** The target-size box: one size that drives every prediction on every page. */

import { useSignal } from '@preact/signals';

import { size } from '../format/number';
import { parseQuantity } from '../format/quantity';
import { visible } from '../format/text';
import { page, setTarget, target, targetOf } from '../state/store';

export function TargetBox() {
  const { features } = page.value.findings;
  const asked = target.value;
  const draft = useSignal<string | null>(null);
  // A feature that is picked before there is a size; the address has no place for it.
  const picked = useSignal<string | null>(null);
  const known = features.some((f) => f.name === picked.value) ? picked.value : null;
  const name = asked?.feature ?? known ?? features[0]?.name;
  if (name === undefined) return null;
  const usual = targetOf(name);
  const text = draft.value ?? asked?.text ?? '';
  const wrong = text.trim() !== '' && parseQuantity(text) === null;
  const change = (typed: string) => {
    draft.value = typed;
    if (typed.trim() === '' || parseQuantity(typed) !== null) setTarget(name, typed);
  };
  const pick = (feature: string) => {
    picked.value = feature;
    if (asked) setTarget(feature, asked.text);
  };
  return (
    <form class="target" onSubmit={(e) => e.preventDefault()}>
      <label for="target-size">Predict at</label>
      <select
        aria-label="feature of the target size"
        value={name}
        onChange={(e) => pick(e.currentTarget.value)}
      >
        {features.map((f) => (
          <option key={f.name} value={f.name}>
            {visible(f.name).slice(0, 40)}
          </option>
        ))}
      </select>
      <input
        id="target-size"
        type="text"
        inputMode="text"
        autocomplete="off"
        spellcheck={false}
        size={9}
        placeholder={usual === null ? 'size' : size(usual)}
        aria-invalid={wrong}
        title="a size such as 128MB, 1e6 or 64KiB; empty: ten times the 95th percentile"
        value={text}
        onInput={(e) => change(e.currentTarget.value)}
        onBlur={() => (draft.value = null)}
      />
      {wrong && <span class="doubt">not a size</span>}
    </form>
  );
}
