/** "Copy link" and "Copy command line": what is shown, for somebody else. */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** Copies a text and says so; where the browser forbids it, shows the text to copy by hand. */
export function CopyButton({
  label,
  text,
  go,
}: {
  label: string;
  text: () => string;
  go?: boolean | undefined;
}) {
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

/** The runs that are worth most. */
export const UNTIL_DECIDED = 'trend-prof run --until-decided';

/** A command to be run. `go`: it is what the page asks for. */
export function Command({ text, go }: { text: string; go?: boolean }) {
  return (
    <>
      <code class="line">{text}</code>
      <CopyButton label="Copy command" text={() => text} go={go} />
    </>
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

/** `words` are those of the command that says the same. */
export function Foot({ words, children }: { words: () => string[]; children: ComponentChildren }) {
  return (
    <p class="foot wrap">
      <span>{children}</span>
      <CopyButton label="Copy link" text={() => location.href} />
      <CopyButton
        label="Copy command line"
        text={() => ['trend-prof', ...words().map(shellQuote)].join(' ')}
      />
    </p>
  );
}
