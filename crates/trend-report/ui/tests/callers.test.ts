import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Page } from '../src/data/page';
import type { PageData, SeriesRow } from '../src/data/types';
import { callersOf } from '../src/row/callers';
import { study } from './study';

/**
 * `main` calls the library's `each`, which calls `add`. `main` and `other` also call `add` directly, and `add` calls
 * itself.
 */
function called(): Page {
  const { data } = study('a.c:1 add x 900', { x: [1, ['n']] });
  const names = ['main', 'each', 'add', 'add', 'add', 'other', 'add'];
  const sums = [900, 600, 600, 100, 50, 200, 200];
  const callers = [undefined, 0, 1, 0, 3, undefined, 5];
  const nodes = names.map((_, series) => {
    const caller = callers[series];
    return caller === undefined ? { series } : { series, caller };
  });
  const series = names.map((name, i) => {
    return { name, sum: sums[i], file: name === 'each' ? '' : `${name}.c`, line: i + 1 } as SeriesRow;
  });
  return new Page({
    ...data,
    findings: { ...data.findings, series },
    call_trees: [{ kind: 'routine', variables: ['rms'], unit: 'blocks', growth_in: 'runs', nodes }],
    sources: ['main.c', 'add.c', 'other.c'].map((file) => ({ file, lines: 1, bytes: 1 })),
  } as PageData);
}

test('callers are those whose code there is, by their share, and no function calls itself', () => {
  assert.deepEqual(callersOf(called(), 'add'), [
    { name: 'main', file: 'main.c', line: 1, share: 750 / 950 },
    { name: 'other', file: 'other.c', line: 6, share: 200 / 950 },
  ]);
  assert.deepEqual(callersOf(called(), 'each'), [{ name: 'main', file: 'main.c', line: 1, share: 1 }]);
  assert.deepEqual(callersOf(called(), 'main'), []);
});
