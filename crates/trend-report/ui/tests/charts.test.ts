import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Observation } from '../src/data/types';
import { aggregate, amortized, chart, smooth, variance, type ChartPoint } from '../src/routines/charts';

const points = (...ys: number[]): ChartPoint[] => ys.map((y, id) => ({ id, x: id, y, calls: 1 }));
const ys = (of: ChartPoint[]) => of.map((p) => p.y);

test('worst, average, best, total and frequency are read off the tuples', () => {
  const tuples: Observation[] = [
    [1, 2, 3, 5, 8, 34],
    [4, 1, 7, 7, 7, 49],
  ];
  assert.deepEqual(ys(chart('worst', tuples)), [5, 7]);
  assert.deepEqual(ys(chart('average', tuples)), [4, 7]);
  assert.deepEqual(ys(chart('best', tuples)), [3, 7]);
  assert.deepEqual(ys(chart('total', tuples)), [8, 7]);
  assert.deepEqual(ys(chart('frequency', tuples)), [2, 1]);
  assert.deepEqual(
    chart('frequency', tuples).map((p) => p.x),
    [1, 4],
  );
});

test('own costs of a call are means, of the tuples that have them', () => {
  const tuples: Observation[] = [
    [1, 2, 3, 5, 8, 34],
    [4, 1, 7, 7, 7, 49],
  ];
  assert.deepEqual(chart('own', tuples, [6]), [{ id: 0, x: 1, y: 3, calls: 2 }]);
});

test('the variance is of the calls, and unknown where the squares are', () => {
  // Costs 2, 4, 9: mean 5, variance (9 + 1 + 16) / 3.
  const v = variance([1, 3, 2, 9, 15, 4 + 16 + 81]);
  assert.ok(v !== null && Math.abs(v - 26 / 3) < 1e-12);
  assert.equal(variance([1, 3, 2, 9, 15, 0]), null);
  assert.equal(variance([1, 1, 7, 7, 7, 0]), 0);
  assert.equal(chart('spread', [[1, 3, 2, 9, 15, 0]]).length, 0);
  assert.deepEqual(ys(chart('spread', [[1, 2, 3, 7, 10, 58]])), [2]);
});

test('cheap calls pay for the expensive ones, and nothing is lost', () => {
  // 90 and 80 calls cost 5 each; two copies cost 100 and 200.
  const tuples: Observation[] = [
    [1, 90, 5, 5, 450, 2250],
    [2, 80, 5, 5, 400, 2000],
    [64, 1, 100, 100, 100, 10_000],
    [128, 1, 200, 200, 200, 40_000],
  ];
  const shown = amortized({ alpha: 300 / 850, spread: [64, 128] }, tuples);
  assert.deepEqual(ys(shown).slice(2), [0, 0]);
  assert.ok(Math.abs(shown.reduce((sum, p) => sum + p.y * p.calls, 0) - 1150) < 1e-9);
});

test('aggregation takes the mean of groups, the last one may be smaller', () => {
  const groups = aggregate(points(1, 3, 5, 7, 10), 2);
  assert.deepEqual(ys(groups), [2, 6, 10]);
  assert.deepEqual(
    groups.map((p) => [p.x, p.calls]),
    [
      [0.5, 2],
      [2.5, 2],
      [4, 1],
    ],
  );
  assert.deepEqual(ys(aggregate(points(1, 2), 1)), [1, 2]);
});

test('smoothing keeps every point, a line, and the mean of a full window', () => {
  assert.deepEqual(ys(smooth(points(0, 1, 2, 3, 4, 5), 4)), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(ys(smooth(points(0, 0, 9, 0, 0), 3)), [0, 3, 3, 3, 0]);
  assert.deepEqual(ys(smooth(points(0, 8, 0, 8, 0, 8, 0), 2)).slice(1, 6), [4, 4, 4, 4, 4]);
  assert.equal(smooth(points(...Array<number>(1000).fill(2)), 256).length, 1000);
});
