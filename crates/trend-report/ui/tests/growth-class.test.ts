import assert from 'node:assert/strict';
import { test } from 'node:test';

import { classPace, growthCell, namedClasses } from '../src/data/growth-class';
import { model } from './study';

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
  assert.deepEqual(['n·2^n', 'n!'].map(classPace), [Infinity, Infinity]);
  assert.equal(growthCell(undecided(['n log n', 'n'])), 'n or n log n ?');
  assert.equal(growthCell(undecided(['n^2', '1', 'n'])), '1 … n^2 ?');
  assert.equal(growthCell(undecided(['n'])), 'n');
});

test('what a prediction comes from besides a class has no pace', () => {
  assert.deepEqual(['sum of parts', 'power law'].map(classPace), [null, null]);
});
