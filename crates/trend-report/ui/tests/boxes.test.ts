import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CallTree, SeriesRow } from '../src/data/types';
import { boxesOf, moved, wholeOf } from '../src/plot/boxes';
import { costsOfContexts, costsOfPlaces, measured } from '../src/routines/places';

const rows = [100, 60, 30, 4].map((sum) => ({ sum }) as SeriesRow);
const cost = measured;

/** main calls sort and, through a function that was not profiled, query; query calls sum. */
const tree = {
  nodes: [
    { series: 0 },
    { caller: 0, series: 1 },
    { caller: 0, name: '?' },
    { caller: 2, series: 2 },
    { caller: 3, series: 3 },
  ],
} as CallTree;

test('a caller without a profile costs what it called, and no caller less than that', () => {
  assert.deepEqual([...costsOfContexts(tree, rows, cost)], [100, 60, 30, 30, 4]);
  const small = costsOfContexts(tree, [{ sum: 10 } as SeriesRow, ...rows.slice(1)], cost);
  assert.deepEqual([...small], [90, 60, 30, 30, 4]);
  assert.equal(wholeOf(tree, small), 90);
  const known = rows.map((row) => ({ ...row, self_sum: 1 }));
  assert.deepEqual([...costsOfContexts(tree, known, cost)], [4, 1, 2, 2, 1], 'own costs add up');
});

test('boxes lie below their callers, side by side, and what is too narrow is left out', () => {
  const boxes = boxesOf(tree, costsOfContexts(tree, rows, cost), 100, 0.05);
  assert.deepEqual(boxes, [
    { node: 0, depth: 0, x: 0, width: 1 },
    { node: 1, depth: 1, x: 0, width: 0.6 },
    { node: 2, depth: 1, x: 0.6, width: 0.3 },
    { node: 3, depth: 2, x: 0.6, width: 0.3 },
  ]);
  assert.deepEqual(boxesOf(tree, new Float64Array(5), 0, 0), []);
});

test('arrows lead to the caller, the first that is called, and neighbours', () => {
  const boxes = boxesOf(tree, costsOfContexts(tree, rows, cost), 100, 0);
  const from = (node: number, key: string) => {
    const box = boxes.find((b) => b.node === node);
    return box && moved(tree, boxes, box, key)?.node;
  };
  assert.deepEqual(
    [
      from(1, 'ArrowUp'),
      from(0, 'ArrowDown'),
      from(1, 'ArrowRight'),
      from(2, 'ArrowLeft'),
      from(4, 'ArrowDown'),
    ],
    [0, 1, 2, 1, undefined],
  );
});

test('a place within itself counts once', () => {
  const nodes = [{ series: 0 }, { caller: 0, series: 1 }, { caller: 1, series: 2 }, { caller: 0, series: 3 }];
  const found = costsOfPlaces({ nodes } as CallTree, Float64Array.of(100, 60, 30, 4), [
    'main',
    'walk',
    'walk',
    'walk',
  ]);
  assert.deepEqual(
    [...found],
    [
      ['main', 100],
      ['walk', 64],
    ],
  );
});
