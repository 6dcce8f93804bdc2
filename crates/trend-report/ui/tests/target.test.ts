import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { Page } from '../src/data/page';
import { groundOf, rowEstimate } from '../src/data/predict';
import type { Law } from '../src/data/types';
import {
  ask,
  asked,
  href,
  page,
  parse,
  pointText,
  route,
  samePoint,
  sizesForCommands,
  target,
  targetWith,
} from '../src/state/state';
import { model, study } from './study';

beforeEach(() => {
  const found = study('a.c:1 f x 9', { x: [1, ['n']] });
  const feature = (name: string, p95: number) => ({ ...found.findings.features[0], name, p95 });
  found.findings.features = [feature('n', 30), feature('m', 7), feature('d', 5)] as never;
  found.findings.features.forEach((f, i) => found.featureIndex.set(f.name, i));
  found.findings.fillings = [
    { feature: 'n', costliest: 9, along: [] },
    { feature: 'm', costliest: 5, along: [{ leader: 'n', a: 2, b: 1, r2: 0.99 }] },
    { feature: 'd', costliest: 7, along: [] },
  ];
  page.value = found;
  route.value = parse('#/overview');
});

const values = () => target.value.map((p) => [p.feature, Number(p.at.toPrecision(12)), p.given]);

test('what nobody gives stands at ten times the 95th percentile, goes along, or stands where the costliest run had it', () => {
  assert.deepEqual(values(), [
    ['n', 300, 'usual'],
    ['m', 600, 'follows'],
    ['d', 7, 'costliest'],
  ]);
  assert.equal(pointText(target.value), 'n = 300, m = 600 (follows n), d = 7 (as in the most expensive run)');
});

test('a size of each feature can be asked for, in one address', () => {
  ask('n', '640');
  ask('m', '1k');
  assert.deepEqual(values().slice(0, 2), [
    ['n', 640, 'asked'],
    ['m', 1000, 'asked'],
  ]);
  assert.equal(href('clusters'), '#/clusters?at=n%3A640&at=m%3A1k');
  assert.deepEqual(sizesForCommands(), ['n=640', 'm=1k']);
  ask('n', '');
  assert.deepEqual([...asked.value.keys()], ['m']);
  assert.deepEqual(values()[0], ['n', 9, 'costliest']);
});

test('along one feature the others follow it, unless they were asked for', () => {
  assert.deepEqual(
    targetWith('n', 50).map((p) => Number(p.at.toPrecision(12))),
    [50, 100, 7],
  );
  ask('m', '3');
  assert.deepEqual(
    targetWith('n', 50).map((p) => Number(p.at.toPrecision(12))),
    [50, 3, 7],
  );
});

test('a row is predicted by its law, or by what the analysis said at the same point', () => {
  const power = (feature: number) => ({ kind: 'power', feature, exponent: 1, log: false }) as const;
  const law: Law = {
    source: 'joint',
    decided: true,
    features: ['n', 'd'],
    formula: 'n·d',
    parts: [{ sums: [{ weight: 1, terms: [{ coefficient: 2, factors: [power(0), power(1)] }] }] }],
  };
  const row = { models: [], law, outlooks: [{ cost: 5, ci: null, source: 'joint' as const }] };
  assert.equal(rowEstimate(row, target.value)?.cost, 2 * 300 * 7);
  const known = target.value.map(({ feature, at }) => ({ feature, at, given: { kind: 'asked' as const } }));
  const { data, findings } = page.value;
  page.value = new Page({ ...data, findings: { ...findings, points: [{ values: known, asked: true }] } });
  assert.ok(samePoint(target.value, known));
  assert.equal(rowEstimate(row, target.value)?.cost, 5);
});

test('a row whose law is in several features is drawn over what that says of each run', () => {
  const power = (feature: number) => ({ kind: 'power', feature, exponent: 1, log: false }) as const;
  const sum = (weight: number) => ({
    weight,
    terms: [{ coefficient: 2, factors: [power(0), power(1)] }],
  });
  const law: Law = {
    ...{ source: 'joint', decided: true, features: ['n', 'm'], formula: '2·n·m' },
    parts: [{ sums: [sum(1)] }],
  };
  const { data } = page.value;
  const features = page.value.findings.features.slice(0, 2);
  const values = [
    [1, 10, null],
    [3, 7, 5],
  ];
  page.value = new Page({ ...data, feature_values: values, findings: { ...data.findings, features } });
  const laws = [{ formula: '2·n·m', support: 1 }];
  const shown = { model: model(1, ['n']), joint: { law, laws, support: 1, r2: 1 } };
  const ground = groundOf({ law, band: undefined }, shown);
  assert.deepEqual([ground.over, ground.x], ['cost by the law', [6, 140, null]]);
  assert.deepEqual([ground.law?.from, ground.law?.at(140)?.cost], ['2·n·m', 140]);
  const open = { ...shown.joint, laws: [...laws, { formula: '3·n', support: 0.4 }] };
  assert.equal(groundOf({ law }, { ...shown, joint: open }).law?.from, 'average of 2 laws');
  const alone = groundOf({ law: null }, { ...shown, joint: null });
  assert.deepEqual([alone.over, alone.x], ['n', [1, 10, null]]);
});
