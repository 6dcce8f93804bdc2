/** Which rows remain under a grid's filters and chip: pure, over values that are asked for once per row. */

import { rangeCondition, textCondition, type Condition } from './filter';

/** A filter that is typed into a field of its own. */
export type Filter<T> = {
  /** In addresses. */
  key: string;
  label: string;
  hint?: string;
} & (
  | { kind: 'text'; value: (row: T) => string }
  /** A minimum or a range of numbers; `percent`: typed as 5 for 0.05. */
  | { kind: 'range'; percent?: boolean; value: (row: T) => number | null }
);

/** A choice of rows by a word. */
export interface Chip<T> {
  key: string;
  label: string;
  /** What it means, on hover. */
  hint?: string;
  keeps: (row: T) => boolean;
}

export interface Narrowed {
  /** Per row whether it remains. */
  kept: boolean[];
  /** Why a filter could not be used, by its key. */
  errors: Map<string, string>;
}

/** The rows that pass the text `q`, the filters as typed (by key) and the chip. */
export function narrow<T>(
  rows: readonly T[],
  texts: readonly string[],
  q: string,
  filters: readonly Filter<T>[],
  typed: (key: string) => string,
  chip: Chip<T> | undefined,
): Narrowed {
  const errors = new Map<string, string>();
  const tests: ((row: T, i: number) => boolean)[] = [];
  if (chip) tests.push(chip.keeps);
  const add = <V>(key: string, { matches, error }: Condition<V>, value: (row: T, i: number) => V) => {
    if (error !== null) errors.set(key, error);
    if (matches) tests.push((row, i) => matches(value(row, i)));
  };
  for (const filter of filters) {
    const text = typed(filter.key);
    if (filter.kind === 'text') add(filter.key, textCondition(text), filter.value);
    else add(filter.key, rangeCondition(text, filter.percent), filter.value);
  }
  add('q', textCondition(q), (_, i) => texts[i] ?? '');
  return { kept: rows.map((row, i) => tests.every((test) => test(row, i))), errors };
}
