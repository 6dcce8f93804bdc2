import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { lawAt, pointAlong } from '../src/data/law';
import type { Law } from '../src/data/types';

/** Written by the analysis' own tests, with what it says at each point. */
const EXAMPLES = JSON.parse(readFileSync('tests/laws.json', 'utf8')) as {
  law: Law;
  costs: [number[], number | null][];
}[];

test('the browser and the analysis say the same of every kind of law', () => {
  assert.ok(EXAMPLES.length >= 8);
  for (const { law, costs } of EXAMPLES) {
    for (const [point, cost] of costs) {
      const said = lawAt(law, point);
      const words = `${law.formula} at ${point.join(', ')}: ${String(said)}, not ${String(cost)}`;
      if (cost === null) assert.equal(said, null, words);
      else assert.ok(said !== null && Math.abs(said / cost - 1) < 1e-9, words);
    }
  }
});

test('features that are not given go along, or stand where the costliest run had them', () => {
  const fillings = [
    { feature: 'n', costliest: 9, along: [] },
    { feature: 'm', costliest: 5, along: [{ leader: 'n', a: 2, b: 1, r2: 0.99 }] },
    { feature: 'd', costliest: 7, along: [] },
  ];
  assert.deepEqual(pointAlong(fillings, ['d', 'm', 'n'], 'n', 100), [7, 200, 100]);
  assert.deepEqual(pointAlong(fillings, ['n'], 'm', 100), [9]);
  assert.equal(pointAlong([], ['x', 'n'], 'n', 100), null);
});
