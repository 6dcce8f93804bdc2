import assert from 'node:assert/strict';
import { test } from 'node:test';

import { whatChanged } from '../src/data/changed';
import { estimate } from '../src/data/models';
import { study } from './study';

test('a study that grows says so', () => {
  const { findings } = study('a.c:1 f x 900', { x: [1, ['n']] });
  const now = { ...findings, workloads: { count: 37, failed: 1, failures: [] } };
  assert.equal(whatChanged(findings, now), 'study grew to 37 runs, 1 failed');
  assert.equal(whatChanged(now, findings), 'study shrank to 9 runs');
  assert.equal(whatChanged(findings, findings), 'study changed: 9 runs, 1 cluster');
});

test('a size that was computed on demand is exact, and the one before it forgotten', async () => {
  Object.assign(globalThis, { location: { hash: '' }, addEventListener: () => undefined });
  const { withPredictions } = await import('../src/data/exact');
  const { data } = study('a.c:1 f x 900\na.c:2 f y 9', { x: [1, ['n']], y: [2, ['n^2']] });
  const none = { cost: null, ci: null, from: null };
  const ask = (at: number) => ({
    revision: '1',
    feature: 'n',
    at,
    total: none,
    clusters: [{ cost: at + 1, ci: [at, at + 2] as [number, number], from: 'n' }, none],
    functions: [],
  });
  const once = withPredictions(data, ask(333));
  const [x, y] = once.findings.clusters;
  assert.ok(x?.models[0] && y?.models[0]);
  assert.deepEqual(estimate(x.models[0], once.clusters[0]?.models[0], 333), {
    cost: 334,
    ci: [333, 335],
    from: 'n',
    exact: true,
  });
  assert.equal(estimate(y.models[0], once.clusters[1]?.models[0], 333)?.exact, false);
  const twice = withPredictions(once, ask(777));
  assert.deepEqual(
    twice.findings.clusters[0]?.models[0]?.predictions.map((p) => p.at),
    [777],
  );
  assert.equal(data.findings.clusters[0]?.models[0]?.predictions.length, 0);
});
