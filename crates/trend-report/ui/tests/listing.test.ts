import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CurvePoint } from '../src/data/types';
import { growthOrder } from '../src/listing/growth-order';
import { exponentScale } from '../src/listing/interval-cell';
import { locationRows } from '../src/listing/locations';
import { ranksOf } from '../src/listing/ranks';
import { isOutlier, offBy, residuals } from '../src/listing/outliers';
import { shareOfOthers } from '../src/listing/shares';
import { runs } from '../src/listing/runs';
import { classPace } from '../src/data/growth-class';
import { NO_EXTRA } from '../src/data/page';
import { growthClass, curve, model, study } from './study';

test('a location of several clusters is listed once, with the one that it fits best', () => {
  const page = study('a.c:1 f x 900\na.c:2 g x,y 100\na.c:3 g y 50\na.c:9 h - 7', {
    x: [1, ['n']],
    y: [2, ['n^2']],
  });
  const again = page.findings.clusters[1]?.members.find((m) => m.name === 'a.c:2');
  assert.ok(again);
  page.findings.clusters[1]?.members.splice(0, 1, { ...again, r2: 0.99 });
  const first = page.findings.clusters[0]?.members[1];
  assert.ok(first);
  page.findings.clusters[0]?.members.splice(1, 1, { ...first, r2: 0.98 });
  const rows = locationRows(page, null);
  assert.deepEqual(
    rows.map((r) => [r.name, r.function, r.clusterName, r.clusters, r.r2]),
    [
      ['a.c:1', 'f', 'a.c:1', 1, 1],
      ['a.c:2', 'g', 'a.c:2', 2, 0.99],
      ['a.c:3', 'g', 'a.c:2', 1, 1],
      ['a.c:9', 'h', null, 0, null],
    ],
  );
  assert.equal(rows[1]?.model?.power_law?.b, 2);
});

test('growth sorts from slow to fast', () => {
  const classes = ['1', 'log n', 'n^0.5', 'n', 'n log n', 'n^1.5', 'n^2', 'n^2 log n', 'n^3', '2^n'];
  const orders = classes.map(growthClass).map(classPace);
  assert.deepEqual(
    orders,
    [...orders].sort((a, b) => a - b),
  );
  assert.equal(new Set(orders).size, classes.length);
  const undecided = model(1, ['n', 'n log n']).growth;
  const decided = model(1, ['n']).growth;
  assert.ok((growthOrder(undecided) ?? 0) > (growthOrder(decided) ?? 0));
  assert.equal(growthOrder(null), null);
});

test('a scale holds nearly all exponents', () => {
  const laws = (bs: number[]) => bs.map((b) => model(b, ['n']).power_law);
  assert.deepEqual(exponentScale(laws([1, 1.2])), { lo: 0, hi: 2 });
  assert.deepEqual(exponentScale(laws([1, 2, 2])), { lo: 0, hi: 2.5 });
  assert.deepEqual(exponentScale(laws([-0.5, 3.3])), { lo: -1, hi: 3.5 });
  assert.deepEqual(exponentScale(laws([...Array.from({ length: 99 }, () => 1), 40])), { lo: 0, hi: 2 });
  assert.deepEqual(exponentScale([null]), { lo: 0, hi: 2 });
});

const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

test('a run that costs three times what the law says is an outlier, its neighbours are not', () => {
  const law = model(1, ['n']);
  const noise = [1.02, 0.98, 1.01, 1, 0.99, 1.03, 0.97, 1, 1.02, 0.98];
  const costs = SIZES.map((x, i) => 2 * x * (noise[i] ?? 1) * (i === 4 ? 3 : 1));
  const off = residuals(law, curve(1), SIZES, costs);
  assert.deepEqual(
    off.map((r, i) => (isOutlier(r) ? i : -1)).filter((i) => i >= 0),
    [4],
  );
  // By hand: the logarithms' median is −0.005, their median absolute deviation 0.02, so σ is 0.02965 and
  // (ln 2.97 − 0.005) / 0.02965 is 36.5.
  assert.ok(Math.abs((off[4]?.sigmas ?? 0) - 36.5) < 1, String(off[4]?.sigmas));
  assert.match(offBy(off[4] ?? { ratio: 0, sigmas: 0 }), /^measured ÷ law 2\.97, \+3\d\.\d σ$/);
});

test('exact costs have no outliers, and zeros no residual', () => {
  const costs = SIZES.map((x, i) => (i === 0 ? 0 : Math.round(2 * x * (1 + i * 1e-6))));
  const off = residuals(model(1, ['n']), curve(1), SIZES, costs);
  assert.equal(off[0], null);
  assert.ok(!off.some(isOutlier));
  assert.deepEqual(residuals({ ...model(1, ['n']), power_law: null }, undefined, [1], [1]), [null]);
});

test('costs that follow a law exactly have no outliers between its computed sizes', () => {
  const law = (n: number) => 1.5 * n * n - 0.5 * n + 1e5;
  const spaced = (count: number) => Array.from({ length: count }, (_, i) => 60 * 1e4 ** (i / (count - 1)));
  const points = spaced(24).map((n): CurvePoint => [n, law(n), null, null]);
  const extra = { curve: points, formula: '', sentences: [] };
  for (const count of [20, 24, 47, 300]) {
    const sizes = spaced(count);
    const off = residuals(model(2, ['n^2']), extra, sizes, sizes.map(law));
    assert.deepEqual(
      off.filter(isOutlier).map((r) => r?.ratio),
      [],
    );
  }
});

test('runs have the residuals of the total in the feature that is looked at', () => {
  const page = study('a.c:1 f x 9', { x: [1, ['n']] });
  page.data.workloads = [1, 2, 3].map((i) => ({
    name: `w${i}`,
    command: '',
    repetitions: 1,
    wall_s: null,
    cpu_s: null,
    peak_rss_bytes: null,
  }));
  page.data.total = { ...NO_EXTRA, costs: [2, 20, 800], models: [curve(1)] };
  assert.equal(runs(page, null).feature, null);
  page.findings.total.models = [model(1, ['n'])];
  const { rows, feature } = runs(page, 'n');
  assert.equal(feature, 'n');
  assert.deepEqual(
    rows.map((r) => [r.features[0], r.total, r.residual?.ratio.toFixed(2)]),
    [
      [1, 2, '1.00'],
      [10, 20, '1.00'],
      [100, 800, '4.00'],
    ],
  );
});

test('equal costs rank in their order', () => {
  assert.deepEqual(ranksOf([5, 9, 5, 1]), [2, 1, 3, 4]);
});

test('the greatest share is told where the costliest run does not tell about it', () => {
  assert.equal(shareOfOthers(0.149, 0.9), 0.9);
  assert.equal(shareOfOthers(0.8, 0.9), null);
  assert.equal(shareOfOthers(0, 0.0001), 0.0001);
  assert.equal(shareOfOthers(0.00001, 0.0001), null, 'both are shown as <0.1 %');
});
