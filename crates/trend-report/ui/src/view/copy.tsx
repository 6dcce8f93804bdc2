/** Buttons that copy the current view for other people, as a link or as a command line. */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface CopyProps {
  label: string;
  text: () => string;
  /** True if this is the page's main action. */
  go?: boolean | undefined;
}

/** Copies a text and confirms it. If the browser forbids copying, shows the text to copy by hand. */
export function CopyButton({ label, text, go }: CopyProps) {
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

/** The command that adds the most informative runs. */
export const UNTIL_DECIDED = 'trend-prof run --until-decided';

/** Shows a command to run. `go` marks it as the page's main action. */
export function Command({ text, go }: { text: string; go?: boolean }) {
  return (
    <>
      <code class="line">{text}</code>
      <CopyButton label="Copy command" text={() => text} go={go} />
    </>
  );
}

/** Quotes an argument for a shell. */
export function shellQuote(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

/** Returns the flags of `show` or `report` that leave workloads out. */
export function exclusion(workloads: readonly string[]): string {
  // After a space, a name such as `-n 5` would be read as flags.
  return workloads.map((name) => `--exclude${name.startsWith('-') ? '=' : ' '}${shellQuote(name)}`).join(' ');
}

/** Shows a page's foot. `words` returns the words of the equivalent command. */
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
