import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { chosen, curvesOf, estimateAt, nearest, sizeOf } from '../src/compare/state';
import { Page } from '../src/data/page';
import type { Compare, Compared, ComparedTarget, Row } from '../src/data/types';
import { functionLink, page, parse, route } from '../src/state/state';
import { law, study } from './study';

const PLACE = { name: 'slow', file: 'a.c', line: 3 };

const change = (before: number, after: number): Compared => ({
  place: PLACE,
  change: { kind: { kind: 'class' }, direction: 'worse', ratio: after / before, exact: true },
  before: { growth: 'n', max_cost: 10, cost: before, ci: [before / 2, before * 2] },
  after: { growth: 'n^2', max_cost: 100, cost: after, ci: null },
  weight: 1,
  share_of_change: 1,
  effect: 'worse',
  grows: 'faster',
});

function targetAt(at: number, outcome: ComparedTarget['comparison']['outcome']): ComparedTarget {
  const words = { name: '', place: '', what: '', costs: [], change: '', by: 0, by_ci: null };
  const reason = { kind: outcome === 'cannot_tell' ? 'few_shared' : 'cost', needed: 4 };
  const comparison = {
    schema: 'trend-prof/diff/1',
    program: 'a',
    unit: 'executions',
    workloads: { before: 3, after: 3, shared: 3 },
    feature: 'n',
    at: [['n', at]],
    level: 0.95,
    outcome,
    reason,
    basis: { kind: 'predicted' },
    total: change(5 * at, 6 * at),
    changes: [change(3 * at, 4 * at)],
    unchanged: 0,
    undecided: 0,
    identical: false,
  } as unknown as ComparedTarget['comparison'];
  const sentences = { headline: [], meaning: [], unchanged: '', more: 0, markdown: '' };
  return { comparison, ...sentences, total: words, changes: [words] } as unknown as ComparedTarget;
}

const side = (b: number) => ({ costs: [2, 0, 200], law: law(b), band: { at: [1, 1e4], lo: [0.5, 0.5], hi: [2, 2] } }); // prettier-ignore

function compared(outcome: ComparedTarget['comparison']['outcome']): Compare {
  const rows = [
    { sides: [side(1), side(1)] },
    { place: PLACE, sides: [side(1), side(2)] },
    { place: { ...PLACE, name: 'gone' }, sides: [side(1), null] },
  ];
  const targets = [1000, 100, 10_000].map((at) => targetAt(at, outcome));
  return { names: ['old', 'new'], sizes: [[1, 10, 100], [1, 10, 100]], targets, rows } as unknown as Compare; // prettier-ignore
}

beforeEach(() => {
  page.value = study('a.c:1 f x 9', { x: [1, ['n']] });
  page.value.data.compare = compared('regressed');
  route.value = parse('#/compare');
});

test('the computed target that is nearest to what is asked for is shown', () => {
  const at = (hash: string) => {
    route.value = parse(hash);
    return chosen.value && sizeOf(chosen.value);
  };
  assert.equal(at('#/compare'), 1000);
  assert.equal(at('#/compare?at=n:100'), 100);
  assert.equal(at('#/compare?at=n:3k'), 1000);
  assert.equal(at('#/compare?at=n:4k'), 10_000);
  assert.equal(nearest([], 5), null);
});

test('at a computed target a row costs what the comparison says, elsewhere what its law does', () => {
  const data = compared('regressed');
  const [whole, slow] = data.rows;
  assert.ok(whole && slow);
  const costs = (n: number) =>
    [whole, slow].flatMap((row) => [0, 1].map((i) => estimateAt(data, row, i, n)?.cost));
  assert.deepEqual(costs(1000), [5000, 6000, 3000, 4000]);
  assert.deepEqual(costs(500), [1000, 1000, 1000, 500_000]);
  assert.deepEqual(estimateAt(data, slow, 0, 1000)?.ci, [1500, 6000]);
  // If costs cannot be compared, the estimates come from the laws alone.
  const undecided = compared('cannot_tell');
  assert.equal(estimateAt(undecided, slow, 1, 1000)?.cost, 2e6);
});

test('what is gone has one curve and no link, and what was not executed no point', () => {
  const data = compared('regressed');
  const curves = (i: number) => {
    const row = data.rows[i];
    return row ? curvesOf(data, row, { from: 1, largest: 100, to: 1000 }) : [];
  };
  assert.deepEqual(curves(0).map((curve) => [curve.name, curve.measured]), [['before', [[1, 2], [100, 200]]], ['after', [[1, 2], [100, 200]]]]); // prettier-ignore
  assert.deepEqual(curves(2).map((curve) => curve.side), ['before']); // prettier-ignore
  assert.equal(functionLink({ ...PLACE, name: 'gone' }), null);
  const { data: known, findings } = page.value;
  const functions = [{ ...PLACE, max_cost: 1, max_share: 1 }] as Row[];
  page.value = new Page({ ...known, findings: { ...findings, functions } });
  assert.equal(functionLink(PLACE), '#/function/a.c:slow');
});
