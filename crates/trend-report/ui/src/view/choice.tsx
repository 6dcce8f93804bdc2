/** One of some that is chosen: by buttons, or from a list; and a button that is on or off. */

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
  /** In the address where it is on. */
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
