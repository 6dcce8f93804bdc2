import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import type { Browser, Page } from 'playwright-core';

import { drawn, launch, open } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await drawn(page);
  }
}

/** Returns the focused row, from 1 below the heading; `null` if no row has the focus. */
async function focusedRow(page: Page): Promise<number | null> {
  const index = await page.evaluate(() =>
    document.activeElement?.closest('[aria-rowindex]')?.getAttribute('aria-rowindex'),
  );
  return index === null || index === undefined ? null : Number(index) - 1;
}

const address = (page: Page) => page.evaluate(() => location.hash);
const count = (page: Page) => page.locator('#app .grid-tools .count').innerText();

test('the keyboard filters, walks, opens a row and comes back to it', async () => {
  const { page, complaints } = await open(browser, 'large', { hash: '#/clusters' });
  const all = await count(page);
  await press(page, '/');
  await page.keyboard.type('.c');
  await press(page, 'Enter');
  assert.equal(await focusedRow(page), 1);
  await press(page, 'ArrowDown', 'ArrowDown');
  assert.equal(await focusedRow(page), 3);
  await press(page, 'PageDown');
  assert.ok(((await focusedRow(page)) ?? 0) > 6);
  await press(page, 'Control+End');
  const rows = Number(await page.locator('#app [role=grid]').getAttribute('aria-rowcount')) - 1;
  assert.equal(await focusedRow(page), rows);
  await press(page, 'Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
  await page.waitForFunction(() => location.hash.startsWith('#/cluster/'));
  await page.goBack();
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'gridcell');
  assert.equal(await focusedRow(page), 4);
  assert.match(await address(page), /q=\.c/);
  await page.locator('#app .grid-tools button', { hasText: 'Show all' }).click();
  await drawn(page);
  assert.equal(await count(page), all);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a heading sorts, says so, and the address restores it', async () => {
  const { page } = await open(browser, 'large', { hash: '#/functions' });
  await page.locator('[role=columnheader] button', { hasText: '#' }).click();
  await drawn(page);
  const ranks = () =>
    page.$$eval('[role=row] [role=gridcell]:nth-child(1)', (cells) =>
      cells.slice(0, 8).map((c) => Number(c.textContent)),
    );
  const shown = await ranks();
  assert.ok((shown[0] ?? 0) > 8, shown.join(' '));
  assert.deepEqual(
    shown,
    [...shown].sort((a, b) => b - a),
  );
  assert.equal(await page.locator('[aria-sort]').getAttribute('aria-sort'), 'descending');
  await page.reload();
  await page.locator('[role=gridcell]').first().waitFor();
  assert.deepEqual(await ranks(), shown);
  await page.goBack();
  await drawn(page);
  assert.match(await page.locator('[aria-sort]').innerText(), /Max cost/);
  await page.context().close();
});

test('what is no range says so and hides nothing', async () => {
  const { page } = await open(browser, 'large', { hash: '#/clusters?minshare=many' });
  const [kept, all] = (await count(page)).match(/[\d,]+/g) ?? [];
  assert.equal(kept, all);
  assert.match(await page.locator('#app [role=alert]').innerText(), /a number, or a range/);
  await page.context().close();
});

test('what is saved are the rows that remain, with every column', async () => {
  const { page } = await open(browser, 'large', { hash: '#/clusters?show=costly', acceptDownloads: true });
  const kept = Number((await count(page)).split(' ')[0]?.replaceAll(',', ''));
  assert.ok(kept > 0);
  for (const kind of ['CSV', 'JSON']) {
    await page.locator('#app summary', { hasText: 'Save' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#app .sheet button', { hasText: kind }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    if (kind === 'JSON') {
      const rows = JSON.parse(text) as Record<string, unknown>[];
      assert.equal(rows.length, kept);
      assert.ok(rows.every((r) => typeof r['cost'] === 'number' && 'predicted' in r));
    } else {
      assert.equal(text.trimEnd().split('\r\n').length, kept + 1);
    }
    await press(page, 'Escape');
  }
  await page.context().close();
});

for (const view of ['clusters', 'functions', 'workloads', 'routines?wide=1']) {
  test(`${view} on a screen of 320 px: only the table scrolls sideways`, async () => {
    const hash = `#/${view}`;
    const study = view.startsWith('routines') ? 'routines' : 'large';
    const { page, complaints } = await open(browser, study, { hash, viewport: { width: 320, height: 640 } });
    await page.locator('#app [role=gridcell]').first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
}

test('a link names a run, which is shown with its command line', async () => {
  const { page } = await open(browser, 'bzip2', { hash: '#/workloads' });
  const first = page.locator('#app [role=gridcell] a').first();
  const name = (await first.innerText()).trim();
  await first.click();
  await drawn(page);
  assert.match(await address(page), /selected=/);
  const marked = page.locator('[role=row][aria-selected=true]');
  assert.ok((await marked.innerText()).startsWith(name));
  const copy = page.locator('#app main p', { hasText: 'Copy command line' });
  assert.match(await copy.locator('code').innerText(), /bzip2/);
  await page.context().close();
});

/** Returns a picture of a part of the page once it no longer changes. */
async function still(
  page: Page,
  clip: { x: number; y: number; width: number; height: number },
): Promise<string> {
  let before = '';
  for (let tries = 0; tries < 50; tries++) {
    const picture = (await page.screenshot({ clip })).toString('base64');
    if (picture === before) return picture;
    before = picture;
    await drawn(page);
  }
  return assert.fail('the page goes on changing');
}

test('a table that has more on a side has a shadow there, and none where it ends', async () => {
  const { page } = await open(browser, 'bzip2', {
    hash: '#/clusters',
    viewport: { width: 360, height: 900 },
  });
  await page.locator('#app a[href^="#/cluster/"]').first().click();
  await page.locator('#app main figure').first().waitFor();
  const boxes = page.locator('#app .scroll');
  const wide = await boxes.evaluateAll((all) => all.findIndex((e) => e.scrollWidth > e.clientWidth + 15));
  assert.ok(wide >= 0, 'nothing scrolls');
  const box = boxes.nth(wide);
  await box.scrollIntoViewIfNeeded();
  /** True if the edge looks different from an edge without a shadow. */
  const shaded = async (side: 'left' | 'right'): Promise<boolean> => {
    const looks: string[] = [];
    for (const background of ['', 'none']) {
      await box.evaluate((e: HTMLElement, value) => (e.style.background = value), background);
      await drawn(page);
      const place = await box.boundingBox();
      assert.ok(place);
      const x = side === 'left' ? place.x : place.x + place.width - 4;
      looks.push(await still(page, { x, y: place.y, width: 4, height: place.height }));
    }
    await box.evaluate((e: HTMLElement) => (e.style.background = ''));
    return looks[0] !== looks[1];
  };
  /** Tries several times: pictures can differ while the page is still being drawn, but a wrong shadow stays wrong. */
  const shadows = async (expected: [boolean, boolean]): Promise<void> => {
    let found: [boolean, boolean] | undefined;
    for (let tries = 0; tries < 10 && !isDeepStrictEqual(found, expected); tries++) {
      found = [await shaded('left'), await shaded('right')];
    }
    assert.deepEqual(found, expected);
  };
  await shadows([false, true]);
  await box.evaluate((e) => (e.scrollLeft = e.scrollWidth));
  await shadows([true, false]);
  await page.context().close();
});
