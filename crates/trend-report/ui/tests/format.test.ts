import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as number from '../src/format/number';
import { parseQuantity } from '../src/format/quantity';
import { shorten, visible } from '../src/format/text';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('costs are scaled by suffixes and small ones exact, as in the terminal', () => {
  const shown = [0, 7, 1770, 9999, 19_900, 999_960, 1_799_970_000, 2 ** 64].map((v) => plain(number.cost(v)));
  assert.deepEqual(shown, ['0', '7', '1770', '9999', '19.9 k', '1.00 M', '1.80 G', '18.4 E']);
  assert.equal(number.cost(1e300, 3), '1.00e300');
  assert.equal(number.cost(NaN), '?');
});

test('an interval shows the digits that tell its ends apart', () => {
  assert.equal(plain(number.costInterval([2.15e10, 2.17e10])), '21.5–21.7 G');
  assert.equal(plain(number.costInterval([4e9, 7e9])), '4.0–7.0 G');
  assert.equal(plain(number.costInterval([9e8, 1.1e9])), '900 M–1.1 G');
  assert.equal(number.exponentInterval([2.0003, 2.0011]), '2.000–2.001');
  assert.equal(number.exponentInterval([-0.001, 0.25]), '0.00–0.25');
  assert.equal(number.exponentInterval([-0.4, 0.25]), '−0.40 … 0.25');
});

test('negative numbers have a minus and no dash beside it', () => {
  const shown = (...texts: string[]) => texts.map(plain);
  assert.deepEqual(shown(number.cost(-1.1e9, 2), number.cost(-7), number.cost(-0.31, 2)), [
    '−1.1 G',
    '−7',
    '−0.31',
  ]);
  assert.deepEqual(shown(number.size(-60), number.size(-1e9), number.size(-0.25)), ['−60', '−1 G', '−0.250']);
  assert.deepEqual(shown(number.significant(-1e-7, 2), number.exponent(-0.5, null), number.r2(-0.25)), [
    '−1.0e-7',
    '−0.50',
    '−0.25',
  ]);
  assert.deepEqual(shown(number.exponent(-0.001, null), number.r2(-0.001), number.cost(-0)), [
    '0.00',
    '0.00',
    '0',
  ]);
  assert.equal(plain(number.costInterval([-4e9, -3e9])), '−4.0 … −3.0 G');
});

test('digits follow the interval', () => {
  assert.equal(number.supportedDigits(21.6, [21.5, 21.7]), 3);
  assert.equal(number.supportedDigits(5.5, [4, 7]), 2);
  assert.equal(number.supportedDigits(5.5, [5.5, 5.5]), 4);
  assert.equal(number.significant(140, 1), '100');
  assert.equal(number.significant(1e-7, 2), '1.0e-7');
  assert.equal(number.significant(0.008, 2), '0.0080');
});

test('sizes are grouped or scaled', () => {
  const shown = [60, 600_000, 1e9, 128e6, 52_428_800, 0.25, 1e22].map((v) => plain(number.size(v)));
  assert.deepEqual(shown, [
    '60',
    '600,000',
    '1 G',
    '128 M',
    '52.4 M',
    '0.250',
    '1e22'.replace('1e22', number.cost(1e22, 1)),
  ]);
});

test('sizes are read as the command line reads them', () => {
  const read = ['60', '1.5', '1e6', '1_000_000', '128MB', '64KiB', '1k', '2 GB'].map(parseQuantity);
  assert.deepEqual(read, [60, 1.5, 1e6, 1e6, 128e6, 65536, 1000, 2e9]);
  assert.deepEqual(['', 'x', '-3', '0', '1xb', '1e999'].map(parseQuantity), [
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('what is invisible or turns text around is escaped', () => {
  assert.equal(visible('a\u202eb\nc\u0007'), 'a\\u{202e}b\\nc\\x07');
  assert.equal(visible('plain <b>ü'), 'plain <b>ü');
  assert.equal(shorten('/very/long/path/to/a/file.c', 12), '…/a/file.c');
  assert.equal(Array.from(shorten('x'.repeat(10_000), 40)).length, 40);
});
