/** A table of a few rows, in a box that scrolls sideways by itself. */

import type { ComponentChildren } from 'preact';

interface TableProps {
  /** What a screen reader calls it. */
  label: string;
  kind?: string;
  heads: ComponentChildren[];
  /** Positions of columns of numbers. */
  numeric?: number[];
  children: ComponentChildren;
}

export function Table({ label, kind, heads, numeric = [], children }: TableProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={kind}>
        <thead>
          <tr>
            {heads.map((head, i) => (
              <th key={i} scope="col" class={numeric.includes(i) ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
