/** What a grid is given. */

import type { ComponentChildren } from 'preact';

import type { Column } from './column';
import type { Chip, Filter } from './narrow';

/**
 * ```tsx
 * <Grid
 *   name="functions"
 *   noun="function"
 *   rows={rows}
 *   columns={columns}
 *   id={(f) => functionId(f)}
 *   href={(f) => href('function', functionId(f))}
 *   search={(f) => `${f.name} ${f.file}`}
 *   defaultSort="-cost"
 * />
 * ```
 * `rows`, `columns`, `filters` and `chips` must be memoised: what is sorted and filtered is worked out anew when they
 * change. Parameters in the address: `sort` (`cost`, or `-cost` for the largest first), `q`, `show` (a chip), `selected`
 * (a row's id) and one per filter, all with `prefix` in front.
 */
export interface GridProps<T> {
  /** The name of exported files, and the grid's for screen readers. */
  name: string;
  /** What a row is, singular: "1,489 of 1,489 clusters". */
  noun: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  /** Stable and unique. */
  id: (row: T) => string;
  /** The page that Enter or a click opens. */
  href: (row: T) => string | null;
  /** The text that the filter looks through. */
  search: (row: T) => string;
  /** A column's key; with `-` in front for the largest first. */
  defaultSort: string;
  /** Further filters, in a row that opens. */
  filters?: readonly Filter<T>[];
  /** Choices of rows by a word; one at a time. "all" is added. */
  chips?: readonly Chip<T>[];
  /** Of a row, in rem; 2 by default, 3.2 for rows of two lines. */
  rowHeight?: number;
  /** Of the keys in the address, where a page has two grids. */
  prefix?: string;
  /** What is done with a row that the arrow keys or a click come to, where the page shows it; then Enter alone opens it. */
  choose?: (row: T, step: 'push' | 'replace') => void;
  /** The row that is marked and shown, instead of the one that the address has as `selected`. */
  selected?: string;
  /** The greatest height, as a style sheet says it; by default what is left of the screen. */
  maxHeight?: string;
  /** In a narrow column: all but the filter stands below the rows, and this beside it. */
  beside?: ComponentChildren;
  /** Whether columns without room are shown, too, and the table scrolls sideways. */
  allColumns?: boolean;
  /** Buttons of the page's own, beside those of the grid. */
  actions?: (filtered: readonly T[]) => ComponentChildren;
}
