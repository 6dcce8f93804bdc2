/** A table of a few rows, in a box that scrolls sideways by itself. */

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
  /** Label for screen readers. */
  label: string;
  kind?: string;
  rows: readonly R[];
  columns: readonly TableColumn<R>[];
  /** Returns the attributes of a row. */
  row?: (row: R) => RowAttributes;
}

export function Table<R>({ label, ...table }: TableProps<R>) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <BareTable {...table} />
    </div>
  );
}

export function BareTable<R>({ kind, rows, columns, row = () => ({}) }: Omit<TableProps<R>, 'label'>) {
  return (
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
            {columns.map(([, kind, cell], i) =>
              kind === 'row' ? (
                <th key={i} scope="row">
                  {cell(one)}
                </th>
              ) : (
                <td key={i} class={kind}>
                  {cell(one)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
