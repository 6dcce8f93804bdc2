import assert from 'node:assert/strict';
import { test } from 'node:test';

import { delimited, json } from '../src/files/delimited';
import { type Column, shownColumns } from '../src/table/column';
import {
  type Chip,
  type Filter,
  narrow,
  naturalKey,
  order,
  parseSort,
  rangeCondition,
  ranks,
  textCondition,
  writeSort,
} from '../src/table/narrow';
import { moved, rowsInView, scrollToShow } from '../src/table/window';

test('missing values come last whichever way, and equal ones keep their order', () => {
  const values = [3, null, 1, 3, NaN, 2];
  assert.deepEqual(order(ranks(values), false), [2, 5, 0, 3, 1, 4]);
  assert.deepEqual(order(ranks(values), true), [0, 3, 5, 2, 1, 4]);
  assert.deepEqual(order(ranks([Infinity, 5, -Infinity, Infinity]), true), [0, 3, 1, 2]);
});

test('texts are sorted without case and numbers in them by value', () => {
  const names = ['b.c:10', 'B.c:9', 'a.c:100', '', 'b.c:9'];
  assert.deepEqual(order(ranks(names), false), [2, 1, 4, 0, 3]);
  assert.deepEqual(order(ranks([true, false, null, true]), true), [0, 3, 1, 2]);
  assert.ok(naturalKey('f9') < naturalKey('F10'));
});

test('a sort survives the address', () => {
  for (const text of ['cost', '-cost']) assert.equal(writeSort(parseSort(text)), text);
  assert.deepEqual(parseSort('-cost'), { key: 'cost', descending: true });
});

test('all words must occur, in any case and order', () => {
  const { matches } = textCondition('  Sort block ');
  assert.equal(matches?.('blocksort.c'), true);
  assert.equal(matches?.('block.c'), false);
  assert.equal(textCondition('   ').matches, null);
});

test('a number is a minimum, two are a range', () => {
  const kept = (typed: string, percent = false) =>
    [-1, 0, 0.5, 2, 5, null].filter(rangeCondition(typed, percent).matches ?? (() => true));
  assert.deepEqual(kept('2'), [2, 5]);
  assert.deepEqual(kept('..0'), [-1, 0]);
  assert.deepEqual(kept('0 .. 2'), [0, 0.5, 2]);
  assert.deepEqual(kept('-1..0'), [-1, 0]);
  assert.deepEqual(kept('50 %', true), [0.5, 2, 5]);
  assert.deepEqual(kept(''), [-1, 0, 0.5, 2, 5, null]);
  assert.equal(rangeCondition('10k').matches?.(10_000), true);
  for (const wrong of ['x', '..', '1..x', '1...']) assert.ok(rangeCondition(wrong).error, wrong);
});

test('CSV quotes what needs it and nothing else', () => {
  const text = delimited(
    ['name', 'n'],
    [
      ['a,b', 1.5],
      ['say "hi"', null],
      ['two\nlines', true],
      [' x', 0],
    ],
    ',',
  );
  assert.equal(text, 'name,n\r\n"a,b",1.5\r\n"say ""hi""",\r\n"two\nlines",true\r\n" x",0\r\n');
  assert.equal(delimited(['a'], [['b,c'], ['d\te']], '\t'), 'a\r\nb,c\r\n"d\te"\r\n');
});

test('a name cannot be a formula of a spreadsheet, and numbers stay numbers', () => {
  const cells = ['=cmd()', '+1', '-2', '@x', '\tx', '\r=x', '＝x'];
  for (const cell of cells) {
    const [, line] = delimited(['h'], [[cell]], ',').split(/(?<=^h)\r\n/);
    assert.match(line ?? '', /^"?'/, JSON.stringify(cell));
  }
  assert.equal(delimited(['h'], [[-2]], ','), 'h\r\n-2\r\n');
});

test('JSON gives names and numbers back as they were', () => {
  const rows = [['=x"\n', -2, null, true]];
  assert.deepEqual(JSON.parse(json(['a', 'b', 'c', 'd'], rows)), [{ a: '=x"\n', b: -2, c: null, d: true }]);
  assert.deepEqual(JSON.parse(json(['a'], [])), []);
});

const column = (key: string, width: number, priority: number): Column<null> => ({
  key,
  title: key,
  width,
  priority,
  value: () => null,
});

test('columns that do not fit are left out by priority, in their order', () => {
  const columns = [column('rank', 3, 2), column('name', 12, 0), column('r2', 4, 3)];
  const keys = (available: number) => shownColumns(columns, available).map((c) => c.key);
  assert.deepEqual(keys(100), ['rank', 'name', 'r2']);
  assert.deepEqual(keys(17), ['rank', 'name']);
  assert.deepEqual(keys(5), ['name']);
});

test('every row in view is drawn, however far it was scrolled', () => {
  for (let top = 0; top < 30_000; top += 37) {
    const { first, end } = rowsInView(top, 600, 30, 1000);
    assert.ok(
      first <= Math.floor(top / 30) && end >= Math.min(Math.ceil((top + 600) / 30), 1000),
      String(top),
    );
    assert.ok(end - first < 60);
  }
  assert.deepEqual(rowsInView(0, 600, 30, 3), { first: 0, end: 3 });
  assert.deepEqual(rowsInView(0, 600, 30, 0), { first: 0, end: 0 });
});

test('scrolling to a row moves no more than needed', () => {
  assert.equal(scrollToShow(5, 0, 600, 30), 0);
  assert.equal(scrollToShow(20, 0, 600, 30), 30);
  assert.equal(scrollToShow(2, 300, 600, 30), 60);
});

test('keys move within the grid and not out of it', () => {
  const at = (row: number, col: number, key: string, ctrl = false) =>
    moved({ row, column: col }, key, ctrl, 100, 5, 20);
  assert.deepEqual(at(0, 0, 'ArrowUp'), { row: -1, column: 0 });
  assert.deepEqual(at(-1, 0, 'ArrowUp'), { row: -1, column: 0 });
  assert.deepEqual(at(99, 4, 'ArrowDown'), { row: 99, column: 4 });
  assert.deepEqual(at(5, 2, 'PageUp'), { row: 0, column: 2 });
  assert.deepEqual(at(5, 2, 'PageDown'), { row: 25, column: 2 });
  assert.deepEqual(at(5, 2, 'End'), { row: 5, column: 4 });
  assert.deepEqual(at(5, 2, 'End', true), { row: 99, column: 4 });
  assert.deepEqual(at(5, 2, 'Home', true), { row: 0, column: 0 });
  assert.equal(at(5, 2, 'x'), null);
});

test('filters, text and chip narrow together, and a wrong one narrows nothing but says so', () => {
  const rows = [
    { file: 'a.c', n: 1 },
    { file: 'a.c', n: 5 },
    { file: 'b.c', n: 9 },
  ];
  type R = (typeof rows)[number];
  const filters: Filter<R>[] = [
    { key: 'path', label: 'Path', kind: 'text', value: (r) => r.file },
    { key: 'n', label: 'n', kind: 'range', value: (r) => r.n },
  ];
  const odd: Chip<R> = { key: 'big', label: 'big', keeps: (r) => r.n > 2 };
  const texts = rows.map((r) => r.file);
  const kept = (typed: Record<string, string>, q = '', chip?: Chip<R>) =>
    narrow(rows, texts, q, filters, (key) => typed[key] ?? '', chip);
  assert.deepEqual(kept({}).kept, [true, true, true]);
  assert.deepEqual(kept({ path: 'a', n: '2..' }).kept, [false, true, false]);
  assert.deepEqual(kept({}, 'c', odd).kept, [false, true, true]);
  const wrong = kept({ n: 'many' });
  assert.deepEqual(wrong.kept, [true, true, true]);
  assert.deepEqual([...wrong.errors.keys()], ['n']);
});
