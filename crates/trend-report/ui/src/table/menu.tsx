/** A button that opens a small sheet; Escape or going elsewhere closes it. */

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (details.current) details.current.open = false;
  };
  return (
    <details
      class="menu"
      ref={details}
      onKeyDown={(e) => {
        if (e.key !== 'Escape' || !details.current?.open) return;
        e.preventDefault();
        close();
        details.current.querySelector('summary')?.focus();
      }}
      onFocusOut={(e) => {
        // A click on plain text moves the focus nowhere; that is no leaving.
        if (e.relatedTarget instanceof Node && !details.current?.contains(e.relatedTarget)) close();
      }}
    >
      <summary>{label}</summary>
      <div class="sheet" tabIndex={-1}>
        {children}
      </div>
    </details>
  );
}
