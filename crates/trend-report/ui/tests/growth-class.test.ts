import assert from 'node:assert/strict';
import { test } from 'node:test';

import { classPace, namedClasses, sourceText } from '../src/data/growth-class';
import { growthClass, model } from './study';

function undecided(classes: string[]) {
  const { growth } = model(1, classes);
  assert.ok(growth);
  return growth;
}

test('the classes of an undecided verdict are named by growth, whatever supports them most', () => {
  const names = (classes: string[]) => namedClasses(undecided(classes)).map((c) => c.class);
  assert.deepEqual(names(['n log n', 'n']), ['n', 'n log n']);
  assert.deepEqual(names(['2^n', 'n^2', 'n^1.05', 'n log n', '1', 'log n']), [
    '1',
    'log n',
    'n log n',
    'n^1.05',
    'n^2',
    '2^n',
  ]);
  assert.deepEqual(names(['7^n', '2^n', 'n^7.3', '1.62^n']), ['n^7.3', '1.62^n', '2^n', '7^n']);
  assert.deepEqual(names(['n!', '7^n', 'n·2^n', '2^n', '2.01^n']), ['2^n', 'n·2^n', '2.01^n', '7^n', 'n!']);
  assert.deepEqual(['n·2^n', 'n!'].map(growthClass).map(classPace), [Infinity, Infinity]);
});

test('what a prediction comes from is the verdict in short, or no class at all', () => {
  const { growth } = model(1, ['n']);
  assert.equal(sourceText('class', growth), 'n');
  assert.equal(sourceText('power_law', growth), 'power law');
  assert.equal(sourceText('sum_of_parts', growth), 'sum of parts');
});
