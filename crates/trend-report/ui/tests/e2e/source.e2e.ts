import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Browser, Page } from 'playwright-core';

import { drawn, launch, open } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function line(page: Page): Promise<string | null> {
  await drawn(page);
  return page.evaluate(() => new URLSearchParams(location.hash.split('?')[1] ?? '').get('line'));
}

test('hot lines are walked by n and N, and the panel says what the line is', async () => {
  const { page, complaints } = await open(browser, 'list-append', { hash: '#/source/list.c' });
  await page.waitForSelector('tr[data-line]');
  await page.keyboard.press('n');
  assert.equal(await line(page), '7');
  await page.keyboard.press('n');
  await page.keyboard.press('N');
  assert.equal(await line(page), '7');
  const panel = page.locator('.beside');
  assert.match(await panel.innerText(), /list\.c:7[\s\S]*while \(n->next\)[\s\S]*last_node[\s\S]*list\.c:7/);
  await page.keyboard.press('Escape');
  assert.equal(await line(page), null);
  assert.equal(await panel.count(), 0);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('arrows go through the counted lines, Enter opens the function, a colon a line', async () => {
  const { page } = await open(browser, 'list-append', { hash: '#/source/list.c?line=7' });
  await page.locator('tr[data-line="7"]').focus();
  await page.keyboard.press('ArrowDown');
  await drawn(page);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-line')), '8');
  assert.equal(await line(page), '8');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.startsWith('#/function/'));
  await page.goBack();
  assert.equal(await line(page), '8');
  await page.keyboard.press(':');
  await page.keyboard.type('13');
  await page.keyboard.press('Enter');
  assert.equal(await line(page), '13');
  await page.context().close();
});

test('code is coloured without elements', async () => {
  const { page } = await open(browser, 'list-append', { hash: '#/source/list.c' });
  await page.waitForFunction(() => (CSS.highlights.get('code-keyword')?.size ?? 0) > 0);
  assert.equal(await page.locator('.cd code *').count(), 0);
  const row = page.locator('tr[data-line="7"]');
  assert.equal(await row.getByRole('gridcell').count(), 7, 'a line is a row');
  await page.context().close();
});

test('a link to what this study has not says so and leads to all that there is', async () => {
  const { page, complaints } = await open(browser, 'list-append', { hash: '#/cluster/list.c:8%239' });
  assert.match(await page.locator('#app h1').innerText(), /No such cluster/);
  await page.locator('#app main a', { hasText: 'All clusters' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/clusters'));
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('of a loop that data decide the page says how it grows, beside code that is scrolled as well', async () => {
  const { page, complaints } = await open(browser, 'loops', { hash: '#/source/lists.c?line=63' });
  const row = page.locator('tr[data-line="63"]');
  await row.waitFor();
  assert.equal(await row.locator('.loop').innerText(), '1–9 ?');
  assert.match(
    await page.locator('.beside .product').innerText(),
    /trips in a run; depends on the data: n \(line 62\) × 1–9 seen \(line 63\)$/,
  );
  const tops = ['loop', 'ln'].map((column) =>
    page.locator(`.code th.${column}`).evaluate((th) => th.getBoundingClientRect().top),
  );
  const [loop, ln] = await Promise.all(tops);
  assert.ok((await page.locator('.code').evaluate((code) => code.scrollTop)) > 0, 'it is scrolled');
  assert.equal(loop, ln, 'all heads stay');
  assert.deepEqual(complaints, []);
  await page.context().close();
});
