import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as number from '../src/format/number';
import { parseQuantity } from '../src/format/number';
import { shorten, visible } from '../src/format/text';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

const EXAMPLES = JSON.parse(readFileSync('tests/formats.json', 'utf8')) as [
  (typeof FUNCTIONS)[number],
  unknown[],
  string,
][];

const FUNCTIONS = [
  'significant',
  'cost',
  'size',
  'tick',
  'costInterval',
  'exponentInterval',
  'supportedDigits',
  'exponent',
  'share',
  'r2',
] as const;

test('numbers are formatted as in Rust', () => {
  assert.ok(EXAMPLES.length > 400);
  const seen = new Set<string>();
  for (const [name, of, text] of EXAMPLES) {
    seen.add(name);
    const format = number[name] as (...of: unknown[]) => unknown;
    assert.equal(plain(String(format(...of))), text, `${name}(${JSON.stringify(of)})`);
  }
  assert.deepEqual([...seen].sort(), [...FUNCTIONS].sort());
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
