import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type PredictAnswer, retryAfterMs, withPredictions } from '../src/data/exact';
import type { Outlook, PageData, Point } from '../src/data/types';

const point = (at: number): Point => ({
  values: [{ feature: 'n', at, given: { kind: 'asked' } }],
  asked: true,
});
const outlook = (cost: number): Outlook => ({ cost, ci: [cost - 1, cost + 1], source: 'class' });

const data = {
  revision: 'r1',
  findings: {
    points: [point(20)],
    total: { outlooks: [outlook(9)] },
    clusters: [{ outlooks: [outlook(8)] }, { outlooks: [null] }],
    functions: [{ outlooks: [null] }],
  },
} as unknown as PageData;

const answer = (at: number): PredictAnswer => ({
  revision: 'r1',
  point: point(at),
  total: { outlook: outlook(70) },
  clusters: [
    { name: 'a', outlook: outlook(50) },
    { name: 'b', outlook: null },
  ],
  functions: [{ name: 'f', file: '', outlook: outlook(30) }],
});

test('what the server says stands before the other points, and the data itself is as it was', () => {
  const { findings } = withPredictions(data, answer(50));
  assert.deepEqual(
    findings.points.map((p) => p.values[0]?.at),
    [50, 20],
  );
  const costs = (row: { outlooks: (Outlook | null)[] } | undefined) =>
    row?.outlooks.map((o) => o?.cost ?? null);
  assert.deepEqual(costs(findings.total), [70, 9]);
  assert.deepEqual(findings.clusters.map(costs), [
    [50, 8],
    [null, null],
  ]);
  assert.deepEqual(costs(findings.functions[0]), [30, null]);
  assert.equal(data.findings.points.length, 1);
});

test('the point of an earlier question makes room for the next', () => {
  const twice = withPredictions(withPredictions(data, answer(50)), answer(60)).findings;
  assert.deepEqual(
    twice.points.map((p) => p.values[0]?.at),
    [60, 20],
  );
  assert.equal(twice.total.outlooks.length, 2);
});

test('answers of another study, or of one that has grown since, are dropped', () => {
  assert.equal(withPredictions(data, { ...answer(50), revision: 'r2' }), data);
  assert.equal(withPredictions(data, { ...answer(50), clusters: [] }), data);
});

test('a question that is put off waits as long as it is told, within bounds', () => {
  assert.equal(retryAfterMs('2'), 2000);
  assert.equal(retryAfterMs('0'), 100);
  assert.equal(retryAfterMs('3600'), 10_000);
  for (const none of [null, '', 'Wed, 21 Oct 2026 07:28:00 GMT']) assert.equal(retryAfterMs(none), 1000);
});
