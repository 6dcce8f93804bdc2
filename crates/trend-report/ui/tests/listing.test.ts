import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Model } from '../src/data/types';
import { runs, signed } from '../src/listing/run-columns';
import { GrowthBadge } from '../src/view/parts';
import { law, study } from './study';

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
  page.findings.total.costs = [2, 20, 800];
  assert.deepEqual(
    runs(page).map((r) => r.residual),
    [null, null, null],
  );
  page.findings.total.law = law(1);
  const outliers = [{ workload: 'w3', ratio: 4, sigmas: 13.9 }];
  page.findings.total.scatter = { middle: 1, sigma: 0.1, limit: 3.5, outliers };
  assert.deepEqual(
    runs(page).map((r) => [
      r.features[0],
      r.total,
      r.residual && signed(r.residual.sigmas),
      r.residual?.outlier,
    ]),
    [
      [1, 2, '0.0 σ', false],
      [10, 20, '0.0 σ', false],
      [100, 800, '+13.9 σ', true],
    ],
  );
});

test('runs that failed come first, as rows without costs', () => {
  const page = study('a.c:1 f x 9', { x: [1, ['n']] });
  const failure = { name: 'w9', reason: 'exited with 1', stderr_tail: '', values: [9] };
  page.findings.workloads = { count: 0, failed: 1, failures: [failure] };
  const row = runs(page)[0];
  assert.deepEqual([row?.info.name, row?.features, row?.total, row?.failure], ['w9', [9], null, failure]);
});

test('a growth class that says little about its costs looks like a doubt', () => {
  const badge = (doubtful: boolean, decided = true) => {
    const growth = { short: 'n', decided, verdict: 'n' };
    const { props } = GrowthBadge({ model: { growth, doubtful } as Model }) as {
      props: Record<string, unknown>;
    };
    return [props.text, props.open];
  };
  assert.deepEqual(badge(false), ['n', false]);
  assert.deepEqual(badge(true), ['n ?', true]);
  assert.deepEqual(badge(false, false), ['n', true]);
});
