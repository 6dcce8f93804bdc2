import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as number from '../src/format/number';
import { parseQuantity } from '../src/format/number';
import { shorten, visible } from '../src/format/text';

test('numbers are written by the module, and none is parted from its unit', () => {
  const written = [
    number.cost(1770),
    number.cost(5.4e9),
    number.costInterval([2.15e10, 2.17e10]),
    number.costInterval([-4e9, -3e9]),
    number.predicted({ cost: 5.4e9, ci: null }),
    number.predicted({ cost: 5.4e9, ci: [5.3e9, 5.5e9] }),
    number.size(52_428_800),
    number.tick(20_000),
    number.share(0.2412),
    number.seconds(0.0123),
    number.bytes(6.63e6),
    number.picoseconds(5.4e9),
    number.exponent(2, [1.5, 2.5]),
    number.r2(null),
    number.plural(1200, 'run'),
  ];
  assert.deepEqual(
    written,
    [
      ...['1770', '5.40_G', '21.5–21.7_G', '−4.0 … −3.0_G', '≈ 5.4_G', '5.4_G', '52.4_M', '20_k'],
      ...['24.1_%', '12_ms', '6.63_MB', '5.40_ms', '2.0', '?', '1,200 runs'],
    ].map((text) => text.replaceAll('_', '\u00a0')),
  );
  assert.equal(number.supportedDigits(21.6, [21.5, 21.7]), 3);
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
