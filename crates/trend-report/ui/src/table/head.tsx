/** The heading of a grid: a button per column that sorts by it. */

import { sortValue, type Column } from './column';
import type { Sort } from './order';

export function HeadRow<T>({
  columns,
  sort,
  onSort,
  active,
  onFocus,
}: {
  columns: readonly Column<T>[];
  sort: Sort;
  onSort: (key: string) => void;
  /** The column whose heading has the tab stop. */
  active: number | null;
  onFocus: (column: number) => void;
}) {
  return (
    <div role="rowgroup" class="grid-head">
      <div role="row" aria-rowindex={1} class="grid-row">
        {columns.map((column, i) => {
          const sorted = column.key === sort.key;
          const direction = sort.descending ? 'descending' : 'ascending';
          const stop = { tabIndex: i === active ? 0 : -1, 'data-active': i === active || undefined };
          return (
            <div
              key={column.key}
              role="columnheader"
              aria-colindex={i + 1}
              aria-sort={sorted ? direction : undefined}
              class={column.numeric ? 'cell numeric' : 'cell'}
              title={column.hint}
              {...(sortValue(column) ? {} : stop)}
            >
              {sortValue(column) ? (
                <button type="button" {...stop} onClick={() => onSort(column.key)} onFocus={() => onFocus(i)}>
                  {column.title}
                  <span class="direction" aria-hidden="true">
                    {sorted ? (sort.descending ? '▾' : '▴') : ''}
                  </span>
                </button>
              ) : (
                column.title
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
