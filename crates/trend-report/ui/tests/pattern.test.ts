import assert from 'node:assert/strict';
import { test } from 'node:test';

import { textCondition } from '../src/table/filter';
import { narrow, type Filter } from '../src/table/narrow';
import { whyForever } from '../src/table/pattern';

test('patterns that could take forever are refused', () => {
  for (const source of [
    '(a+)+$',
    '(x+x+)+y',
    '(a|a)*b',
    '(?:a|ab)+',
    '(?<name>a*)*b',
    '((a?)b)+',
    '((ab)*c){2,}',
    '(a{1,9})+?b',
    '([)]+)+b',
    '(\\)+)+b',
    '(.*)\\1',
    '(?<n>.*)\\k<n>',
    '.*.*.*.*x',
    'a?'.repeat(30) + 'a{30}',
    '(a|a)'.repeat(30),
  ]) {
    new RegExp(source);
    assert.notEqual(whyForever(source), null, source);
    const { matches, error } = textCondition(`/${source}/`);
    assert.equal(matches, null, source);
    assert.match(error ?? '', /could take forever/);
  }
});

test('usual patterns are used', () => {
  for (const source of [
    '^std::.*<.*>$',
    '(sort|search)\\.c',
    '(ab)+',
    '(?:::)*x',
    '(foo|bar)?baz',
    '\\(\\w+\\)+',
    '[(a+)]+',
    '[\\]+]+',
    'a|b|c',
    'a{2}{',
    '(?<!x)y+?',
    '\\d{4}-\\d{2}',
  ]) {
    new RegExp(source);
    assert.equal(whyForever(source), null, source);
  }
});

test('a pattern sees three hundred characters, words see all', () => {
  const text = `${'x'.repeat(299)}yz`;
  assert.equal(textCondition('/y/').matches?.(text), true);
  assert.equal(textCondition('/z/').matches?.(text), false);
  assert.equal(textCondition('z').matches?.(text), true);
});

test('a pattern that is slow over many rows is given up, and then narrows nothing', () => {
  const rows = ['b', ...Array<string>(3000).fill('a'.repeat(300))];
  const start = performance.now();
  const { kept, errors } = narrow(rows, rows, '/.*.*.*b/', [] as Filter<string>[], () => '', undefined);
  assert.ok(performance.now() - start < 20_000);
  assert.match(errors.get('q') ?? '', /could take forever/);
  assert.ok(kept.every(Boolean));
});
