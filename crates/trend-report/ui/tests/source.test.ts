import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fileCosts, hotLines, lineCosts } from '../src/source/costs';
import { shownLines, widest } from '../src/source/load';
import { tokens } from '../src/source/tokens';
import { study } from './study';

/** Returns `kind:text` for every token. */
function coloured(file: string, text: string): string[] {
  return tokens(file, text).map(([start, end, kind]) => `${kind}:${text.slice(start, end)}`);
}

test('the lexer knows comments, strings, numbers, keywords and the preprocessor of C', () => {
  const text = '#include <x.h>\nint a = 0x1f; // if\nchar *s = "/* \\" */"; /* for\n" */ x9 = 1.5e-3;';
  assert.deepEqual(coloured('a.c', text), [
    'directive:#include',
    'keyword:int',
    'number:0x1f',
    'comment:// if',
    'keyword:char',
    'string:"/* \\" */"',
    'comment:/* for\n" */',
    'number:1.5e-3',
  ]);
});

test('a string that is not closed ends with its line, a comment with the file', () => {
  assert.deepEqual(coloured('a.c', 'x = "abc\nint y; /* z'), ['string:"abc', 'keyword:int', 'comment:/* z']);
});

test('lifetimes of Rust are no characters, its strings go over lines', () => {
  const text = "fn f<'a>(x: &'a str) { '\\n'; 'x'; \"a\nb\" } /* a */ 1_000u64";
  assert.deepEqual(
    coloured('a.rs', text).filter((t) => !t.startsWith('keyword')),
    [
      "string:'a",
      "string:'a",
      "string:'\\n'",
      "string:'x'",
      'string:"a\nb"',
      'comment:/* a */',
      'number:1_000u64',
    ],
  );
});

test('strings of Python in three quotes hold lines and hashes', () => {
  assert.deepEqual(coloured('a.py', 'def f(): """ # no\n""" # yes'), [
    'keyword:def',
    'string:""" # no\n"""',
    'comment:# yes',
  ]);
});

test('a file of an unknown ending has no tokens, whatever objects inherit', () => {
  assert.deepEqual(tokens('a.constructor', 'if'), []);
  assert.deepEqual(tokens('README', 'if'), []);
});

test('colouring takes time in proportion to the text, even of the worst', () => {
  const parts = ["'", '/*', '1e', '"\\', '"""', '`', '#', ' #', ' ', "'''x"];
  for (const file of ['a.c', 'a.rs', 'a.py', 'a.ts']) {
    for (const part of parts) {
      const start = performance.now();
      tokens(file, part.repeat(200_000 / part.length));
      assert.ok(performance.now() - start < 2000, `${file}: ${part}`);
    }
  }
});

test('lines have as many as the file, tabs kept and tricks escaped', () => {
  assert.deepEqual(shownLines('a\r\n\tb\u202e\n'), ['a', '\tb\\u{202e}']);
  assert.ok((shownLines('x'.repeat(1e6))[0]?.length ?? 0) < 2100);
  assert.equal(widest(['\tab', 'a\tb', 'abc']), 6);
});

const PAGE = study(
  `src/a.c:3#1   f  x    100
   src/a.c:3#2   f  x    70
   src/a.c:3#3   g  y    50
   src/a.c:5,6   f  x,y  20
   src/a.c:9     f  -    0
   src/b/c.c:1   h  y    600
   d.c:1         i  -    10`,
  { x: [1, ['n']], y: [2, ['n^2']] },
);

test('a line costs its most frequent block per function, functions added up', () => {
  const lines = lineCosts(PAGE, 'src/a.c').map((l) => [l.line, l.cost, l.clusters.join()]);
  assert.deepEqual(lines, [
    [3, 150, '0,1'],
    [5, 20, '0,1'],
    [6, 20, '0,1'],
    [9, 0, ''],
  ]);
});

test('at the target a line costs as much more as the cluster that it fits best', () => {
  const [x = 1, y = 1] = [2, 10];
  const then = lineCosts(PAGE, 'src/a.c', [x, y]).map((l) => [l.line, l.then]);
  assert.deepEqual(then, [
    [3, 700],
    [5, 40],
    [6, 40],
    [9, 0],
  ]);
  const files = fileCosts(PAGE, [x, y]).map((f) => [f.file, f.then, Math.round(100 * f.shareThen)]);
  assert.deepEqual(files, [
    ['src/b/c.c', 6000, 87],
    ['src/a.c', 880, 13],
    ['d.c', 10, 0],
  ]);
});

test('hot lines are costly for the program, or else the costliest of the file', () => {
  const lines = lineCosts(PAGE, 'src/a.c');
  assert.deepEqual(hotLines(lines, 20), [3, 5, 6]);
  assert.deepEqual(hotLines(lines, 100), [3]);
  assert.deepEqual(hotLines(lines, 20_000), [3, 5, 6]);
  assert.deepEqual(hotLines([], 10), []);
});

test('files are ranked by cost, a location of two clusters counted once', () => {
  const files = fileCosts(PAGE).map((f) => [f.file, f.cost, f.steepest]);
  assert.deepEqual(files, [
    ['src/b/c.c', 600, 1],
    ['src/a.c', 240, 1],
    ['d.c', 10, null],
  ]);
});
