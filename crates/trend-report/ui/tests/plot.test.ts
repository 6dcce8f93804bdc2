import assert from 'node:assert/strict';
import { test } from 'node:test';

import { apart } from '../src/overview/drawing';
import { isEmpty, leftOut, xDomain, yDomain } from '../src/plot/domain';
import { csv } from '../src/plot/export';
import { hits, nearest, step } from '../src/plot/gestures';
import { band, dots, polyline } from '../src/plot/marks';
import {
  extent,
  linearTicks,
  logTicks,
  ratioText,
  ratioTicks,
  readRange,
  scale,
  steps,
  writeRange,
} from '../src/plot/scale';
import type { PlotProps, Series } from '../src/plot/types';

const close = (a: number, b: number, within = 1e-9) =>
  assert.ok(Math.abs(a - b) <= within * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

test('linear ticks are multiples of 1, 2 or 5', () => {
  assert.deepEqual(linearTicks([0, 10], 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(linearTicks([0, 1], 4), [0, 0.5, 1]);
  assert.deepEqual(linearTicks([0.1, 0.7], 6), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
  assert.deepEqual(linearTicks([-120, 120], 3), [-100, 0, 100]);
  assert.deepEqual(linearTicks([5, 5], 3), []);
  assert.deepEqual(linearTicks([0, Infinity], 3), []);
});

test('logarithmic ticks are powers of ten, and between them where there are few', () => {
  assert.deepEqual(logTicks([10_204, 5e7], 8), [1e5, 1e6, 1e7]);
  assert.deepEqual(logTicks([1e-3, 1e3], 20), [0.001, 0.01, 0.1, 1, 10, 100, 1000]);
  assert.deepEqual(logTicks([1, 1e12], 5), [1, 1e3, 1e6, 1e9, 1e12]);
  assert.deepEqual(logTicks([60, 8000], 8), [100, 200, 500, 1000, 2000, 5000]);
  assert.deepEqual(logTicks([104, 108], 4), [104, 105, 106, 107, 108]);
});

test('ticks of ratios are symmetric about 1', () => {
  assert.deepEqual(ratioTicks(0.985, 1.012).map(ratioText), ['÷1.01', '÷1.005', '×1', '×1.005', '×1.01']);
  assert.deepEqual(ratioTicks(0.2, 4).map(ratioText), ['÷5', '÷2', '×1', '×2', '×5']);
  assert.deepEqual(ratioTicks(0.001, 4).map(ratioText), [
    '÷1000',
    '÷100',
    '÷10',
    '×1',
    '×10',
    '×100',
    '×1000',
  ]);
  assert.deepEqual(ratioTicks(1 - 3e-9, 1 + 2e-9).map(ratioText), ['÷1+1e-9', '×1', '×1+1e-9']);
});

test('a scale and its inverse undo each other', () => {
  for (const kind of ['log', 'linear'] as const) {
    const s = scale(kind, [3, 7000], [400, 10]);
    close(s.at(3), 400);
    close(s.at(7000), 10);
    for (const v of [3, 77, 6999]) close(s.invert(s.at(v)), v);
  }
  close(scale('log', [1, 100], [0, 100]).at(10), 50);
  assert.ok(Number.isNaN(scale('log', [1, 100], [0, 100]).at(0)));
});

test('ranges leave out what has no place, and are never empty', () => {
  assert.deepEqual(extent('linear', [3, null, NaN, 7], 0), [3, 7]);
  assert.deepEqual(extent('log', [0, -2, 10, 1000], 0), [10, 1000]);
  assert.equal(extent('log', [0, -1, null]), null);
  const [lo, hi] = extent('log', [5]) ?? [0, 0];
  close(lo, 2.5);
  close(hi, 10);
  assert.deepEqual(extent('linear', [0], 0), [-0.5, 0.5]);
});

test('a part of an axis is read back from its text', () => {
  assert.deepEqual(readRange('log', writeRange([1.23456789, 5e7])), [1.23457, 5e7]);
  for (const bad of [null, '', '5', '9,1', '0,1', 'a,b', '1,Infinity'])
    assert.equal(readRange('log', bad), null);
});

test('a series is one path, with what is on one spot once', () => {
  assert.equal(
    dots([
      [1, 2],
      [1.01, 2.01],
      [3, NaN],
      [4, 5],
    ]),
    'M1 2h0M4 5h0',
  );
  assert.equal(
    polyline([
      [0, 0],
      [1, 1],
      [NaN, 1],
      [2, 2],
      [3, 3],
    ]),
    'M0 0L1 1M2 2L3 3',
  );
  assert.equal(
    band([
      [0, 1, 2],
      [1, 1, 3],
    ]),
    'M0 1L1 1L1 3L0 2Z',
  );
  assert.equal(polyline([[1e300, 0]]), 'M100000 0');
});

test('points are found by nearness and stepped through by x and by y', () => {
  const x = scale('linear', [0, 10], [0, 100]);
  const y = scale('linear', [0, 10], [100, 0]);
  const all = hits(
    [{ kind: 'points', name: 'p', x: [5, 1, 20, null], y: [1, 9, 2, 3], ids: [7, 8, 9, 10] }],
    x,
    y,
  );
  assert.deepEqual(
    all.map((h) => h.id),
    [8, 7],
  );
  assert.equal(nearest(all, 48, 88, 10)?.id, 7);
  assert.equal(nearest(all, 30, 50, 10), null);
  const first = step(all, null, 1, 'x');
  assert.equal(first?.id, 8);
  assert.equal(step(all, first, 1, 'x')?.id, 7);
  assert.equal(step(all, first, -1, 'x')?.id, 8);
  assert.equal(step(all, null, 1, 'y')?.id, 7);
});

test('a file of a plot has what was measured, and no formulas', () => {
  const props: PlotProps = {
    id: 'p',
    link: 'p',
    title: 't',
    summary: 's',
    x: { label: 'n, in bytes' },
    y: { label: 'cost' },
    series: [
      { kind: 'line', name: 'law', points: [[1, 2]] },
      {
        kind: 'points',
        name: 'w',
        x: [1, null, 3],
        y: [2, 5, null],
        labels: (i) => (i === 0 ? '=1+"x"' : 'b'),
      },
    ],
  };
  assert.equal(csv(props), 'series,name,"n, in bytes",cost,lo,hi\r\nw,"\'=1+""x""",1,2,,\r\n');
  const lines = csv({ ...props, series: props.series.slice(0, 1) });
  assert.equal(lines.split('\r\n')[1], 'law,,1,2,,');
});

test('five steps of equal width or ratio', () => {
  const linear = steps([0, 10, null], 'linear');
  assert.deepEqual([0, 1.9, 2, 9.9, 10, null].map(linear.of), [0, 0, 1, 4, 4, 0]);
  assert.deepEqual(linear.ranges[1], [2, 4]);
  const log = steps([1, 100_000], 'log');
  assert.deepEqual([1, 11, 150, 99_999, 100_000].map(log.of), [0, 1, 2, 4, 4]);
  assert.deepEqual(steps([7, 7], 'linear').ranges, []);
  assert.equal(steps([7, 7], 'linear').of(7), 4);
});

test('a plot reaches as far as its points and what asks for room', () => {
  const axis = { label: '' };
  const series: Series[] = [
    { kind: 'points', name: '', x: [10, 100, 1000], y: [1, 0, 50] },
    { kind: 'line', name: '', points: [[1, 1e9]], ghost: true },
    { kind: 'ribbon', name: '', points: [[1, 1e-9, 1e9]] },
  ];
  const x = xDomain('log', axis, series, 'log');
  assert.ok(x[0] > 8 && x[0] < 10 && x[1] > 1000 && x[1] < 1250);
  const y = yDomain('log', axis, series, 'log', x);
  assert.ok(y[0] > 0.8 && y[1] < 60);
  // When zoomed in on x, only the points in view set the y-range.
  const near = yDomain('linear', axis, series, 'log', [900, 1100]);
  assert.deepEqual(near, [25, 75]);
  assert.equal(yDomain('linear', axis, series, 'log', x)[0], 0);
  assert.deepEqual(xDomain('log', axis, [], 'log'), [1, 10]);
  assert.equal(leftOut(series, 'log', 'log'), 1);
});

test('labels stand a gap apart, as near to where they are wanted as there is room', () => {
  assert.deepEqual(apart([10, 12, 80], 15, 0, 100), [10, 25, 80]);
  assert.deepEqual(apart([95, 96, 97], 15, 0, 100), [70, 85, 100]);
  assert.deepEqual(apart([-5, 3], 15, 0, 100), [0, 15]);
});

test('a drawing of nothing but a line without a place is empty', () => {
  const line = (...points: [number, number][]): Series => ({ kind: 'line', name: 'law', points });
  const points = (...y: (number | null)[]): Series => ({
    kind: 'points',
    name: 'w',
    x: y.map((_, i) => i + 1),
    y,
  });
  assert.ok(isEmpty([line([1, 0], [2, NaN]), points(null, null)], 'log', 'log'));
  assert.ok(!isEmpty([line([1, 0], [2, NaN]), points(null, 5)], 'log', 'log'));
  assert.ok(!isEmpty([line([1, 0], [2, 5]), points(null)], 'log', 'log'));
  assert.ok(!isEmpty([line([1, 0])], 'log', 'linear'));
});

test('an axis holds the smallest numbers, and its ends stay numbers', () => {
  const [lo, hi] = extent('log', [5e-324, 1e-299, 1]) ?? [NaN, NaN];
  assert.ok(lo > 0 && lo < 1e-299 && hi > 1);
  const [, most] = extent('log', [1, 1e299, 1.7e308]) ?? [NaN, NaN];
  assert.ok(Number.isFinite(most));
});
