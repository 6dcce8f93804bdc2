import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import type { Findings } from '../../src/data/types';
import { drawn, launch, open } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test('a link restores what its sender saw', async () => {
  const { page } = await open(browser, 'bzip2', { hash: '#/clusters' });
  await page.locator('#app input[type=search]').fill('blocksort');
  await page
    .locator('#app [role=columnheader] button', { hasText: /growth/i })
    .first()
    .click();
  await page.locator('#target-size').fill('5GB');
  await drawn(page);
  await page.waitForTimeout(500);
  const sent = await page.evaluate(() => location.hash);
  const text = async (p: typeof page) => (await p.locator('#app main').innerText()).replace(/\s+/g, ' ');
  const seen = await text(page);
  const other = await open(browser, 'bzip2', { hash: sent });
  await drawn(other.page);
  // Lines of code appear a moment after their rows.
  for (let i = 0; i < 20 && (await text(other.page)) !== seen; i++) await other.page.waitForTimeout(100);
  assert.equal(await text(other.page), seen);
  assert.equal(await other.page.locator('#target-size').inputValue(), '5GB');
  assert.equal(await other.page.locator('#app input[type=search]').inputValue(), 'blocksort');
  await page.context().close();
  await other.page.context().close();
});

test('back and forward go the way that was gone', async () => {
  const { page } = await open(browser, 'bzip2');
  const way = ['#/overview', '#/clusters'];
  await page.locator('#app nav a', { hasText: 'Functions' }).click();
  await page.locator('#app .page-head a', { hasText: 'clusters' }).click();
  await page.locator('#app a[href^="#/cluster/"]').first().click();
  await page.locator('#app main figure').first().waitFor();
  const cluster = await page.evaluate(() => location.hash);
  await page.goBack();
  await drawn(page);
  assert.ok((await page.evaluate(() => location.hash)).startsWith(way[1] ?? ''));
  await page.goForward();
  await drawn(page);
  assert.equal(await page.evaluate(() => location.hash), cluster);
  assert.ok((await page.locator('#app main figure').count()) > 0);
  await page.context().close();
});

test('the target size drives the predictions of every page', async () => {
  const { page } = await open(browser, 'bzip2', { hash: '#/overview?at=bytes:500MB' });
  for (const hash of ['#/overview', '#/clusters', '#/functions']) {
    const shown = async (at: string) => {
      await page.evaluate((to) => (location.hash = to), `${hash}?at=bytes:${at}`);
      await drawn(page);
      return page.locator('#app main').innerText();
    };
    assert.notEqual(await shown('500MB'), await shown('50GB'), hash);
  }
  await page.context().close();
});

test('predictions at the sizes that were computed are those of the findings', async () => {
  const { page } = await open(browser, 'demo');
  const { TREND_PROF = '', STUDY_OF_DEMO = '' } = process.env;
  const json = execFileSync(TREND_PROF, ['show', STUDY_OF_DEMO, '--format', 'json'], { maxBuffer: 1 << 26 });
  const [cluster] = (JSON.parse(json.toString()) as Findings).clusters;
  const prediction = cluster?.models[0]?.predictions.at(-1);
  assert.ok(cluster && prediction);
  const known = { name: cluster.representative.name, at: prediction.at, cost: prediction.cost };
  await page.evaluate((k) => (location.hash = `#/cluster/${encodeURIComponent(k.name)}?at=n:${k.at}`), known);
  await drawn(page);
  // The table and the caption below the plot show the cost with the digits that its interval supports.
  const said = (await page.locator('#app .predictions .estimate').allInnerTexts()).join('; ');
  const giga = [...said.matchAll(/([\d.]+)\sG/g)]
    .map(([, digits = '']) => digits)
    .find((digits) => digits === (known.cost / 1e9).toPrecision(digits.replace('.', '').length));
  assert.ok(giga !== undefined, `${known.cost} is in ${said}`);
  const below = await page.locator('#app main figcaption').first().innerText();
  assert.ok(below.includes(`: ${giga}\u00a0G`), below);
  await page.context().close();
});
