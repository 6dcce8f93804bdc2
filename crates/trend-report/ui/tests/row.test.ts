import assert from 'node:assert/strict';
import { test } from 'node:test';

import { estimate, lawOf, part, residuals, sameSize } from '../src/data/models';
import type { Bound, LawSum, Model } from '../src/data/types';
import { boundOf, boundText, quotients } from '../src/routines/figures';
import { term } from './study';

const relative = (a: number | null | undefined, b: number) => Math.abs((a ?? NaN) / b - 1);

/** Returns `coefficient·n^exponent + constant`. */
function sums(coefficient: number, exponent: number, constant: number): LawSum[] {
  const factor = { kind: 'power', feature: 0, exponent, log: false } as const;
  const terms = [
    { coefficient, factors: [factor] },
    { coefficient: constant, factors: [] },
  ];
  return [{ weight: 1, terms }];
}

/** A row without a law of its own. */
const ALONE = { law: null };

const bare = { feature: 'n', source: 'class', power_law: null, predictions: [] } as unknown as Model;
const model: Model = {
  ...bare,
  formula: '3·n^2 + 100',
  law: sums(3, 2, 100),
  band: { at: [10, 1000], lo: [0.75, 0.5], hi: [1.25, 2] },
};

test('a model says what its law says, with the interval between computed ones', () => {
  const found = estimate(model, 100, ALONE);
  assert.equal(found?.cost, 30_100);
  assert.ok(relative(found.ci?.[0], 30_100 * Math.sqrt(0.75 * 0.5)) < 1e-9);
  assert.deepEqual(estimate(model, 10, ALONE)?.ci, [300, 500]);
  assert.deepEqual(
    [9, 1001].map((n) => estimate(model, n, ALONE)?.ci),
    [null, null],
  );
});

test('sizes that differ by the rounding of their six digits are the same', () => {
  assert.ok(sameSize(123_456.5, 123_457));
  assert.ok(sameSize(0, 0));
  assert.ok(!sameSize(1e6, 1e6 + 100));
});

test('a power law is evaluated from its model, and what has no law says nothing', () => {
  const power = { ...bare, source: 'power_law', power_law: { a: 2, b: 1.5 } } as Model;
  assert.ok(relative(estimate(power, 100, ALONE)?.cost, 2000) < 1e-9);
  assert.equal(estimate(bare, 100, ALONE), null);
  assert.equal(lawOf(bare, ALONE), null);
  assert.equal(lawOf(power, ALONE)?.from, 'law');
});

test('code that ended is predicted no more', () => {
  const ended = { ...model, runs_until: 40 };
  assert.equal(estimate(ended, 40, ALONE)?.cost, 4900);
  assert.equal(estimate(ended, 41, ALONE), null);
});

test('a line goes exactly from one size to another, and residuals are multiples of it', () => {
  const law = lawOf(model, ALONE);
  assert.ok(law);
  const line = part(law, 5, 50);
  assert.deepEqual([line[0]?.[0], line.at(-1)?.[0]], [5, 50]);
  assert.ok(line.every(([n, cost]) => relative(cost, 3 * n * n + 100) < 1e-12));
  assert.deepEqual(part(law, 50, 50), []);
  assert.deepEqual(residuals(law, [10, 10, null, 10], [400, 800, 5, 0]), [1, 2, null, null]);
});

test('a cost is divided by the class that was chosen, else by the best of the verdict', () => {
  const bound = (name: string, course: Bound['course']): Bound => ({ class: name, course, term: term(name) });
  const bounds = [bound('n', 'rises'), bound('n^2', 'flat')];
  const growth = { classes: [{ class: 'n^2', named: true }] };
  const bounded = { ...model, bounds, growth } as unknown as Model;
  assert.equal(boundOf(bounded, null)?.class, 'n^2');
  assert.equal(boundOf(bounded, 'n')?.class, 'n');
  assert.equal(boundOf(bounded, 'n^9')?.class, 'n^2');
  assert.equal(boundOf(model, null), undefined);
  const [linear] = bounds;
  assert.ok(linear);
  assert.match(boundText(linear), /it rises: the cost grows faster than n\.$/);
  assert.deepEqual(quotients(linear, [2, 0, null, 4], [8, 1, 1, 0]), [4, null, null, null]);
});
