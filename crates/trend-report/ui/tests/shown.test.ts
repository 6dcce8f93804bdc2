import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lawOf } from '../src/data/models';
import type { Model, PowerLawModel, Split } from '../src/data/types';
import { fitSeries, ranges, residualSeries, type RowFigure } from '../src/row/figures';
import { command, outlooks } from '../src/row/shown';
import { ask, page } from '../src/state/state';
import { shellQuote } from '../src/view/copy';
import { law, study } from './study';

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

const twice = { formula: '2·n', law: law(1).parts.flatMap(({ sums }) => sums) };

test('predictions are at the usual multiples and at the target', () => {
  const found = study('a.c:1 f x 9', { x: [1, ['n']] });
  const [first] = found.findings.features;
  assert.ok(first);
  first.p95 = 100;
  const outlook = (cost: number) => ({ cost, ci: null, source: 'class' as const });
  const given = { kind: 'multiple' as const, of_p95: 10 };
  found.findings.points = [{ values: [{ feature: 'n', at: 1000, given }], asked: false }];
  page.value = found;
  const row = { models: [], law: law(1), outlooks: [outlook(1234)] };
  const shown = (asked: string) => {
    ask('n', asked);
    return outlooks(row).map((o) => [o.times, o.at, o.asked, o.estimate?.cost]);
  };
  assert.deepEqual(shown(''), [
    [1, 100, false, 200],
    [2, 200, false, 400],
    [10, 1000, true, 1234],
    [100, 10_000, false, 20_000],
  ]);
  assert.deepEqual(shown('50')[0], [0.5, 50, true, 100]);
  assert.deepEqual(shown('2x')[1], [2, 200, true, 400]);
  ask('n', '');
});

test('the command line says what the page shows, whatever the names are', () => {
  const said = (...of: Parameters<typeof command>) =>
    command(...of)
      .map(shellQuote)
      .join(' ');
  assert.equal(
    said('a.trend', 'list.c:7#6', 'bytes', ['bytes=128MB', 'n=5']),
    "show a.trend 'list.c:7#6' --feature bytes --at bytes=128MB --at n=5",
  );
  assert.equal(said('a.trend', 'f', null, []), 'show a.trend f');
  assert.equal(said('a.trend', '-rf', 'n', []), 'show --feature n -- a.trend -rf');
  assert.equal(said("it's", '$(x)', null, []), `show 'it'\\''s' '$(x)'`);
});

function figureOf(split?: Split): RowFigure {
  const model = modelOf('n', 1, split ? { ...twice, split } : twice);
  const x = [10, 100, 1000, null, 0];
  const costs = [20, 0, 4000, 7, 5];
  const estimate = { cost: 2e4, ci: [1, 3] as [number, number], source: 'class' as const };
  const then = { times: 10, at: 10_000, asked: true, estimate, share: null };
  const { data, drawn } = ranges(x, costs, 10_000);
  const names = (i: number) => `w${i}`;
  return {
    model,
    over: 'n',
    law: lawOf(model, { law: null }),
    x,
    costs,
    data,
    drawn,
    then,
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
    ['predicted', true, 1000, 10_000],
  ]);
  const names = series.map((s) => (s.kind === 'points' ? [s.name, s.shape] : [s.kind]));
  assert.deepEqual(names.slice(-2), [['runs', undefined], ['target', 'diamond']]); // prettier-ignore
});

test('residuals leave out what has no law and no cost', () => {
  const residual = residualSeries(figureOf())[1];
  const y = residual?.kind === 'points' ? residual.y.map((v) => v && Math.round(v * 1e6) / 1e6) : [];
  assert.deepEqual(y, [1, null, 2, null, null]);
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
    ['other runs', [1, 3], undefined],
    ['target', [-1], 'diamond'],
  ]);
  assert.equal(series.filter((s) => s.kind === 'line' && s.name.includes('of trend')).length, 2);
});

test('a law is drawn over all sizes where the page carries no costs', () => {
  const found = ranges([10, 0, null, 500], [], null);
  assert.deepEqual(found, { data: [10, 500], drawn: [10, 500] });
  assert.deepEqual(ranges([10, 500], [0, 0], null), { data: null, drawn: null });
});
