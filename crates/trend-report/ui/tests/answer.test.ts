import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { PredictAnswer } from '../src/data/api';
import { retryAfterMs, withPredictions } from '../src/data/answer';
import { estimate } from '../src/data/models';
import type { Model, ModelExtra, PageData } from '../src/data/types';
import { outlooks } from '../src/row/shown';

const model = (feature: string): Model => ({
  feature,
  power_law: null,
  linear: null,
  growth: { verdict: 'n', short: 'n', decided: true, superlinear: false, points: 9, classes: [] },
  source: 'class',
  predictions: [{ at: 20, cost: 40, ci: null, source: 'class' }],
  doubts: [],
});

const data = {
  revision: 'r1',
  findings: {
    points: [{ values: [{ feature: 'n', at: 20 }], asked: false }],
    total: { max_cost: 1, models: [model('n')], outlooks: [null] },
    clusters: [
      { models: [model('m'), model('n')], outlooks: [null] },
      { models: [], outlooks: [null] },
    ],
    functions: [{ models: [model('n')], outlooks: [null] }],
  },
} as unknown as PageData;

const answer: PredictAnswer = {
  revision: 'r1',
  feature: 'n',
  at: 50,
  point: { values: [{ feature: 'n', at: 50, given: { kind: 'asked' } }], asked: true },
  total: { cost: 7, ci: [6, 8], source: 'class', outlook: { cost: 7, ci: [6, 8], source: 'class' } },
  clusters: [
    { name: 'a', cost: 5, ci: [4, 6], source: 'class', outlook: null },
    { name: 'b', cost: null, ci: null, source: null, outlook: null },
  ],
  functions: [{ name: 'f', file: '', cost: 3, ci: null, source: 'power_law', outlook: null }],
};

const curve: ModelExtra = {
  formula: '2·n',
  sentences: [],
  curve: [
    [1, 2, 1, 3],
    [100, 200, 100, 300],
  ],
};

test('what the server says at a size replaces what is read from a curve', () => {
  const before = data.findings.clusters[0]?.models[1];
  const after = withPredictions(data, answer).findings.clusters[0]?.models[1];
  assert.ok(before && after);
  assert.equal(estimate(before, curve, 50)?.exact, false);
  assert.deepEqual(estimate(after, curve, 50), { cost: 5, ci: [4, 6], from: 'n', exact: true });
  assert.deepEqual(
    data.findings.clusters[0]?.models[1]?.predictions.length,
    1,
    'the data itself is as it was',
  );
});

test('other features and rows without an answer stay as they are', () => {
  const now = withPredictions(data, answer).findings;
  assert.equal(now.clusters[0]?.models[0]?.predictions.length, 1);
  assert.deepEqual(now.clusters[1]?.models, []);
  assert.equal(now.total.models[0]?.predictions[1]?.cost, 7);
  assert.equal(now.functions[0]?.models[0]?.predictions[1]?.source, 'power_law');
});

test('answers of another study, or of one that has grown since, are dropped', () => {
  assert.equal(withPredictions(data, { ...answer, revision: 'r2' }), data);
  assert.equal(withPredictions(data, { ...answer, clusters: [] }), data);
});

test('the point of an answer stands before the others, once', () => {
  const twice = withPredictions(withPredictions(data, answer), answer).findings;
  assert.deepEqual(
    twice.points.map((p) => p.values[0]?.at),
    [50, 20],
  );
  assert.deepEqual(
    twice.total.outlooks.map((o) => o?.cost ?? null),
    [7, null],
  );
});

test('asking twice adds nothing, and sizes asked for earlier are not listed', () => {
  const twice = withPredictions(withPredictions(data, answer), answer);
  const found = twice.findings.functions[0]?.models[0];
  assert.ok(found);
  assert.equal(found.predictions.length, 2);
  assert.deepEqual(
    outlooks(found, curve, 10, null).map((o) => o.at),
    [20],
  );
  assert.deepEqual(
    outlooks(found, curve, 10, 50).map((o) => [o.at, o.estimate?.exact]),
    [
      [20, true],
      [50, true],
    ],
  );
});

test('a question that is put off waits as long as it is told, within bounds', () => {
  assert.equal(retryAfterMs('2'), 2000);
  assert.equal(retryAfterMs('0'), 100);
  assert.equal(retryAfterMs('3600'), 10_000);
  for (const none of [null, '', 'Wed, 21 Oct 2026 07:28:00 GMT']) assert.equal(retryAfterMs(none), 1000);
});
