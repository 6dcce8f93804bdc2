import assert from 'node:assert/strict';
import { test } from 'node:test';

import { callsOf } from '../src/listing/calls';

type Place = [name: string, share_now: number, caller?: string];

/** Returns the names of functions in their order, each after the names of its callers. */
function drawn(...places: Place[]): string[] {
  const file = 'a.c';
  const rows = places.map(([name, share_now, by]) => ({
    ...{ name, file, share_now },
    ...(by !== undefined && { only_caller: { name: by, file } }),
  }));
  const nodes = callsOf(rows);
  const name = (i: number): string => {
    const { caller, row } = nodes[i] ?? { row: -1 };
    assert.ok(caller === undefined || caller < i, 'callers come first');
    return `${caller === undefined ? '' : `${name(caller)} → `}${rows[row]?.name}`;
  };
  return nodes.map((_, i) => name(i));
}

test('functions stand below their only callers, the most expensive with its callees first', () => {
  assert.deepEqual(
    drawn(
      ['push', 0.3, 'sort'],
      ['copy', 0.25],
      ['print', 0.2, 'main'],
      ['sort', 0.15, 'main'],
      ['free', 0.1, 'main'],
      ['main', 0],
    ),
    ['main', 'main → sort', 'main → sort → push', 'copy', 'main → print', 'main → free'],
  );
});

test('a caller that costs nothing itself comes before its callees', () => {
  assert.deepEqual(drawn(['c', 0, 'b'], ['b', 0, 'a'], ['a', 0]), ['a', 'a → b', 'a → b → c']);
});

test('a function whose caller the page left out has no caller, and one of another file is another', () => {
  assert.deepEqual(drawn(['sort', 0.6, 'gone'], ['push', 0.4, 'sort']), ['sort', 'sort → push']);
  const rows = [
    { name: 'push', file: 'a.c', share_now: 0.5, only_caller: { name: 'sort', file: 'b.c' } },
    { name: 'sort', file: 'a.c', share_now: 0.5 },
  ];
  assert.deepEqual(
    callsOf(rows).map(({ caller }) => caller),
    [undefined, undefined],
  );
});

test('functions that are each other’s only callers do no harm', () => {
  assert.deepEqual(drawn(['main', 1], ['odd', 0.5, 'even'], ['even', 0.5, 'odd'], ['own', 0.5, 'own']), [
    'main',
  ]);
});
