import assert from 'node:assert/strict';
import { test } from 'node:test';

import { growthOrder } from '../src/data/growth-class';
import { exponentScale } from '../src/listing/interval-cell';
import { locationRows } from '../src/listing/locations';
import { ranksOf } from '../src/listing/ranks';
import { offBy, runs } from '../src/listing/runs';
import { classPace } from '../src/data/growth-class';
import { NO_EXTRA } from '../src/data/page';
import { growthClass, law, model, study } from './study';

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
  const rows = locationRows(page, null, new Set(['a.c:1', 'a.c:2', 'a.c:3', 'a.c:9']));
  assert.deepEqual(
    rows.map((r) => [r.name, r.function, r.clusterName, r.clusters, r.r2]),
    [
      ['a.c:1', 'f', 'a.c:1', 1, 1],
      ['a.c:2', 'g', 'a.c:2', 2, 0.99],
      ['a.c:3', 'g', 'a.c:2', 1, 1],
    ],
  );
  assert.equal(rows[1]?.model?.power_law?.b, 2);
  assert.deepEqual(
    locationRows(page, null, new Set(['a.c:3'])).map((r) => r.name),
    ['a.c:3'],
  );
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

test('runs are as far off the law of the total as the analysis measures', () => {
  const page = study('a.c:1 f x 9', { x: [1, ['n']] });
  page.data.workloads = [1, 2, 3].map((i) => ({
    name: `w${i}`,
    command: '',
    repetitions: 1,
    wall_s: null,
    cpu_s: null,
    peak_rss_bytes: null,
  }));
  page.data.total = { ...NO_EXTRA, costs: [2, 20, 800] };
  assert.deepEqual(
    runs(page).map((r) => r.residual),
    [null, null, null],
  );
  page.findings.total.law = law(1);
  const outliers = [{ workload: 'w3', ratio: 4, sigmas: 13.9 }];
  page.findings.total.scatter = { middle: 1, sigma: 0.1, limit: 3.5, outliers };
  assert.deepEqual(
    runs(page).map((r) => [r.features[0], r.total, r.residual && offBy(r.residual), r.residual?.outlier]),
    [
      [1, 2, 'measured ÷ law 1.00, 0.0 σ', false],
      [10, 20, 'measured ÷ law 1.00, 0.0 σ', false],
      [100, 800, 'measured ÷ law 4.00, +13.9 σ', true],
    ],
  );
});

test('equal costs rank in their order', () => {
  assert.deepEqual(ranksOf([5, 9, 5, 1]), [2, 1, 3, 4]);
});
