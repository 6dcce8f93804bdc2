import assert from 'node:assert/strict';
import { test } from 'node:test';

import { extended, rowsOf, type Column } from '../src/data/columns';

/** `[{"a": 1, "b": [2, 3]}, {"a": 4, "b": []}, {"b": [5], "c": {"d": "x"}}]` */
const TABLE: Column = {
  count: 3,
  kinds: 'o',
  fields: {
    a: { count: 3, kinds: 'vv-', values: [1, 4] },
    b: {
      count: 3,
      kinds: 'a',
      lengths: [2, 0, 1],
      items: { count: 3, kinds: 'v', values: { of: [2, 3, 5], at: [0, 1, 2] } },
    },
    c: { count: 3, kinds: '--o', fields: { d: { count: 1, kinds: 'v', values: { same: 'x' } } } },
  },
};

test('rows are read from their columns', () => {
  const rows = rowsOf<{ a?: number; b: number[]; c?: { d: string } }>(TABLE);
  assert.deepEqual(
    rows.map(({ a, b, c }) => ({ a, b, c: c?.d })),
    [
      { a: 1, b: [2, 3], c: undefined },
      { a: 4, b: [], c: undefined },
      { a: undefined, b: [5], c: 'x' },
    ],
  );
});

test('what is written in short is meant as its reader says, and read once', () => {
  let times = 0;
  const [row] = rowsOf<{ b: number }>(TABLE, { b: (list: number[]) => list.length + times++ });
  assert.deepEqual([row?.b, row?.b], [2, 2]);
});

test('a row with other fields has its own as well', () => {
  const [row] = rowsOf<{ a: number; b: number[] }>(TABLE);
  assert.ok(row);
  const more = extended(row, { a: 7, e: 8 });
  assert.deepEqual([more.a, more.b, more.e, row.a], [7, [2, 3], 8, 1]);
});
