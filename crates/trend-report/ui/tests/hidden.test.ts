import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lawOf } from '../src/data/models';
import { hiddenCost, hiddenText } from '../src/data/predict';
import type { MayHide, Model } from '../src/data/types';
import { fitSeries, type RowFigure } from '../src/row/figures';
import { page } from '../src/state/state';
import { law, model, study, term } from './study';

page.value = study('a.c:1 f x 9', { x: [1, ['n']] });

/** A quadratic part of at most 4 % of the cost 200 at size 100. */
const PART: MayHide = {
  ...{ class: 'n^2', term: term('n^2'), probability: 0.03 },
  ...{ size: 100, cost: 8, share: 0.04, rules_out: 2500 },
};

function hiding(may_hide: MayHide): Model {
  const plain = model(1, ['n']);
  return { ...plain, growth: plain.growth && { ...plain.growth, may_hide } };
}

const relative = (a: number | null | undefined, b: number) => Math.abs((a ?? NaN) / b - 1);

test('what the interval has already is not hidden', () => {
  assert.ok(relative(hiddenCost(hiding(PART), { cost: 2000, ci: [1900, 2700] }, 1000), 2720) < 1e-12);
  assert.equal(hiddenCost(hiding(PART), { cost: 2000, ci: [1900, 2800] }, 1000), null);
  assert.equal(hiddenCost(hiding(PART), { cost: 20, ci: null }, 10), null);
  assert.equal(hiddenCost(model(1, ['n']), { cost: 2000, ci: null }, 1000), null);
});

test('what may hide is said with what it would make and which run would show it', () => {
  const at = { cost: 2000, ci: null, source: 'class' } as const;
  const found = hiddenText(hiding(PART), at, 1000, 'n = 1,000', 'walk');
  assert.deepEqual(found, {
    line: 'With a probability of 3\u00a0%, walk has a quadratic part (at most 4.0\u00a0% of its cost now) and costs up to 2720 executions at n = 1,000.',
    way: 'A run at n = 2,500 would show it.',
  });
  const log = { ...PART, class: 'n^2 log n', term: term('n^2 log n'), rules_out: null };
  const other = hiddenText(hiding(log), at, 1000, 'n = 1,000');
  assert.match(
    other?.line ?? '',
    /^With a probability of 3\u00a0%, the cost has a part that grows as n\^2 log n \(at most 4\.0\u00a0% of it now\)/,
  );
  assert.equal(other?.way, '');
});

test('a dotted band reaches from the law to what may hide, as far as the target', () => {
  const hidden = hiding(PART);
  const figure: RowFigure = {
    model: hidden,
    over: 'n',
    law: lawOf(hidden, { law: law(1) }),
    x: [10, 100],
    costs: [20, 200],
    data: [10, 100],
    drawn: [10, 1000],
    then: null,
    approximate: false,
    names: String,
    open: String,
  };
  const bands = fitSeries(figure).filter((s) => s.kind === 'ribbon');
  assert.equal(bands.length, 1);
  const [band] = bands;
  assert.ok(band?.dotted === true && band.name === 'not ruled out: ≤ 2720', band?.name);
  assert.ok(band.points.every(([n, low, high]) => n > 100 && low < high));
  const [n, low, high] = band.points.at(-1) ?? [];
  assert.deepEqual([n, low], [1000, 2000]);
  assert.ok(relative(high, 2720) < 1e-12);
  assert.ok(!fitSeries({ ...figure, model: model(1, ['n']) }).some((s) => s.kind === 'ribbon'));
});
