/** Columns of a grid: their values for sorting and export, and how their cells are drawn. */

import type { ComponentChildren } from 'preact';

import type { Cell } from '../files/delimited';
import { visible } from '../format/text';

export interface Column<T> {
  /** Stable identifier, used in addresses and as heading of exports. */
  key: string;
  title: string;
  /** The unit or the definition, shown on hover. */
  hint?: string;
  /** Returns the value for exports, unrounded and without units. It is also the sort key by default. */
  value: (row: T) => Cell;
  /** Returns the sort key if it differs from `value`; `null` for columns without an order, such as drawings. */
  sort?: ((row: T) => Cell) | null;
  /** Draws the cell; by default its value as text. */
  render?: (row: T) => ComponentChildren;
  /** True if the column is aligned to the right and sorted from the largest first. */
  numeric?: boolean;
  /** Minimum width in rem. */
  width: number;
  /** Share of the remaining room that the column takes; 0 by default. */
  grow?: number;
  /** Columns with a low number are kept longest if there is little room; 0 is always kept. */
  priority: number;
  /** True if exports leave the column out, because it only draws the values of other columns. */
  drawn?: boolean;
}

/** The minimum width of a column, its priority, and its share of the remaining room. */
type Size = [width: number, priority: number, grow?: number];

export function column<T>(
  key: string,
  title: string,
  [width, priority, grow = 0]: Size,
  content: Omit<Column<T>, 'key' | 'title' | 'width' | 'priority' | 'grow'>,
): Column<T> {
  return { key, title, width, priority, grow, ...content };
}

/** Returns a column of numbers, the largest first; a missing number is a dash. */
export function numbers<T>(
  key: string,
  title: string,
  hint: string,
  size: Size,
  value: (row: T) => number | null | undefined,
  show: (value: number) => string,
): Column<T> {
  const render = (row: T) => shown(value(row), show);
  return column(key, title, size, { hint, value: (row) => value(row) ?? null, render, numeric: true });
}

/** Width and priority of a column that only exports have. */
export const UNSHOWN: Size = [Infinity, Infinity];

/** Formats a number; a missing number is a dash. */
export function shown(value: number | null | undefined, show: (value: number) => string): string {
  return value === null || value === undefined ? '–' : show(value);
}

/** Gap between two columns, in rem. */
export const COLUMN_GAP = 0.9;

/** Returns the sort key of a column; `null` if it has no order. */
export function sortValue<T>(column: Column<T>): ((row: T) => Cell) | null {
  return column.sort === undefined ? column.value : column.sort;
}

export function cellText(value: Cell): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? visible(value) : String(value);
}

/**
 * Returns the columns that fit side by side in `available` rem. Chooses by ascending priority number, and keeps the
 * order of `columns`.
 */
export function shownColumns<T>(columns: readonly Column<T>[], available: number): Column<T>[] {
  const byPriority = [...columns].sort((a, b) => a.priority - b.priority);
  const kept = new Set<Column<T>>();
  let used = 0;
  for (const column of byPriority) {
    const wanted = column.width + (kept.size > 0 ? COLUMN_GAP : 0);
    if (column.priority > 0 && used + wanted > available) break;
    kept.add(column);
    used += wanted;
  }
  return columns.filter((c) => kept.has(c));
}
