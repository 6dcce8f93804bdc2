/** The target-size box: one size that drives every prediction on every page. */

import { useSignal } from '@preact/signals';

import { size } from '../format/number';
import { parseQuantity } from '../format/quantity';
import { visible } from '../format/text';
import { page, setTarget, target, targetOf } from '../state/store';

export function TargetBox() {
  const { features } = page.value.findings;
  const asked = target.value;
  // What is typed, as long as the address has not got another size meanwhile.
  const draft = useSignal<{ text: string; asked: string } | null>(null);
  // A feature that is picked before there is a size; the address has no place for it.
  const picked = useSignal<string | null>(null);
  const known = features.some((f) => f.name === picked.value) ? picked.value : null;
  const name = asked?.feature ?? known ?? features[0]?.name;
  if (name === undefined) return null;
  const usual = targetOf(name);
  const text = draft.value?.asked === addressed() ? draft.value.text : (asked?.text ?? '');
  const wrong = isWrong(text);
  const change = (typed: string) => {
    if (!isWrong(typed)) setTarget(name, typed);
    draft.value = { text: typed, asked: addressed() };
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
        aria-describedby={wrong ? 'target-wrong' : undefined}
        title="a size such as 128MB, 1e6 or 64KiB; empty: ten times the 95th percentile"
        value={text}
        onInput={(e) => change(e.currentTarget.value)}
        onBlur={() => {
          // A wrong text stays, so that it can be mended.
          if (!wrong) draft.value = null;
        }}
      />
      {wrong && (
        <span id="target-wrong" class="doubt wrong" role="status">
          not a size, such as 128MB or 1e6
        </span>
      )}
    </form>
  );
}

function isWrong(text: string): boolean {
  return text.trim() !== '' && parseQuantity(text) === null;
}

/** The size that the address has; a draft made for another is out of date. */
function addressed(): string {
  const asked = target.value;
  return asked ? `${asked.feature}:${asked.text}` : '';
}
