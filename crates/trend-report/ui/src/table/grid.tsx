/**
 * A table of up to some ten thousand rows that people sort, narrow, walk through by keys and take along as CSV or
 * JSON. Only rows in view are in the document. Sort, filters, chips and the selected row are in the address.
 */

import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';

import { go, param, route, setParams } from '../state/state';
import { Body } from './body';
import { type Column, shownColumns, sortValue } from './column';
import { type Chip, type Filter, narrow, order, parseSort, ranks, writeSort } from './narrow';
import { Narrowed, TextFilter, Toolbar } from './toolbar';
import { useBox } from './window';

export function Grid<T>(props: GridProps<T>) {
  const { rows, columns, noun, prefix = '' } = props;
  const chosen = useChosen(props);
  const scroller = useRef<HTMLDivElement>(null);
  const box = useBox(scroller);
  const room = Math.floor(box.width / box.rem) - 1;
  const fit = props.allColumns ? Infinity : room;
  const shown = useMemo(() => shownColumns(columns, fit), [columns, fit]);
  const inAddress = useMemo(() => param(`${prefix}selected`), [prefix]).value;
  const selected = props.selected ?? inAddress;
  const open = (row: T, address: string) => {
    setParams({ [`${prefix}selected`]: props.id(row) });
    go(address);
  };
  const filtered = useMemo(() => chosen.positions.flatMap((i) => rows[i] ?? []), [rows, chosen.positions]);
  const tools = {
    grid: props,
    chosen,
    shown,
    filtered,
    onEnterRows: () => scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
  };
  return (
    <div class="grid-frame">
      {props.beside === undefined ? (
        <Toolbar {...tools} />
      ) : (
        <div class="grid-tools line beside-filter">
          <TextFilter {...tools} />
          {props.beside}
        </div>
      )}
      <Body
        grid={props}
        rows={filtered}
        columns={shown}
        onOpen={open}
        {...{ scroller, box, chosen, selected }}
      />
      {filtered.length === 0 && (
        <p class="grid-empty soft">
          {rows.length === 0 ? `This study has no ${noun}s.` : 'Nothing passes the filters.'}
        </p>
      )}
      {props.beside !== undefined && (
        <div class="grid-tools">
          <Narrowed {...tools} />
        </div>
      )}
    </div>
  );
}

/**
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

export type Chosen = ReturnType<typeof useChosen>;

const NONE: readonly never[] = [];

function useChosen<T>(props: GridProps<T>) {
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
  // Thirty thousand texts are put together when somebody first types, not before.
  const texts = useMemo(() => (q === '' ? [] : rows.map(search)), [rows, q === '']);
  const narrowed = useMemo(
    () => narrow(rows, texts, q, filters, get, chip),
    [rows, texts, filters, chip, ...keys.map(get)],
  );
  const positions = useMemo(() => ordered.filter((i) => narrowed.kept[i]), [ordered, narrowed]);

  return {
    /** Where the remaining rows stand in `rows`, in order. */
    positions,
    sort,
    /** Sorts by a column; by the one that already is, the other way round. */
    sortBy: (key: string) => {
      const numeric = columns.find((c) => c.key === key)?.numeric ?? false;
      const text = writeSort({ key, descending: sort.key === key ? !sort.descending : numeric });
      set({ sort: text === defaultSort ? null : text }, 'push');
    },
    /** What is typed into a filter, by its key; `q` is the text over all. */
    typed: get,
    type: (key: string, text: string) => set({ [key]: text }, 'replace'),
    /** Empties all filters. */
    clear: () => set(Object.fromEntries([...keys, 'show'].map((key) => [key, null])), 'push'),
    errors: narrowed.errors,
    /** Changes when sort or filters do. */
    signature: [writeSort(sort), chip?.key, ...keys.map(get)].join('\0'),
    chip: chip?.key ?? null,
    setChip: (key: string | null) => set({ show: key }, 'push'),
  };
}
