import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { lawAt } from '../src/data/law';
import type { Law } from '../src/data/types';

/** Written by the tests of the analysis, with its cost at each point. */
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
