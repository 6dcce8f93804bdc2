/**
 * Reads rows that are written as columns (see `page_data/columns.rs`). A value is made on first access, because a page
 * shows only some of thousands of rows and models. Copy such a row with `extended`.
 */

type Scalar = string | number | boolean | null;
type Texts = Scalar[] | { same: Scalar } | { of: Scalar[]; at: number[] };

export interface Column {
  count: number;
  /** One letter per value, or one letter for all: `v`alue, `a`rray, `o`bject, or `-` for a missing value. */
  kinds: string;
  values?: Texts;
  lengths?: Texts;
  items?: Column;
  fields?: Record<string, Column>;
}

/** Reads the value of a row. */
type Read = (row: number) => unknown;

/** Functions that expand the fields written in short form, by field name; they get the field and its row. */
type Expansions = Record<string, (value: never, row: never) => unknown>;

/** Returns the rows of a table. Each field is read on first access. */
export function rowsOf<T>(table: Column, expansions: Expansions = {}): T[] {
  const row = objectReader(table.fields, expansions);
  return Array.from({ length: table.count }, (_, i) => row(i) as T);
}

function objectReader(fields: Column['fields'] = {}, expansions: Expansions = {}): Read {
  class Row {
    constructor(readonly position: number) {}
  }
  for (const [key, column] of Object.entries(fields)) {
    const read = reader(column);
    const meant: Expansions[string] = expansions[key] ?? ((value) => value);
    Object.defineProperty(Row.prototype, key, {
      get(this: Row) {
        const value = meant(read(this.position) as never, this as never);
        Object.defineProperty(this, key, { value });
        return value;
      },
    });
  }
  return (position) => new Row(position);
}

/** Returns a row with additional fields. The row's own fields are read through its prototype. */
export function extended<T extends object, M extends object>(row: T, more: M): T & M {
  return Object.create(row, Object.getOwnPropertyDescriptors(more)) as T & M;
}

function reader({ count, kinds, values, lengths, items, fields }: Column): Read {
  const of: Record<string, Read> = {
    v: textReader(values),
    a: arrayReader(count, textReader(lengths), items),
    o: objectReader(fields),
    '-': () => undefined,
  };
  if (kinds.length <= 1) return of[kinds] ?? (() => undefined);
  // Kinds differ: counts the earlier values of the same kind, to find a value's position within its kind.
  const before = once(() => {
    const seen: Record<string, number> = {};
    return Uint32Array.from(kinds, (kind) => (seen[kind] = (seen[kind] ?? -1) + 1));
  });
  return (row) => of[kinds[row] ?? '-']?.(before()[row] ?? 0);
}

function textReader(texts: Texts = []): Read {
  if (Array.isArray(texts)) return (i) => texts[i];
  if ('same' in texts) return () => texts.same;
  return (i) => texts.of[texts.at[i] ?? -1];
}

function arrayReader(count: number, lengthOf: Read, column?: Column): Read {
  if (!column) return () => [];
  const item = reader(column);
  const starts = once(() => {
    const found = new Uint32Array(count + 1);
    for (let i = 0; i < count; i++) found[i + 1] = (found[i] ?? 0) + Number(lengthOf(i) ?? 0);
    return found;
  });
  return (i) => {
    const start = starts()[i] ?? 0;
    return Array.from({ length: Number(lengthOf(i)) }, (_, at) => item(start + at));
  };
}

/** Returns a function that makes the value on its first call and keeps it. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
