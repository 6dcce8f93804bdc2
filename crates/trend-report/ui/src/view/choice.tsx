/** Buttons of which one is chosen. */

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
