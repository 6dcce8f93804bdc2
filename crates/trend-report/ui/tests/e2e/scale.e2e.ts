import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, before, test } from 'node:test';

import type { Browser, Page } from 'playwright-core';

import { drawn, fileOf, launch, open } from './browser';

/** Number of tries. The best one counts, because the machine does other work as well. */
const TRIES = 5;

/** Factor by which a budget may be exceeded while other processes use the processor. */
const BUSY = 3;

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Returns a script that types into the first filter. */
const typed = (text: string) =>
  `{ const i = document.querySelector('#app input[type=search]'); i.value = ${JSON.stringify(text)}; i.dispatchEvent(new Event('input', { bubbles: true })); }`;

/** Returns the milliseconds from an action in the page until its result is on the screen; the best of some tries. */
async function best(page: Page, actions: string[]): Promise<number> {
  let least = Infinity;
  for (const action of actions) {
    const ms = await page.evaluate<number>(`new Promise((done) => {
      const start = performance.now();
      ${action};
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - start), 0));
    })`);
    least = Math.min(least, ms);
    await drawn(page);
  }
  return least;
}

test('30,000 locations over 1,000 workloads: 4 MB, ready in 0.7 s', async (t) => {
  const bytes = statSync(fileOf('large')).size;
  t.diagnostic(`${(bytes / 1e6).toFixed(2)} MB`);
  assert.ok(bytes <= 4e6, `${bytes} bytes`);
  let least = Infinity;
  for (let i = 0; i < TRIES; i++) {
    const { page, readyMs } = await open(browser, 'large');
    least = Math.min(least, readyMs);
    await page.context().close();
  }
  t.diagnostic(`ready after ${least.toFixed(0)} ms`);
  assert.ok(least <= 700 * BUSY, `${least} ms`);
});

test('another target is on the screen in 50 ms, and rows sorted or filtered in 100 ms', async (t) => {
  const { page } = await open(browser, 'large');
  const headers = `document.querySelectorAll('#app [role=columnheader] button')`;
  const takes = async (what: string, most: number, actions: string[]) => {
    const ms = await best(page, actions);
    t.diagnostic(`${what} ${ms.toFixed(0)} ms`);
    assert.ok(ms <= most * BUSY, `${what} ${ms} ms`);
  };
  const targets = ['3x', '5x', '7x', '20x', '30x', '50x'].map((size) => `location.hash = '#/overview?at=bytes:${size}'`); // prettier-ignore
  await takes('target', 50, targets);
  for (const view of ['clusters', 'functions']) {
    await page.evaluate((to) => (location.hash = to), `#/${view}`);
    await page.locator('#app [role=row]').nth(5).waitFor();
    await takes(`sort ${view}`, 100, [0, 1, 2, 3, 4].map((i) => `${headers}[${i}].click()`)); // prettier-ignore
    await takes(`filter ${view}`, 100, ['part0', 'module1', 'step', '9', ''].map(typed)); // prettier-ignore
  }
  await page.context().close();
});

test('another cluster is on the screen in 50 ms', async (t) => {
  const { page } = await open(browser, 'large', { hash: '#/clusters' });
  const links = await page.$$eval('#app a[href^="#/cluster/"]', (as) => [
    ...new Set(as.map((a) => a.getAttribute('href'))),
  ]);
  assert.ok(links.length >= TRIES + 1, `${links.length} clusters are linked`);
  await page.evaluate((to) => (location.hash = to ?? ''), links[0] ?? '');
  await page.locator('#app main figure').first().waitFor();
  const ms = await best(
    page,
    links.slice(1, TRIES + 1).map((l) => `location.hash = ${JSON.stringify(l)}`),
  );
  t.diagnostic(`${ms.toFixed(0)} ms`);
  assert.ok((await page.locator('#app main figure').count()) >= 2);
  assert.ok(ms <= 50 * BUSY, `${ms} ms`);
  await page.context().close();
});

test('of 10,000 routines another one is on the screen in 100 ms, and so are those that a word leaves', async (t) => {
  const { page, readyMs } = await open(browser, 'many', { hash: '#/routines' });
  t.diagnostic(
    `${(statSync(fileOf('many')).size / 1e6).toFixed(2)} MB, ready after ${readyMs.toFixed(0)} ms`,
  );
  await page.locator('#app main figure').first().waitFor();
  const rows = `document.querySelectorAll('#app aside .grid-rows [role=row]')`;
  const choose = await best(
    page,
    [1, 2, 3, 4, 5].map((i) => `${rows}[${i}].click()`),
  );
  t.diagnostic(`choose ${choose.toFixed(0)} ms`);
  assert.ok(choose <= 100, `choose ${choose} ms`);
  const filter = await best(page, ['module1', 'step_', 'step77', '9', ''].map(typed));
  t.diagnostic(`filter ${filter.toFixed(0)} ms`);
  assert.ok(filter <= 100, `filter ${filter} ms`);
  await page.context().close();
});

test('sorting 10,000 routines by any column takes 150 ms', async (t) => {
  const { page } = await open(browser, 'many', { hash: '#/routines?wide=1' });
  await page.locator('#app aside [role=row]').nth(5).waitFor();
  const rows = Number(await page.locator('#app aside [role=grid]').getAttribute('aria-rowcount'));
  assert.ok(rows >= 10_000, `${rows} rows`);
  const header = `document.querySelectorAll('#app aside [role=columnheader] button')`;
  const sort = await best(
    page,
    [0, 1, 3, 6, 7].map((i) => `${header}[${i}].click()`),
  );
  t.diagnostic(`sort ${sort.toFixed(0)} ms`);
  assert.ok(sort <= 150, `sort ${sort} ms`);
  await page.context().close();
});
