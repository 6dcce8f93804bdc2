import assert from 'node:assert/strict';
import { test } from 'node:test';

import { modelled } from '../src/listing/modelled';
import { apart } from '../src/overview/drawing';
import type { LawPart, Row } from '../src/data/types';
import { overtakesAt, parts as shownParts, upright } from '../src/overview/views';
import { nextLine } from '../src/source/costs';
import { tokensByLine } from '../src/source/tokens';
import { ask, page } from '../src/state/state';
import { law, study } from './study';

const PAGE = study('a.c:1 f x 900\na.c:2 g y 100', { x: [1, ['n']], y: [2, ['n^2']] });

test('what grows faster costs most beyond where it overtakes', () => {
  page.value = PAGE;
  const first = (at: string) => {
    ask('n', at);
    const [x, y] = modelled(PAGE.clusters).map((row) => row.then?.cost ?? NaN);
    return (x ?? NaN) > (y ?? NaN) ? 'x' : 'y';
  };
  assert.deepEqual([first('0.5'), first('1000')], ['x', 'y']);
  assert.equal(modelled(PAGE.clusters)[1]?.then?.cost, 2e6);
});

/** Returns the cost of all other functions at n = 100, by the parts of the law of the whole. */
function othersOf(parts: LawPart[]): number {
  const found = study('a.c:1 f x 900', {});
  found.findings.functions = ROWS;
  found.findings.total.law = { ...law(1), source: 'sum_of_parts', parts };
  page.value = found;
  ask('n', '100');
  const others = shownParts.value.find((part) => part.subject === null);
  return Math.round(others?.then?.cost ?? NaN);
}

/** Functions that cost 2·n^b, by falling cost. */
const ROWS = [3, 2.5, 2, 1.5, 1, 0.5, 0].map((b): Row => {
  const row = { name: `f${b}`, file: 'a.c', line: 1, models: [], outlooks: [], law: law(b), share_now: 0.1 };
  return row as unknown as Row;
});

test('all other functions cost what the law of the whole has left, or else the sum of their laws', () => {
  const shown = ROWS.slice(0, 5).map(({ name, law }) => ({ part: name, sums: law?.parts[0]?.sums ?? [] }));
  const rest = { part: 'the rest', sums: law(1).parts[0]?.sums ?? [] };
  assert.equal(othersOf([...shown, rest]), 200);
  assert.equal(othersOf([...shown.slice(1), rest]), 20 + 2);
});

test('tokens are cut where a line ends', () => {
  const lines = ['a bc', '', 'd e f', 'g'];
  const found = tokensByLine(lines, [
    [2, 4, 'keyword'],
    [5, 9, 'comment'],
    [10, 14, 'string'],
  ]);
  const texts = found.map((list, i) =>
    list.map(([from, to, kind]) => `${kind}:${lines[i]?.slice(from, to)}`),
  );
  assert.deepEqual(texts, [['keyword:bc'], [], ['comment:d e', 'string:f'], ['string:g']]);
});

test('hot lines are walked round', () => {
  const walk = ([from, way]: [number, 1 | -1]) => nextLine([3, 7, 9], from, way);
  assert.deepEqual(
    (
      [
        [0, 1],
        [3, 1],
        [9, 1],
        [0, -1],
        [8, -1],
      ] as [number, 1 | -1][]
    ).map(walk),
    [3, 7, 3, 9, 7],
  );
  assert.equal(nextLine([], 1, 1), null);
});

test('labels keep their order and their distance, between the ends', () => {
  assert.deepEqual(apart([10, 12, 50], 18, 0, 100), [10, 28, 50]);
  assert.deepEqual(apart([90, 95, 99], 18, 0, 100), [64, 82, 100]);
  assert.deepEqual(apart([], 18, 0, 100), []);
});

test('what overtakes does so where its law does', () => {
  const costs = (n: number) => [n * n, 100 * n, null];
  assert.ok(Math.abs((overtakesAt(costs, 1, 1e6) ?? 0) - 100) < 1e-3);
  assert.equal(overtakesAt(costs, 200, 1e6), null, 'it leads already');
  assert.equal(overtakesAt(costs, 1, 50), null, 'it does not within reach');
});

test('an axis of cost by size begins at 0 unless the spread is great', () => {
  const curve = (ys: number[]) => ({
    part: null,
    name: 'f',
    mark: 1,
    decided: true,
    points: ys.map((y, i) => ({ x: i + 1, y, ci: null })),
    measured: [],
  });
  assert.deepEqual(upright('per', [curve([1, 3]), curve([2, 2])], [100, 0]).domain[0], 0);
  assert.equal(upright('per', [curve([1, 60])], [100, 0]).kind, 'log');
  assert.equal(upright('total', [curve([1, 3])], [100, 0]).kind, 'log');
  assert.deepEqual(upright('share', [curve([0.2])], [100, 0]).domain, [0, 1]);
});
