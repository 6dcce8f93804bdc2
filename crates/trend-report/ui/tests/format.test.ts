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

test('names are shortened as the terminal does', () => {
  const called = 'src/main.rs:6 → ptr::drop_in_place';
  const titled = 'src/a.cpp:73 in ns::Scanner::match(std::string const&, int) const';
  const method = 'corpus::Index<int>::count_pairs(std::function<bool(int)> const&) const';
  const lambda = 'sort(std::vector<…>&)::{lambda(auto:1 const&)#1}::operator()<…>(auto:1 const&) const';
  const texts: [text: string, columns: number, short: string][] = [
    ['a/long/path/to/file.c:120', 17, '…/to/file.c:120'],
    ['a/long/path/to/file.c:120', 9, 'a/l…c:120'],
    [called, 33, '…/main.rs:6 → ptr::drop_in_place'],
    [called, 24, '…/main.rs:6 → …_in_place'],
    [called, 18, '…/main.rs:6…_place'],
    [called, 12, 'src/…n_place'],
    ['a.c:12:parse_everything#3', 18, 'a.c:12…verything#3'],
    ['sums::sum<std::vector<int> >(std::vector<int> const&)', 24, 'sums::sum<…>(…)'],
    [titled, 50, '…/a.cpp:73 in ns::Scanner::match(…) const'],
    [titled, 36, '…/a.cpp:73 in ns::Scanner::match'],
    [titled, 28, '…/a.cpp:73 in …canner::match'],
    [titled, 14, 'src/a.cpp:73'],
    [method, 40, 'corpus::Index<…>::count_pairs(…) const'],
    [method, 30, 'corpus::Index<…>::count_pairs'],
    [method, 24, '…::Index<…>::count_pairs'],
    [method, 20, '…::count_pairs'],
    [method, 11, 'count_pairs'],
    [method, 9, 'cou…pairs'],
    [lambda, 36, '…::{lambda(…)#1}::operator()<…>'],
    ['std::function<bool(int)>::operator()(int) const', 40, 'std::function<…>::operator()(…) const'],
    ['std::operator<< <…>(std::ostream<…>&, int)', 30, 'std::operator<< <…>(…)'],
    ['A::operator<(A<int> const&, int) const', 24, 'A::operator<(…) const'],
    ['core::slice::sort::unstable::quicksort', 28, '…::sort::unstable::quicksort'],
  ];
  for (const [text, columns, short] of texts) assert.equal(shorten(text, columns), short);
});
