import assert from 'node:assert/strict';
import { test } from 'node:test';

import { changeText } from '../src/data/live';
import { study } from './study';

test('a study that grows says so', () => {
  const { findings } = study('a.c:1 f x 900', { x: [1, ['n']] });
  const now = { ...findings, workloads: { count: 37, failed: 1, failures: [] } };
  assert.equal(changeText(findings, now), 'study grew to 37 runs, 1 failed');
  assert.equal(changeText(now, findings), 'study shrank to 9 runs');
  assert.equal(changeText(findings, findings), 'study changed: 9 runs, 1 cluster');
});
