import assert from 'node:assert/strict';
import { test } from 'node:test';

import { memberR2, worked } from '../src/method/worked';
import { study } from './study';

test('the worked example plugs this study’s numbers into its own law', () => {
  const found = worked(study('a.c:1 f x 900\na.c:2 g x 100', { x: [2, ['n^2']] }).findings);
  assert.equal(found?.p95, 100);
  assert.ok(Math.abs((found?.atP95 ?? 0) - 2 * 100 ** 2) < 1e-6);
  assert.equal(found?.doubling, 4);
  assert.deepEqual(found && memberR2(found.cluster), [1, 1]);
});

test('a study without a model has no example', () => {
  const page = study('a.c:1 f x 900', { x: [2, ['n^2']] });
  for (const c of page.findings.clusters) c.models = [];
  assert.equal(worked(page.findings), null);
});
