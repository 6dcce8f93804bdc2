/** What a column of a grid is: its values for order and export, and how a cell of it is drawn. */

import type { ComponentChildren } from 'preact';

import type { Cell } from '../files/delimited';
import { visible } from '../format/text';

export interface Column<T> {
  /** Stable: in addresses and the heading of exports. */
  key: string;
  title: string;
  /** The unit or the definition, on hover. */
  hint?: string;
  /** What exports carry, unrounded and without units; also what the column is sorted by. */
  value: (row: T) => Cell;
  /** What it is sorted by where that is not `value`; `null` for columns that have no order, such as drawings. */
  sort?: ((row: T) => Cell) | null;
  /** How the cell looks; by default its value as text. */
  render?: (row: T) => ComponentChildren;
  /** Aligned to the right, and sorted from the largest first. */
  numeric?: boolean;
  /** In rem, the least that the cell needs. */
  width: number;
  /** How much of the room that is left the column takes; 0 by default. */
  grow?: number;
  /** Columns of a low number are kept longest where there is little room; those of 0 always. */
  priority: number;
  /** Whether exports leave it out, because it draws what other columns say. */
  drawn?: boolean;
}

/** A column of numbers, the largest first; a dash where there is none. */
export function numbers<T>(
  key: string,
  title: string,
  hint: string,
  [width, priority]: [number, number],
  value: (row: T) => number | null | undefined,
  show: (value: number) => string,
): Column<T> {
  const render = (row: T) => shown(value(row), show);
  return { key, title, hint, width, priority, value: (row) => value(row) ?? null, render, numeric: true };
}

/** A number as text; a dash where there is none. */
export function shown(value: number | null | undefined, show: (value: number) => string): string {
  return value === null || value === undefined ? '–' : show(value);
}

/** Between two columns, in rem. */
export const COLUMN_GAP = 0.9;

/** What the column is sorted by, or `null` where it has no order. */
export function sortValue<T>(column: Column<T>): ((row: T) => Cell) | null {
  return column.sort === undefined ? column.value : column.sort;
}

export function cellText(value: Cell): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? visible(value) : String(value);
}

/** As many columns as fit side by side in `available` rem, those of low priority number first; in the order of `columns`. */
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
