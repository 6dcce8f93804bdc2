import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { drawn, launch, open } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test('routines are listed with their growth, and sorted by it the square comes first', async () => {
  const { page, complaints } = await open(browser, 'routines', { hash: '#/routines' });
  const rows = page.locator('#app [role=grid] [role=row]');
  assert.ok((await rows.count()) >= 6);
  const head = page.locator('#app [role=columnheader] button', { hasText: /growth/i }).first();
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
  // The cost that is asked for, and those that there is one of.
  for (const cost of ['worst', 'average', 'best']) {
    await page.evaluate((asked) => {
      const [path] = location.hash.split('?');
      location.hash = `${path}?cost=${asked}`;
    }, cost);
    await page.locator('#app main figure h3', { hasText: `${cost} cost` }).waitFor();
    await drawn(page);
    const figures = await page.$$eval('#app main figure', (all) =>
      all.map((figure) => ({
        title: figure.querySelector('h3')?.textContent ?? '',
        marks: [...figure.querySelectorAll('svg path.series, svg path.column')].filter(
          (path) => (path.getAttribute('d') ?? '') !== '',
        ).length,
      })),
    );
    const titles = figures.map((f) => f.title);
    for (const title of [
      `${cost} cost`,
      'Curve bounding',
      'Total cost',
      'Frequency',
      'Amortized cost',
      'Variance',
    ]) {
      assert.ok(titles.includes(title), `${title} is among ${titles.join(', ')}`);
    }
    for (const { title, marks } of figures) assert.ok(marks > 0, `${title} has points`);
  }
  const tuples = page.locator('#app main section', { hasText: 'Tuples' }).locator('tr, [role=row]');
  assert.ok((await tuples.count()) > 1, 'the tuples are listed');
  assert.deepEqual(complaints, []);
  await page.context().close();
});
