import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';

import type { Browser, Page } from 'playwright-core';

import type { Comparison } from '../../src/data/types';
import { cost, featureSize } from '../../src/format/number';
import { drawn, fileOf, launch, open, pressUntil } from './browser';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const studyOf = (name: string) => fileOf(`studies/${name}`).replace(/html$/, 'trend');
const [PARSER, TAIL] = ['list-append/parser', 'list-append-tail/parser'].map(studyOf) as [string, string];

/** Pages, with the studies that they compare. */
const PAGES: Record<string, [string, string]> = {
  'compare-improved': [PARSER, TAIL],
  'compare-regressed': [TAIL, PARSER],
  'compare-identical': [PARSER, PARSER],
  'compare-new': [studyOf('old'), studyOf('new')],
  'compare-undecided': [studyOf('elsewhere'), studyOf('old')],
};

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

const diff = (...args: string[]): string =>
  execFileSync(process.env['TREND_PROF'] ?? 'trend-prof', ['-q', 'diff', ...args]).toString();

const opened = (name: string, options = {}) => open(browser, name, { hash: '#/compare', ...options });

/** Returns the sentences as a terminal writes them: a raised exponent becomes `^`. */
async function sentences(page: Page): Promise<string> {
  const texts = await page.locator('.answer .say').evaluateAll((all) =>
    all.map((say) => {
      const copy = say.cloneNode(true) as HTMLElement;
      for (const sup of copy.querySelectorAll('sup')) sup.prepend('^');
      return copy.textContent;
    }),
  );
  return plain(texts.join(' '));
}

for (const [name, pair] of Object.entries(PAGES)) {
  test(`${name}: the sentences are the terminal’s and the table is the JSON, at every target`, async () => {
    const { page, complaints } = await opened(name);
    const [[feature = '', usual = NaN] = []] = (JSON.parse(diff('--format', 'json', ...pair)) as Comparison)
      .at;
    for (const button of await page.locator('.target .multiples-of button').all()) {
      await button.click();
      await drawn(page);
      const times = Number.parseInt(await button.innerText());
      const at = (usual / 10) * times;
      const option = times === 10 ? [] : ['--at', `${feature}=${at}`];
      const said = plain(diff(...option, ...pair));
      const found = await sentences(page);
      assert.ok(said.startsWith(found), `${at}: ${found}\n${said.slice(0, 400)}`);
      const there = JSON.parse(diff('--format', 'json', ...option, ...pair)) as Comparison;
      assert.equal(there.feature, feature);
      const listed = there.changes.slice(0, 20);
      const rows = page.locator('.changes tbody tr:not(.whole)');
      const cells = async (column: string) => (await rows.locator(column).allInnerTexts()).map(plain);
      const names = await rows.locator('th .name').allInnerTexts();
      assert.deepEqual(names, listed.map((c) => c.place?.name ?? '')); // prettier-ignore
      assert.deepEqual(await cells('.now'), listed.map((c) => plain(cost(c.before.cost)))); // prettier-ignore
      assert.deepEqual(await cells('.then'), listed.map((c) => plain(cost(c.after.cost)))); // prettier-ignore
      const kinds = (await cells('.what')).map((what) => what.split(/[ ,]/)[0]);
      assert.deepEqual(kinds, listed.map(({ change: { kind } }) => (kind.kind === 'vanished' ? 'removed' : kind.kind))); // prettier-ignore
      const gauges = (await page.locator('.gauge b').allInnerTexts()).map(plain);
      const { before, after } = there.total;
      const both = there.reason.kind === 'few_shared' ? [] : [before, after].map((s) => plain(cost(s.cost)));
      assert.deepEqual(gauges, both);
      if (both.length > 0) {
        const labels = await page.locator('.growth-plot .label .value').allTextContents();
        assert.deepEqual(labels.map(plain).sort(), both.sort(), 'labels');
      }
    }
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
}

test('each outcome has its word, and only a page that compares lists the view', async () => {
  const words = { improved: 'Improved.', regressed: 'Regressed.', identical: 'Holds.', new: 'Holds.', undecided: 'Cannot tell.' }; // prettier-ignore
  for (const [name, word] of Object.entries(words)) {
    const { page } = await opened(`compare-${name}`);
    assert.equal(await page.locator('.outcome').innerText(), word, name);
    assert.equal(await page.locator('.bar nav a[aria-current]').innerText(), 'Compare');
    await page.context().close();
  }
  const { page } = await opened('list-append');
  assert.equal(await page.locator('.bar nav a', { hasText: 'Compare' }).count(), 0);
  assert.match(await page.locator('#app main').innerText(), /trend-prof report parser\.trend --before/);
  await page.context().close();
});

test('nothing sticks out from 320 to 3840 px', async () => {
  for (const name of Object.keys(PAGES)) {
    const { page } = await opened(name);
    for (const width of [320, 390, 641, 1089, 1280, 3840]) {
      await page.setViewportSize({ width, height: 900 });
      await drawn(page);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${name} at ${width}: ${over} px too wide`);
    }
    await page.context().close();
  }
});

test('it is printed on one sheet', async () => {
  for (const name of Object.keys(PAGES)) {
    const { page } = await opened(name);
    await page.locator('.answer .say').first().waitFor();
    const file = fileOf(`${name}-printed`).replace(/html$/, 'pdf');
    writeFileSync(file, await page.pdf({ format: 'A4' }));
    await page.context().close();
    assert.match(execFileSync('pdfinfo', [file]).toString(), /Pages:\s+1\n/, name);
    const text = plain(execFileSync('pdftotext', ['-layout', file, '-']).toString());
    assert.match(text, /(Improved|Regressed|Holds|Cannot tell)\./);
    assert.equal(text.includes('Changes at'), name !== 'compare-undecided');
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing, ${colorScheme}`, async () => {
    for (const name of Object.keys(PAGES)) {
      for (const width of [390, 1280]) {
        const { page } = await opened(name, { colorScheme, viewport: { width, height: 844 } });
        await page.locator('.answer .say').first().waitFor();
        await page.evaluate(axe);
        const found = await page.evaluate<{ id: string; nodes: { target: string[] }[] }[]>(
          `axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)`,
        );
        const wrong = found.map((v) => `${v.id} ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
        assert.deepEqual(wrong, [], `${name} at ${width}`);
        await page.context().close();
      }
    }
  });
}

test('keys choose the row and the target, read the chart, and follow a name', async () => {
  const { page } = await opened('compare-regressed');
  await pressUntil(
    page,
    'Tab',
    (e) => e.closest('.growth .joined') !== null && e.textContent === 'last_node',
  );
  await page.keyboard.press('Enter');
  await drawn(page);
  assert.match(await page.locator('.growth .note').innerText(), /^last_node/);
  assert.equal(await page.locator('.growth-plot .label').count(), 1);
  await page.locator('.growth-plot').focus();
  await page.keyboard.press('ArrowLeft');
  assert.match((await page.locator('.growth [role=status]').textContent()) ?? '', /^at .*: after \S/);
  await page.keyboard.press('Escape');
  const pressed = () => page.locator('.target .multiples-of [aria-pressed=true]').innerText();
  assert.equal(await pressed(), '10×');
  await page.locator('#main').focus();
  await page.keyboard.press(']');
  await drawn(page);
  assert.equal(await pressed(), '100×');
  await page.locator('#target-size').fill('7M');
  await drawn(page);
  assert.match(
    await page.locator('.answer .note').innerText(),
    new RegExp(`nearest to ${featureSize('bytes', 7e6)}`),
  );
  await pressUntil(page, 'Tab', (e) => e.closest('.changes') !== null && e.textContent === 'last_node');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.startsWith('#/function/'));
  await page.context().close();
});
