/** Compares the sentences of pages with those that the terminal prints for the same studies. Needs no browser. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync, strFromU8 } from 'fflate';

import { fileOf } from './browser';
import { unpack, type WrittenData } from '../../src/data/load';
import { Page } from '../../src/data/page';
import { advice, answer, costPieces, predictionDoubts } from '../../src/overview/answer';
import { gap, parts } from '../../src/overview/views';
import { ask, page, parse, route } from '../../src/state/state';
import { textOf } from '../../src/view/parts';

/** Studies with an answer of each kind, and a real program. */
const STUDIES: Record<string, string | undefined> = {
  'list-append': undefined,
  'answer-fix': 'fix',
  'answer-open': 'open',
  'answer-steady': 'steady',
  'answer-small': 'spread',
  'answer-all': 'spread',
};

/** Sizes from a hundredth of the largest run to ten thousand times it; `null` is the default target. */
const SIZES = [null, 512, 51_200, 300_000, 5_120_000, 512_000_000];

/** Joins lines. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

function dataOf(name: string): WrittenData {
  const [, data = ''] = /<template id="data">([^<]*)/.exec(readFileSync(fileOf(name), 'utf8')) ?? [];
  return JSON.parse(strFromU8(gunzipSync(Buffer.from(data, 'base64')))) as WrittenData;
}

function terminal(study: string, feature: string, at: number | null): string {
  const target = at === null ? [] : ['--at', `${feature}=${at}`];
  const program = process.env['TREND_PROF'] ?? '';
  return plain(execFileSync(program, ['show', study, ...target], { env: { NO_COLOR: '1' } }).toString());
}

for (const [name, kind] of Object.entries(STUDIES)) {
  test(`${name}: the page says at every target what the terminal says`, () => {
    page.value = new Page(unpack(dataOf(name)));
    const feature = page.value.findings.features[0]?.name ?? '';
    for (const at of SIZES) {
      route.value = parse('#/overview');
      if (at !== null) ask(feature, String(at));
      const found = answer.value;
      assert.ok(found, name);
      if (at === null && kind !== undefined) assert.equal(found.kind, kind);
      const said = terminal(studyOf(name), feature, at);
      if (!found.whole) {
        assert.match(said, / not predicted\./);
        continue;
      }
      const { first, more } = advice(found);
      const advised = plain(textOf([...first, ...more]));
      // Between the sizes of the analysis the page interpolates intervals, and an open question names their ends.
      if (at === null || found.kind !== 'open') assert.ok(said.includes(advised), `${advised}\n\n${said}`);
      // The terminal adds the executions to a doubtful time.
      const cost = plain(textOf(costPieces(found))).replace(/\.$/, '');
      if (at === null) assert.ok(said.includes(cost), `${cost}\n\n${said}`);
      const doubts = plain(predictionDoubts(found.whole).join(' '));
      if (at === null) assert.ok(said.includes(doubts), `${doubts}\n\n${said}`);
      const whole = found.whole.cost;
      const sum = parts.value.reduce((sum, part) => sum + (part.then?.cost ?? 0), 0);
      assert.ok(Math.abs(sum / whole - 1 - gap.value) < 1e-5, `${sum} of ${whole} at ${at}`);
    }
  });
}

/** Returns the file of a study, which may be in a folder of its own. */
function studyOf(name: string): string {
  const path = `${process.env['STUDIES'] ?? ''}/${name}`;
  if (!existsSync(path)) return `${path}.trend`;
  return `${path}/${readdirSync(path).find((file) => file.endsWith('.trend')) ?? ''}`;
}
