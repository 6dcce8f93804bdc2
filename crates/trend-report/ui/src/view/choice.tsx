/** Controls for choosing one of several options, by buttons or from a list, and an on/off button. */

import { setParams } from '../state/state';

interface ChoiceProps<K> {
  label: string;
  of: readonly { key: K; text: string; title?: string }[];
  chosen: K | undefined;
  choose: (key: K) => void;
  kind?: string;
}

export function Choice<K extends string | number>({ label, of, chosen, choose, kind = '' }: ChoiceProps<K>) {
  return (
    <span class={`joined wrap ${kind}`} role="group" aria-label={label}>
      {of.map(({ key, text, title }) => (
        <button
          key={key}
          type="button"
          title={title}
          aria-pressed={key === chosen}
          onClick={() => choose(key)}
        >
          {text}
        </button>
      ))}
    </span>
  );
}

export function Select({ label, of, chosen, choose, kind }: ChoiceProps<string>) {
  return (
    <select class={kind} aria-label={label} value={chosen} onChange={(e) => choose(e.currentTarget.value)}>
      {of.map(({ key, text }) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface ToggleProps {
  /** Parameter of the address that is set while the button is on. */
  param: string;
  on: boolean;
  text: string;
  title?: string;
  kind?: string;
}

export function Toggle({ param, on, text, title, kind }: ToggleProps) {
  const change = () => setParams({ [param]: on ? null : 1 }, 'push');
  return (
    <button type="button" class={kind} aria-pressed={on} title={title} onClick={change}>
      {text}
    </button>
  );
}
