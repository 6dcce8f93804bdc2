import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { drawn, launch, open } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test('routines are listed with exponents, and sorted by them the square comes first', async () => {
  const { page, complaints } = await open(browser, 'routines', { hash: '#/routines' });
  const rows = page.locator('#app [role=grid] [role=row]');
  assert.ok((await rows.count()) >= 6);
  const head = page.locator('#app [role=columnheader] button', { hasText: /exponent/i }).first();
  await head.click();
  await drawn(page);
  if (!(await rows.nth(1).innerText()).includes('insertion_sort')) await head.click();
  await drawn(page);
  assert.match(await rows.nth(1).innerText(), /insertion_sort/);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('every chart of a routine is there, and its tuples', async () => {
  const { page, complaints } = await open(browser, 'routines', { hash: '#/routines' });
  await page.locator('#app a[href^="#/routine/"]', { hasText: 'push_back' }).first().click();
  await page.locator('#app main figure').first().waitFor();
  const text = (await page.locator('#app main').innerText()).toLowerCase();
  for (const chart of [
    'worst',
    'average',
    'best',
    'total',
    'variance',
    'bounding',
    'frequency',
    'amortized',
    'tuples',
  ]) {
    assert.ok(text.includes(chart), `${chart} is named`);
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});
