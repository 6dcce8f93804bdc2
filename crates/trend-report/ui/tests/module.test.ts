import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Estimate, factorAt, raised, sumAt } from '../src/data/law';
import type { Findings, Outlook, Point } from '../src/data/types';
import { type Answer, costPieces } from '../src/overview/answer';
import { page, parse, route } from '../src/state/state';
import { textOf } from '../src/view/parts';
import { study } from './study';

test('a factorial between integers is that of the gamma function', () => {
  const factorial = { kind: 'factorial', feature: 0 } as const;
  // Γ(5.5) = 945·√π/32.
  const expected = (945 * Math.sqrt(Math.PI)) / 32;
  assert.ok(Math.abs((factorAt(factorial, 4.5) ?? NaN) / expected - 1) < 1e-12);
  assert.equal(Math.round(factorAt(factorial, 10) ?? NaN), 3_628_800);
});

test('a whole that is raised to a part has the interval of both', () => {
  const estimate = (cost: number, ci: [number, number] | null, source: Outlook['source']): Estimate => ({
    cost,
    ci,
    source,
  });
  const whole = estimate(10, [8, 13], 'joint');
  const part = estimate(20, [9, 30], 'class');
  assert.deepEqual(raised(whole, [null, part]), estimate(20, [8, 30], 'largest_part'));
  assert.deepEqual(raised(whole, [estimate(20, null, 'class')]), estimate(20, null, 'largest_part'));
  // A power law is no verdict.
  assert.deepEqual(raised(whole, [{ ...part, source: 'power_law' }]), whole);
  assert.equal(raised(null, [part]), null);
});

test('a sum that is read from a table keeps its terms', () => {
  const terms = [
    { coefficient: 3, factors: [{ kind: 'power', feature: 0, exponent: 2, log: false } as const] },
  ];
  const row = Object.create({ terms, weight: 0.5 }) as { terms: typeof terms; weight: number };
  assert.equal(sumAt(row, 4), 48);
});

const given = (feature: string, at: number): Point['values'][number] => ({
  ...{ feature, at },
  given: { kind: 'multiple', of_p95: 10 },
});

/** Opens a page whose time and memory are known by `n`, and that has a second feature. */
function openPage(): void {
  const found = study('a.c:1 f x 9', { x: [1, ['n']] });
  const feature = (name: string, p95: number) => ({ ...found.findings.features[0], name, p95 });
  found.findings.features = [feature('n', 30), feature('m', 7)] as Findings['features'];
  found.findings.features.forEach((f, i) => found.featureIndex.set(f.name, i));
  found.findings.points = [{ values: [given('n', 300)], asked: false }];
  found.findings.workloads.longest = { workload: 'a', peak_bytes: 7e6, seconds: 1, elapsed_seconds: 1 };
  const law = { startup: 0, rate: 1e-9, counts: 1000, drift: 0, power: [1e-3, 1], cache: null };
  found.findings.answer = {
    point: 0,
    time: { law, longest: 1, elapsed: 1, elapsed_is: 'as_processor', day_up_to: 1e4, fits: [], doubts: [] },
    memory: {
      ...{ constant: 1e6, per_unit: 1e3, per_power: 0, exponent: 1, bounds: [[], []], known: [] },
      ...{ machine_bytes: null, fits_up_to: null, doubts: [] },
    },
  } as unknown as NonNullable<Findings['answer']>;
  page.value = found;
}

const said = (address: string) => {
  route.value = parse(address);
  const whole: Estimate = { cost: 5e9, ci: [4e9, 6e9], source: 'class' };
  return textOf(costPieces({ whole } as Answer)).replaceAll('\u00a0', ' ');
};

test('time and memory are those of the size that they were measured by, and of no other', () => {
  openPage();
  assert.match(said('#/overview?at=n:2000'), /3\.0 MB of memory\.$/);
  for (const others of ['m:2000', 'n:2000&at=m:5'])
    assert.doesNotMatch(said(`#/overview?at=${others}`), /memory/, others);
  // Where it applies, the power law of the size makes the interval of the time wider: 2 s by the law, and 5 s by the counts.
  const time = (at: string) =>
    said(`#/overview?at=${at}`)
      .replace(/^At [^:]*: /, '')
      .split(', ')[0];
  assert.equal(time('m:2000'), time('n:2000&at=m:5'));
  assert.notEqual(time('n:2000'), time('m:2000'));
});
