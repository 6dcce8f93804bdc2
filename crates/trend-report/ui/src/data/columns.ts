/**
 * Rows that are written as columns, as `page_data/columns.rs` says. A value is made when it is first asked for: of thousands
 * of rows with their models a page shows some. Copies of what is read here are made with `extended`.
 */

type Scalar = string | number | boolean | null;
type Texts = Scalar[] | { same: Scalar } | { of: Scalar[]; at: number[] };

export interface Column {
  count: number;
  /** What each value is, or all are: `v`alue, `a`rray, `o`bject, or `-` where the row has none. */
  kinds: string;
  values?: Texts;
  lengths?: Texts;
  items?: Column;
  fields?: Record<string, Column>;
}

/** The value of a row. */
type Read = (row: number) => unknown;

/** What fields become that are written in short, of their row. */
type Written = Record<string, (value: never, row: never) => unknown>;

/** The rows of a table, each field of which is read when it is first asked for. */
export function rowsOf<T>(table: Column, written: Written = {}): T[] {
  const row = objectReader(table.fields, written);
  return Array.from({ length: table.count }, (_, i) => row(i) as T);
}

function objectReader(fields: Column['fields'] = {}, written: Written = {}): Read {
  class Row {
    constructor(readonly position: number) {}
  }
  for (const [key, column] of Object.entries(fields)) {
    const read = reader(column);
    const meant: Written[string] = written[key] ?? ((value) => value);
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

/** A row with other fields besides; its own are read through it. */
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
  // Where kinds differ: how many of the same kind stand before a value.
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

/** Made when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
