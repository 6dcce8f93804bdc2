import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { RoutineRow } from '../src/data/types';
import { totalsByMetric } from '../src/routines/totals';
import { exclusion } from '../src/view/copy';

const row = (metric: string, sum: number, self_sum: number, calls: number, context?: string): RoutineRow =>
  ({ metric, sum, self_sum, calls, ...(context === undefined ? {} : { context }) }) as RoutineRow;

test('shares are of one metric, and calling contexts are not counted again', () => {
  const totals = totalsByMetric([
    row('rms', 100, 40, 1),
    row('rms', 60, 60, 9),
    row('rms', 50, 50, 6, 'main'),
    row('drms', 100, 40, 1),
    row('trms', 7, 7, 2, 'main'),
  ]);
  assert.deepEqual(totals.get('rms'), { cost: 100, self: 100, calls: 10 });
  assert.deepEqual(totals.get('drms'), { cost: 100, self: 40, calls: 1 });
  assert.deepEqual(totals.get('trms'), { cost: 7, self: 7, calls: 2 });
});

test('names that begin with a hyphen are no flags of their own', () => {
  assert.equal(exclusion(['a', '-n 5', '--help']), "--exclude a --exclude='-n 5' --exclude=--help");
});
