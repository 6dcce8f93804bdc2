/** The properties of a grid, and the sort and the filters that the reader chose. */

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

import { route, setParams } from '../state/state';
import { type Column, sortValue } from './column';
import { type Chip, type Filter, narrow, order, parseSort, ranks, writeSort } from './narrow';

/**
 * Properties of a grid. `rows`, `columns`, `filters` and `chips` must be memoised: a change of them sorts and filters
 * again. Parameters in the address: `sort` (`cost`, or `-cost` for the largest first), `q`, `show` (a chip), `selected`
 * (a row's id) and one per filter, all with `prefix` in front.
 */
export interface GridProps<T> {
  /** Name of exported files. */
  name: string;
  /** Singular noun for a row: "1,489 of 1,489 clusters". */
  noun: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  /** Returns a stable, unique id. */
  id: (row: T) => string;
  /** Returns the page that Enter or a click opens. */
  href: (row: T) => string | null;
  /** Returns the text that the text filter searches. */
  search: (row: T) => string;
  /** Key of a column; with `-` in front for the largest first. */
  defaultSort: string;
  /** Further filters, in a line that unfolds. */
  filters?: readonly Filter<T>[];
  /** Named filters; one is active at a time. The grid adds "all". */
  chips?: readonly Chip<T>[];
  /** Height of a row in rem; 2 by default, about 3 for rows of two lines. */
  rowHeight?: number;
  /** Keys of the columns on a narrow screen: the first one has a line of its own, the others share the next line. */
  stacked?: readonly string[];
  /** Prefix of the keys in the address, for a page with two grids. */
  prefix?: string;
  /** Shows a row on the same page when the arrow keys or a click reach it. Only Enter then opens the row. */
  choose?: (row: T, step: 'push' | 'replace') => void;
  /** Id of the marked row; overrides `selected` in the address. */
  selected?: string;
  /** Maximum height as a CSS length; by default the rest of the screen. */
  maxHeight?: string;
  /** Content next to the text filter. */
  beside?: ComponentChildren;
  /** True if columns that do not fit are shown too, and the table scrolls sideways. */
  allColumns?: boolean;
  /** Buttons that the page adds to the grid's own. */
  actions?: (filtered: readonly T[]) => ComponentChildren;
}

export type Choices = ReturnType<typeof useChoices>;

const NONE: readonly never[] = [];

/** Returns the sort and the filters of a grid, as the address has them. */
export function useChoices<T>(props: GridProps<T>) {
  const { rows, columns, filters = NONE, chips = NONE, search, defaultSort, prefix = '' } = props;
  const { params } = route.value;
  const get = (key: string) => params.get(prefix + key) ?? '';
  const set = (values: Record<string, string | null>, step: 'push' | 'replace') =>
    setParams(Object.fromEntries(Object.entries(values).map(([k, v]) => [prefix + k, v])), step);

  const sortText = get('sort') || defaultSort;
  const sort = columns.some((c) => c.key === parseSort(sortText).key)
    ? parseSort(sortText)
    : parseSort(defaultSort);
  const known = useMemo(() => new Map<string, Float64Array>(), [rows, columns]);
  const ordered = useMemo(() => {
    const column = columns.find((c) => c.key === sort.key);
    const value = column ? sortValue(column) : null;
    if (!value) return rows.map((_, i) => i);
    const kept = known.get(sort.key) ?? ranks(rows.map(value));
    known.set(sort.key, kept);
    return order(kept, sort.descending);
  }, [rows, columns, sort.key, sort.descending]);

  const keys = ['q', ...filters.map((f) => f.key)];
  const chip = chips.find((c) => c.key === get('show'));
  const q = get('q');
  // The texts of thirty thousand rows are built on the first keystroke, not before.
  const texts = useMemo(() => (q === '' ? [] : rows.map(search)), [rows, q === '']);
  const narrowed = useMemo(
    () => narrow(rows, texts, q, filters, get, chip),
    [rows, texts, filters, chip, ...keys.map(get)],
  );
  const positions = useMemo(() => ordered.filter((i) => narrowed.kept[i]), [ordered, narrowed]);

  return {
    /** Positions of the filtered rows in `rows`, in order. */
    positions,
    sort,
    /** Sorts by a column; reverses the order if the table is already sorted by it. */
    sortBy: (key: string) => {
      const numeric = columns.find((c) => c.key === key)?.numeric ?? false;
      const text = writeSort({ key, descending: sort.key === key ? !sort.descending : numeric });
      set({ sort: text === defaultSort ? null : text }, 'push');
    },
    /** Returns the text typed into a filter, by its key; `q` is the text filter. */
    typed: get,
    type: (key: string, text: string) => set({ [key]: text }, 'replace'),
    /** Clears all filters. */
    clear: () => set(Object.fromEntries([...keys, 'show'].map((key) => [key, null])), 'push'),
    errors: narrowed.errors,
    /** Text that changes whenever the sort or a filter does. */
    signature: [writeSort(sort), chip?.key, ...keys.map(get)].join('\0'),
    chip: chip?.key ?? null,
    setChip: (key: string | null) => set({ show: key }, 'push'),
  };
}
