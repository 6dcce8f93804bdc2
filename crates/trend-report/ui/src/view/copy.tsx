/** "Copy link" and "Copy command line": what is shown, for somebody else. */

import { useSignal } from '@preact/signals';

/** Copies a text and says so; where the browser forbids it, shows the text to copy by hand. */
export function CopyButton({ label, text, go }: { label: string; text: () => string; go?: boolean }) {
  const said = useSignal<string | null>(null);
  const byHand = useSignal<string | null>(null);
  const copy = async () => {
    const wanted = text();
    try {
      await navigator.clipboard.writeText(wanted);
      said.value = 'copied';
      setTimeout(() => (said.value = null), 1500);
    } catch {
      byHand.value = wanted;
    }
  };
  return (
    <span class="copy">
      <button type="button" class={go ? 'go' : undefined} onClick={() => void copy()}>
        {label}
        {go && <kbd>c</kbd>}
      </button>
      <span role="status">{said.value}</span>
      {byHand.value !== null && (
        <input readOnly value={byHand.value} aria-label={label} onFocus={(e) => e.currentTarget.select()} />
      )}
    </span>
  );
}

/** An argument as a shell needs it. */
export function shellQuote(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

/** The flags of `show` or `report` that leave workloads out. */
export function exclusion(workloads: readonly string[]): string {
  // After a space a name such as `-n 5` would be read as flags.
  return workloads.map((name) => `--exclude${name.startsWith('-') ? '=' : ' '}${shellQuote(name)}`).join(' ');
}
