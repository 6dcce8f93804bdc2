import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Model, ModelExtra, PowerLawModel, Split } from '../src/data/types';
import { fitSeries, quotientSeries, ranges, residualSeries, type Figure } from '../src/row/figures';
import { lawOf } from '../src/data/line';
import { page } from '../src/state/store';
import { ask, target } from '../src/state/target';
import { command, outlooks, supportText, type RowFacts } from '../src/row/shown';
import { NO_EXTRA } from '../src/data/page';
import { law, study, term } from './study';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

function modelOf(feature: string, r2: number, more: Partial<Model> = {}): Model {
  const power_law = {
    a: 2,
    b: 1,
    a_ci: null,
    b_ci: null,
    r2,
    points: 4,
    sizes: 4,
    span: 8,
    ignored_zeros: 0,
  };
  const none = { linear: null, growth: null, predictions: [], doubts: [] };
  return { feature, source: 'power_law', power_law, ...none, ...more };
}

const twice: ModelExtra = {
  formula: '2·n',
  sentences: [],
  law: [
    {
      weight: 1,
      terms: [{ coefficient: 2, factors: [{ kind: 'power', feature: 0, exponent: 1, log: false }] }],
    },
  ],
  band: [],
};

test('predictions are at the points of the analysis and at the one that was asked for', () => {
  const found = study('a.c:1 f x 9', { x: [1, ['n']] });
  const multiple = (at: number, of_p95: number) => ({
    values: [{ feature: 'n', at, given: { kind: 'multiple' as const, of_p95 } }],
    asked: false,
  });
  found.findings.points = [multiple(200, 2), multiple(1000, 10)];
  page.value = found;
  const outlook = (cost: number) => ({ cost, ci: null, source: 'class' as const });
  const row = { models: [], law: law(1), extra: NO_EXTRA, outlooks: [outlook(400), outlook(2000)] };
  const shown = (asked: string) => {
    ask('n', asked);
    return outlooks(found, row as unknown as RowFacts, 'n', target.value).map((o) => [
      o.at,
      plain(o.label),
      o.asked,
      o.estimate?.cost,
    ]);
  };
  assert.deepEqual(shown(''), [
    [200, '2 × p95', false, 400],
    [1000, '10 × p95', false, 2000],
  ]);
  assert.deepEqual(shown('50')[0], [50, 'target', true, 100]);
  assert.deepEqual(shown('1000')[1], [1000, 'target', true, 2000]);
});

test('the command line says what the page shows, whatever the names are', () => {
  assert.equal(
    command('a.trend', 'list.c:7#6', 'bytes', ['bytes=128MB', 'n=5']),
    "trend-prof show a.trend 'list.c:7#6' --feature bytes --at bytes=128MB --at n=5",
  );
  assert.equal(command('a.trend', 'f', null, []), 'trend-prof show a.trend f');
  assert.equal(command('a.trend', '-rf', 'n', []), 'trend-prof show --feature n -- a.trend -rf');
  assert.equal(command("it's", '$(x)', null, []), `trend-prof show 'it'\\''s' '$(x)'`);
});

test('support is never all or nothing where there are rivals', () => {
  assert.deepEqual(
    [1, 0.999, 0.5, 0.001, 0].map((s) => plain(supportText(s))),
    ['100 %', '>99 %', '50 %', '<1 %', '<1 %'],
  );
});

function figureOf(split?: Split): Figure {
  const model = modelOf('n', 1, split ? { split } : {});
  const x = [10, 100, 1000, null, 0];
  const costs = [20, 0, 4000, 7, 5];
  const estimate = { cost: 2e4, ci: [1, 3] as [number, number], source: 'class' as const };
  const sizes = [{ at: 10_000, label: '', where: 'n = 10,000', asked: false, estimate }];
  const { data, drawn } = ranges(x, costs, sizes);
  const names = (i: number) => `w${i}`;
  return {
    model,
    law: lawOf(model, twice, null),
    isOfRow: true,
    x,
    costs,
    data,
    drawn,
    outlooks: sizes,
    approximate: false,
    names,
    open: names,
  };
}

test('a fit is drawn solid over what was run and dashed out to the predictions', () => {
  const figure = figureOf();
  assert.deepEqual(
    [figure.data, figure.drawn],
    [
      [10, 1000],
      [10, 10_000],
    ],
  );
  const series = fitSeries(figure);
  const lines = series.flatMap((s) =>
    s.kind === 'line' ? [[s.name, s.dash ?? false, s.points[0]?.[0], s.points.at(-1)?.[0]]] : [],
  );
  assert.deepEqual(lines, [
    ['2·n', false, 10, 1000],
    ['beyond the data', true, 1000, 10_000],
  ]);
  assert.deepEqual(series.map((s) => s.kind).slice(-2), ['points', 'markers']);
});

test('residuals and quotients leave out what has no law and no cost', () => {
  const residual = residualSeries(figureOf())[0];
  const y = residual?.kind === 'points' ? residual.y.map((v) => v && Math.round(v * 1e6) / 1e6) : [];
  assert.deepEqual(y, [1, null, 2, null, null]);
  const quotient = quotientSeries(figureOf(), { class: 'n', course: 'flat', term: term('n') }).find(
    (s) => s.kind === 'points',
  );
  assert.deepEqual(quotient?.y, [2, null, 4, null, null]);
  assert.deepEqual(residualSeries({ ...figureOf(), law: null }), []);
});

test('trends are drawn apart, and workloads of none of them too', () => {
  const power_law = { a: 1, b: 2 } as PowerLawModel;
  const trend = (workloads: string[]) => ({ workloads, power_law, growth: null });
  const split = { told_apart_by: null, rule: null, trends: [trend(['w0', 'w4']), trend(['w2', 'unknown'])] };
  const series = fitSeries(figureOf(split));
  const points = series.flatMap((s) => (s.kind === 'points' ? [[s.name, s.ids, s.shape]] : []));
  assert.deepEqual(points, [
    ['trend 1', [0, 4], 'dot'],
    ['trend 2', [2], 'ring'],
    ['other workloads', [1, 3], undefined],
  ]);
  assert.equal(series.filter((s) => s.kind === 'line' && s.name.startsWith('trend')).length, 2);
});

test('a law is drawn over all sizes where the page carries no costs', () => {
  const found = ranges([10, 0, null, 500], [], []);
  assert.deepEqual(found, { data: [10, 500], drawn: [10, 500] });
  assert.deepEqual(ranges([10, 500], [0, 0], []), { data: null, drawn: null });
});
