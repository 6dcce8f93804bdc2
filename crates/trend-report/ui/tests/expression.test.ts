import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseGuess } from '../src/plot/expression';

const close = (a: number, b: number, within = 1e-9) =>
  assert.ok(Math.abs(a - b) <= within * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

function value(text: string, n: number): number {
  const { guess, error } = parseGuess(text);
  assert.equal(error, null, `${text}: ${error ?? ''}`);
  return guess ? guess(n) : NaN;
}

test('guess functions are read as they are written', () => {
  const n = 10;
  const cases: [string, number][] = [
    ['1', 1],
    ['n', 10],
    ['x', 10],
    ['n^2', 100],
    ['n²', 100],
    ['n³ − n', 990],
    ['n^1.5', 10 ** 1.5],
    ['n log n', 10 * Math.log(10)],
    ['n^1.14 log n', 10 ** 1.14 * Math.log(10)],
    ['N LOG2 N', 10 * Math.log2(10)],
    ['log2(n) * n', 10 * Math.log2(10)],
    ['log log n', Math.log(Math.log(10))],
    ['log n^2', Math.log(100)],
    ['sqrt(n)', Math.sqrt(10)],
    ['√n', Math.sqrt(10)],
    ['log(n)^2', Math.log(10) ** 2],
    ['2n + 3', 23],
    ['2(n+1)(n-1)', 198],
    ['2^n', 1024],
    ['2^3^2', 512],
    ['-n^2', -100],
    ['n^-1', 0.1],
    ['8/2/2', 2],
    ['1e3 n', 10_000],
    ['7 - 2 - 1', 4],
    ['n/log10 n', 10],
    ['n·n', 100],
  ];
  for (const [text, expected] of cases) close(value(text, n), expected);
});

test('what is no guess function is refused, and says why', () => {
  const wrong = [
    '',
    '  ',
    'n +',
    '(n',
    'n)',
    'alert(1)',
    'n.constructor',
    'n; n',
    'log',
    '^2',
    '1..2',
    'n[0]',
    '__proto__',
  ];
  for (const text of [...wrong, '('.repeat(500), 'toString(n)', '\u202en<'])
    assert.notEqual(parseGuess(text).error, null, text);
  assert.equal(parseGuess('n +').error, 'something is missing at the end');
  assert.equal(parseGuess('(n').error, 'a ) is missing');
  assert.equal(parseGuess('n)').error, 'unexpected )');
  const allowed = 'is not understood; allowed: numbers, n, + − * / ^ ( ), log, ln, log2, log10, sqrt';
  for (const word of ['foo', 'sin', 'é']) assert.equal(parseGuess(`n ${word}`).error, `${word} ${allowed}`);
});
