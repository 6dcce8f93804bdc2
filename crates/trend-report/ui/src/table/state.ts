/** What a grid shows as the address says: sort, filters and chip, and the rows that follow from them. */

import { useMemo } from 'preact/hooks';

import { route, setParams } from '../state/route';
import { sortValue } from './column';
import type { GridProps } from './props';
import { narrow } from './narrow';
import { order, parseSort, ranks, writeSort, type Sort } from './order';

export interface Chosen {
  /** Positions in `rows` of those that remain, in order. */
  positions: number[];
  sort: Sort;
  /** Sorts by a column; by the one that already is, the other way round. */
  sortBy: (key: string) => void;
  setSort: (sort: Sort) => void;
  /** What is typed into a filter, by its key; `q` is the text over all. */
  typed: (key: string) => string;
  type: (key: string, text: string) => void;
  /** Empties all filters. */
  clear: () => void;
  errors: Map<string, string>;
  /** Changes when sort or filters do. */
  signature: string;
  chip: string | null;
  setChip: (key: string | null) => void;
}

const NONE: readonly never[] = [];

export function useChosen<T>(props: GridProps<T>): Chosen {
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

  const setSort = (to: Sort) => {
    const text = writeSort(to);
    set({ sort: text === defaultSort ? null : text }, 'push');
  };
  return {
    positions,
    sort,
    setSort,
    sortBy: (key) => {
      const numeric = columns.find((c) => c.key === key)?.numeric ?? false;
      setSort({ key, descending: sort.key === key ? !sort.descending : numeric });
    },
    typed: get,
    type: (key, text) => set({ [key]: text }, 'replace'),
    clear: () => set(Object.fromEntries([...keys, 'show'].map((key) => [key, null])), 'push'),
    errors: narrowed.errors,
    signature: [writeSort(sort), chip?.key, ...keys.map(get)].join('\0'),
    chip: chip?.key ?? null,
    setChip: (key) => set({ show: key }, 'push'),
  };
}
