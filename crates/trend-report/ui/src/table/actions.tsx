/** What can be done with the rows of a grid: copy, save. */

import { CopyButton } from '../view/copy';
import type { Column } from './column';
import { delimited, json } from '../files/delimited';
import { save } from '../files/save';
import type { GridProps } from './props';
import { Menu } from './menu';

interface ActionsProps<T> {
  grid: GridProps<T>;
  shown: readonly Column<T>[];
  filtered: readonly T[];
}

export function Actions<T>({ grid, shown, filtered }: ActionsProps<T>) {
  return (
    <span class="actions wrap">
      <CopyButton label="Copy rows" text={() => written(filtered, shown, '\t')} />
      <Menu label="Save">
        <SaveChoice name={grid.name} columns={grid.columns} filtered={filtered} />
      </Menu>
      {grid.actions?.(filtered)}
    </span>
  );
}

function written<T>(rows: readonly T[], columns: readonly Column<T>[], as: ',' | '\t' | 'json'): string {
  const data = columns.filter((c) => !c.drawn);
  const head = data.map((c) => c.key);
  const cells = rows.map((row) => data.map((c) => c.value(row)));
  return as === 'json' ? json(head, cells) : delimited(head, cells, as);
}

function SaveChoice<T>({
  name,
  columns,
  filtered,
}: {
  name: string;
  columns: readonly Column<T>[];
  filtered: readonly T[];
}) {
  const csv = () => save(`${name}.csv`, 'text/csv', written(filtered, columns, ','));
  const json = () => save(`${name}.json`, 'application/json', written(filtered, columns, 'json'));
  return (
    <>
      <div class="line wrap">
        <button type="button" onClick={csv}>
          CSV
        </button>
        <button type="button" onClick={json}>
          JSON
        </button>
      </div>
      <p class="note">
        The rows that remain, with all columns, unrounded. In CSV a text that a spreadsheet would run as a
        formula begins with an apostrophe.
      </p>
    </>
  );
}
