import assert from 'node:assert/strict';
import { test } from 'node:test';

import { decades, logBins, part, rankAt } from '../src/overview/ranking';
import { sourceText, stretch, tokensByChunk } from '../src/source/chunks';
import { askedLine, findIn, nextLine } from '../src/source/search';
import { nearNames } from '../src/view/near';
import { study } from './study';

const PAGE = study('a.c:1 f x 900\na.c:2 g y 100', { x: [1, ['n']], y: [2, ['n^2']] });

test('what grows faster ranks first beyond where it overtakes', () => {
  const order = (at: number) => rankAt(PAGE.data, 'n', at).map((r) => [r.now, r.then]);
  assert.deepEqual(order(2), [
    [2, 1],
    [1, 2],
  ]);
  assert.deepEqual(order(100), [
    [2, 1],
    [1, 2],
  ]);
  assert.equal(rankAt(PAGE.data, 'n', 1000)[0]?.estimate?.cost, 2e6);
});

test('a feature without models ranks nobody', () => {
  assert.deepEqual(
    rankAt(PAGE.data, 'x', 10).map((r) => r.then),
    [null, null],
  );
});

test('a part of a law begins and ends where it is asked to', () => {
  const [, y] = rankAt(PAGE.data, 'n', 0.5);
  assert.ok(y?.model);
  const line = part(y.extra, y.model, 5, 50);
  assert.deepEqual([line[0]?.[0], line[line.length - 1]?.[0]], [5, 50]);
  assert.ok(line.some(([x]) => x === 10));
  assert.ok(line.every(([x, cost]) => Math.abs(cost / (2 * x * x) - 1) < 1e-9));
  assert.deepEqual(part(y.extra, y.model, 50, 50), []);
});

test('bins of a histogram hold every positive value once', () => {
  const bins = logBins([1, 10, 10, 100, 1000, 0, null, -3], 3);
  assert.deepEqual(
    bins.map((b) => b.count),
    [1, 2, 2],
  );
  assert.deepEqual([bins[0]?.lo, bins[2]?.hi], [1, 1000]);
  assert.deepEqual(logBins([5, 5], 3), [{ lo: 5, hi: 5, count: 2 }]);
  assert.deepEqual(logBins([0, null], 3), []);
  assert.equal(decades(10, 1000), 2);
  assert.equal(decades(0, 10), null);
});

test('tokens are cut where a chunk ends', () => {
  const lines = Array.from({ length: 250 }, (_, i) => `l${i}`);
  const source = sourceText(lines);
  assert.deepEqual(
    source.chunks.map((c) => [c.first, c.lines]),
    [
      [1, 100],
      [101, 100],
      [201, 50],
    ],
  );
  const found = tokensByChunk(source, [
    [0, 2, 'keyword'],
    [3, source.text.length, 'comment'],
  ]);
  const texts = found.map((list, i) =>
    list.map(([from, to, kind]) => kind + source.chunks[i]?.text.slice(from, to).slice(0, 4)),
  );
  assert.deepEqual(texts, [['keywordl0', 'commentl1\nl'], ['commentl100'], ['commentl200']]);
  const at = stretch(source, 150, 1, 4);
  assert.equal(source.chunks[at.chunk]?.text.slice(at.from, at.to), '149');
});

test('searching is for text, and tells capitals apart only if asked with one', () => {
  assert.deepEqual(
    findIn(['a.b A.B', 'axb'], 'a.b').map((m) => [m.line, m.from, m.to]),
    [
      [1, 0, 3],
      [1, 4, 7],
    ],
  );
  assert.equal(findIn(['a.b A.B'], 'A.').length, 1);
  assert.equal(findIn(['(((('], '((').length, 2);
  assert.deepEqual([askedLine(':12', 20), askedLine(':99', 20), askedLine('12', 20)], [12, null, null]);
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

test('names that are nearly right are offered, the nearest first', () => {
  assert.deepEqual(nearNames('list.c:8', ['parser.c:8', 'list.c:7#6', 'zzz', 'list.c:80']), [
    'list.c:80',
    'list.c:7#6',
    'parser.c:8',
  ]);
  assert.deepEqual(nearNames('', ['a', 'bc']), []);
});
