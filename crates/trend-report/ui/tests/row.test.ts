import assert from 'node:assert/strict';
import { test } from 'node:test';

import { costAt, estimate, pointAt, sameSize } from '../src/data/models';
import type { CurvePoint, Model, PowerLawModel } from '../src/data/types';
import { GUESSES, parseGuess } from '../src/plot/expression';
import { course, quotients, undrawn } from '../src/row/bounding';
import { lawOf, part, residuals } from '../src/row/law';

/** A law at sizes a factor of 1.5 apart, as pages carry it. */
function curveOf(f: (n: number) => number, from: number, steps: number): CurvePoint[] {
  return Array.from({ length: steps }, (_, i): CurvePoint => {
    const n = from * 1.5 ** i;
    return [n, f(n), f(n) / 1.1, f(n) * 1.1];
  });
}

const relative = (a: number | null, b: number) => Math.abs((a ?? NaN) / b - 1);

test('between two points of a curve its law is met nearly exactly', () => {
  const laws: [(n: number) => number, number][] = [
    [(n) => 3 * n ** 1.7, 1e-12],
    [(n) => n * Math.log(n), 2e-4],
    [(n) => 1.5 * n * n - 0.5 * n, 2e-4],
    [(n) => n + 1e5, 5e-4],
  ];
  for (const [law, within] of laws) {
    const curve = curveOf(law, 60, 30);
    for (const n of [60, 61, 77, 100, 1000, 12_345, 5e5]) {
      assert.ok(relative(costAt(curve, n), law(n)) <= within, `${law.toString()} at ${n}`);
    }
  }
});

/** `1.5·n² − 0.5·n + 10⁵`: flat, then quadratic, with the bend within the curve. */
const bent = (n: number) => 1.5 * n * n - 0.5 * n + 1e5;
const logSpaced = (count: number) => Array.from({ length: count }, (_, i) => 60 * 1e4 ** (i / (count - 1)));

test('a law that bends is met between 24 computed sizes, and exactly at them', () => {
  const curve = logSpaced(24).map((n): CurvePoint => [n, bent(n), bent(n) / 1.1, bent(n) * 1.3]);
  let worst = 0;
  for (const n of logSpaced(2000)) worst = Math.max(worst, relative(costAt(curve, n), bent(n)));
  assert.ok(worst < 0.003, `off by ${worst}`);
  for (const [n, cost, lo, hi] of curve) {
    assert.deepEqual(pointAt(curve, n), [n, cost, lo, hi]);
    const growth = { short: 'n^2' };
    const model = { predictions: [], power_law: null, source: 'class', growth } as unknown as Model;
    const extra = { curve, formula: '', sentences: [] };
    assert.deepEqual(estimate(model, extra, n), { cost, ci: [lo, hi], from: 'n^2', exact: true });
  }
});

test('between computed sizes costs that rise rise, and an interval is around the cost', () => {
  const costs = [1, 1, 1.01, 50, 50, 51, 4000, 4001, 9e6, 9e6, 9.1e6];
  const curve = costs.map((y, i): CurvePoint => [2 ** i, y, i % 3 === 0 ? 0 : y / 1.2, y * (1 + i)]);
  let before = 0;
  for (let i = 0; i <= 1000; i++) {
    const [, cost, lo, hi] = pointAt(curve, 2 ** (i / 100)) ?? [0, NaN, null, null];
    assert.ok(cost >= before * (1 - 1e-12), `falls at ${i}`);
    assert.ok((lo ?? NaN) <= cost && cost <= (hi ?? NaN) * (1 + 1e-12), `not around the cost at ${i}`);
    before = cost;
  }
});

test('sizes that differ by the rounding of their six digits are the same', () => {
  assert.ok(sameSize(123_456.5, 123_457));
  assert.ok(sameSize(0, 0));
  assert.ok(!sameSize(1e6, 1e6 + 100));
});

test('outside of its curve a law says nothing', () => {
  const curve = curveOf((n) => n, 10, 5);
  assert.equal(costAt(curve, 9.9), null);
  assert.equal(costAt(curve, 1e6), null);
  assert.equal(costAt([], 5), null);
  assert.equal(costAt([[5, 7, null, null]], 5), 7);
});

test('a residual is the measured cost as a multiple of the law’s', () => {
  const curve = curveOf((n) => 2 * n, 10, 8);
  const found = residuals(curve, [10, 100, null, 20, 1e9], [10, 200, 5, 0, 5]);
  assert.ok(relative(found[0] ?? null, 0.5) < 1e-12);
  assert.ok(relative(found[1] ?? null, 1) < 1e-12);
  assert.deepEqual(found.slice(2), [null, null, null]);
});

test('a part of a curve ends where it is asked to', () => {
  const curve = curveOf((n) => n * n, 10, 10);
  const cut = part(curve, 12, 100);
  assert.equal(cut[0]?.[0], 12);
  assert.equal(cut[cut.length - 1]?.[0], 100);
  assert.ok(relative(cut[0]?.[1] ?? null, 144) < 1e-9);
  assert.ok(relative(cut[0]?.[2] ?? null, 144 / 1.1) < 1e-9);
  assert.ok(cut.every((p, i) => i === 0 || p[0] > (cut[i - 1]?.[0] ?? 0)));
});

test('a power law without a curve is drawn by its formula', () => {
  const power_law = { a: 2, b: 1.5 } as PowerLawModel;
  const model = { feature: 'n', power_law, source: 'power_law' } as Model;
  const law = lawOf(model, undefined, [10, 1000]);
  assert.equal(law?.from, 'power law');
  assert.ok(relative(costAt(law?.curve ?? [], 100), 2000) < 1e-9);
  assert.equal(lawOf({ ...model, power_law: null }, undefined, [10, 1000]), null);
  assert.equal(lawOf(model, undefined, null), null);
});

/** Sizes from 10 to 10⁶, and a scatter that repeats itself. */
const sizes = Array.from({ length: 41 }, (_, i) => 10 ** (1 + i / 8));
const scatter = (i: number, by: number) => Math.exp(by * Math.sin(i * 12.9898));

function courseOf(cost: (n: number) => number, guess: string, by = 0.02) {
  const parsed = parseGuess(guess);
  assert.ok(parsed.guess, guess);
  const costs = sizes.map((n, i) => cost(n) * scatter(i, by));
  return course(sizes, quotients(sizes, costs, parsed.guess));
}

test('a guess bounds the cost where the quotient is flat', () => {
  const laws: [(n: number) => number, string][] = [
    [(n) => 5 * n + 1000, 'n'],
    [(n) => n * Math.log(n), 'n log n'],
    [(n) => n * n + 30 * n, 'n^2'],
    [() => 7, '1'],
  ];
  for (const [law, right] of laws) {
    const at = GUESSES.indexOf(right);
    assert.equal(courseOf(law, right), 'flat', right);
    assert.equal(courseOf(law, GUESSES[at + 2] ?? 'n^4'), 'falls', `${right} by a faster guess`);
    if (at > 1) assert.equal(courseOf(law, GUESSES[at - 2] ?? ''), 'rises', `${right} by a slower guess`);
  }
});

test('few or wild points say nothing about a guess', () => {
  assert.equal(course([1, 2, 3], [1, 2, 3]), 'unclear');
  assert.equal(course([5, 5, 5, 5, 5], [1, 2, 3, 4, 5]), 'unclear');
  assert.equal(course([], []), 'unclear');
  assert.equal(
    courseOf((n) => n ** 1.05, 'n', 2),
    'unclear',
  );
});

test('quotients leave out what has no place', () => {
  const guess = (n: number) => n - 3;
  assert.deepEqual(quotients([1, 3, null, 5, 7], [1, 1, 1, 0, 8], guess), [null, null, null, null, 2]);
});

test('what cannot be divided by a guess is told, the rest is drawn', () => {
  const [x, costs] = [
    [10, 100, 1000, 1e4, null, 1e5],
    [1, 1, 1, 1, 1, 0],
  ];
  const two = parseGuess('2^n').guess;
  assert.ok(two);
  const drawn = quotients(x, costs, two);
  assert.deepEqual(
    drawn.map((q) => q !== null),
    [true, true, false, false, false, false],
  );
  assert.deepEqual(undrawn(x, costs, two, '2^n'), [
    'At n from 1,000 to 10,000 2^n is so large that the quotient is too small to be drawn.',
  ]);
  assert.deepEqual(
    undrawn(x, costs, (n) => 100 - n, 'h'),
    ['At n from 100 to 10,000 h has no value above 0 to divide by.'],
  );
  assert.deepEqual(
    undrawn([7], [1], () => 1e-310, 'h'),
    ['At n = 7 h is so small that the quotient is too large to be drawn.'],
  );
  assert.deepEqual(
    undrawn(x, costs, (n) => n, 'n'),
    [],
  );
});

test('a sum of parts is read from its curve and predictions alone', () => {
  const whole = {
    feature: 'n',
    source: 'sum_of_parts',
    power_law: { a: 2, b: 1 },
    growth: null,
    predictions: [{ at: 100, cost: 900, ci: null, source: 'sum_of_parts' }],
  } as unknown as Model;
  assert.equal(estimate(whole, undefined, 100)?.from, 'sum of parts');
  assert.equal(estimate(whole, undefined, 50), null);
  assert.equal(
    estimate({ ...whole, source: 'power_law', predictions: [] }, undefined, 50)?.from,
    'power law',
  );
});

test('code that ended is predicted no more', () => {
  const ended = { source: 'power_law', power_law: { a: 2, b: 1 }, predictions: [], runs_until: 40 };
  const model = ended as unknown as Model;
  assert.equal(Math.round(estimate(model, undefined, 40)?.cost ?? 0), 80);
  assert.equal(estimate(model, undefined, 41), null);
});
