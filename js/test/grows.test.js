'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { test } = require('node:test');
const { grows } = require('../index.js');

const program = process.env.TREND_PROF ?? 'trend-prof';
const skip = spawnSync(program, ['--version']).error ? `${program} is not there` : false;

const numbers = (n) => Array.from({ length: n }, (_, i) => (i * 7919) % n);

function bubbleSort(list) {
  for (let i = 0; i < list.length; i++) {
    for (let j = 0; j + 1 < list.length - i; j++) {
      if (list[j] > list[j + 1]) [list[j], list[j + 1]] = [list[j + 1], list[j]];
    }
  }
}

test('a quadratic sort stays within its limit', { skip }, () => {
  return grows('<= n^2', (n) => bubbleSort(numbers(n)), { budget: 2000 });
});

test('a quadratic sort breaks a lower limit, which names its line', { skip }, async () => {
  const judged = grows('<= n log n', async (n) => bubbleSort(numbers(n)), { budget: 2000 });
  await assert.rejects(judged, /it does not grow as <= n log n[^]*grows\.test\.js:1[56]/);
});

test('no program to judge is an error', async () => {
  const before = process.env.TREND_PROF;
  process.env.TREND_PROF = '/nowhere/trend-prof';
  try {
    await assert.rejects(grows('<= n', () => {}, { sizes: [16] }), /put it on the PATH or into TREND_PROF/);
  } finally {
    if (before === undefined) delete process.env.TREND_PROF;
    else process.env.TREND_PROF = before;
  }
});
