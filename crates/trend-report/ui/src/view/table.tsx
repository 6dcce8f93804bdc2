/** A table of a few rows. */

import type { ComponentChildren } from 'preact';

/**
 * A column: its heading, the class of its cells, their content, and the direction in which they are sorted. The class
 * `number` aligns cells to the right; `row` makes them headings of their rows.
 */
export type TableColumn<R> = [
  head: ComponentChildren,
  kind: string,
  cell: (row: R) => ComponentChildren,
  sort?: 'ascending' | 'descending' | undefined,
];

interface RowAttributes {
  class?: string | undefined;
  title?: string;
  onClick?: () => void;
}

interface TableProps<R> {
  /** Label for screen readers. A table with a label stands in a box that scrolls sideways. */
  label?: string;
  kind?: string;
  rows: readonly R[];
  columns: readonly TableColumn<R>[];
  /** Returns the attributes of a row. */
  row?: (row: R) => RowAttributes;
}

export function Table<R>({ label, kind, rows, columns, row = () => ({}) }: TableProps<R>) {
  const table = (
    <table class={kind}>
      <thead>
        <tr>
          {columns.map(([head, kind, , sort], i) => (
            <th key={i} scope="col" class={kind} aria-sort={sort}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((one, index) => (
          <tr key={index} {...row(one)}>
            {columns.map(([, kind, cell], i) => {
              const isHead = kind === 'row';
              const Cell = isHead ? 'th' : 'td';
              return <Cell key={i} {...(isHead ? { scope: 'row' } : { class: kind })} children={cell(one)} />;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (label === undefined) return table;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      {table}
    </div>
  );
}
