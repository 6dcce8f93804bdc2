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

/** Returns the costs of a column, as numbers. */
const costs = (page: Page, column: string) =>
  page.$$eval(`[role=gridcell][data-column=${column}]`, (cells) =>
    cells.map((cell) => {
      const [, digits, unit = ''] = /([\d.,]+)\s?([kMGTPE]?)$/.exec(cell.textContent ?? '') ?? [];
      return Number(digits?.replace(/,/g, '')) * 1000 ** ' kMGTPE'.indexOf(unit || ' ');
    }),
  );

const falls = (list: number[]) => list.every((cost, i) => i === 0 || cost <= (list[i - 1] ?? NaN));

test('a heading sorts, says so, and the address restores it', async () => {
  const { page } = await open(browser, 'large', { hash: '#/functions' });
  await page.locator('[data-column=predicted]').first().waitFor();
  assert.ok(falls(await costs(page, 'predicted')), 'the most expensive at the target come first');
  await page.locator('[role=columnheader] button', { hasText: 'at 877 kB' }).click();
  await drawn(page);
  const shown = await costs(page, 'now');
  assert.ok(shown.length > 8 && falls(shown), shown.join(' '));
  assert.equal(await page.locator('[aria-sort]').getAttribute('aria-sort'), 'descending');
  await page.reload();
  await page.locator('[role=gridcell]').first().waitFor();
  assert.deepEqual(await costs(page, 'now'), shown);
  await page.goBack();
  await drawn(page);
  assert.match(await page.locator('[aria-sort]').innerText(), /^at bytes = /);
  await page.context().close();
});

for (const width of [390, 1280, 1920]) {
  test(`${width} px wide: functions are in order of their cost at each target, and no law is cut in a number`, async () => {
    for (const name of ['bzip2', 'list-append', 'demo', 'large', 'hostile']) {
      const { page } = await open(browser, name, { viewport: { width, height: 900 } });
      for (const times of ['1', '10', '100']) {
        await page.evaluate((k) => (location.hash = `#/functions?at=${k}x`), times);
        await page.locator('[role=gridcell][data-column=predicted]').first().waitFor();
        await drawn(page);
        const then = await costs(page, 'predicted');
        assert.ok(falls(then), `${name} ${times}×: ${then.join(' ')}`);
        const wrong = await page.evaluate(() => {
          const words = (text: string) => text.replace(/ …$/, '').replace(/\^/g, '');
          const isOut = (e: Element) => {
            const [box, cell] = [e.getBoundingClientRect(), e.closest('.cell')?.getBoundingClientRect()];
            return !cell || box.bottom > cell.bottom + 1 || box.right > cell.right + 1;
          };
          const cells = [...document.querySelectorAll<HTMLElement>('.grid-rows :is(.formula, .badge, b)')];
          const laws = cells.filter((e) => {
            const [shown, all] = [e.textContent ?? '', words(e.title)];
            return e.matches('.formula') && shown.endsWith('…') && !`${all} `.startsWith(`${words(shown)} `);
          });
          return [...cells.filter(isOut), ...laws].map((e) => e.textContent);
        });
        assert.deepEqual(wrong, [], `${name} ${times}×`);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${name}: ${over} px too wide`);
        const title = await page.locator('#app main h1').innerText();
        const head = (await page.locator('[role=columnheader][aria-sort] button').innerText()).replace(
          /\s+/g,
          ' ',
        );
        if (name !== 'hostile')
          assert.ok(title.replace(/\s+/g, ' ').endsWith(head.replace(/ ?▾$/, '')), `${title} / ${head}`);
      }
      await page.context().close();
    }
  });
}

test('on a phone failed runs come first with their reasons, rows have two lines, and controls are 40 px high', async () => {
  for (const [name, view] of [
    ['hostile', 'workloads'],
    ['bzip2', 'workloads'],
    ['bzip2', 'functions'],
  ] as const) {
    const { page, complaints } = await open(browser, name, {
      hash: `#/${view}`,
      viewport: { width: 390, height: 844 },
    });
    const first = page.locator('.grid-rows [role=row]').first();
    await first.waitFor();
    const low = await page.$$eval('#app :is(button, select, input, summary)', (all) =>
      all
        .map((e) => ({ text: `${e.className} ${e.textContent}`, height: e.getBoundingClientRect().height }))
        .filter(({ height }) => height > 0 && height < 40),
    );
    assert.deepEqual(low, [], `${name} ${view}`);
    const lines = await first
      .locator('[role=gridcell]:visible')
      .evaluateAll((cells) => new Set(cells.map((e) => e.getBoundingClientRect().top)).size);
    if (name === 'hostile') {
      assert.match(await first.innerText(), /failed .*\n× .*script/);
      await first.click();
      await page.locator('.failure').waitFor();
    } else assert.equal(lines, 2, `${name} ${view}`);
    for (const control of ['.find', '.theme', '.keys', '.target input'])
      assert.ok(await page.locator(`.bar ${control}`).first().isVisible(), control);
    assert.deepEqual(complaints, []);
    await page.context().close();
  }
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

test('functions are drawn below their only callers, as wide as they cost with callees at the target', async () => {
  const { page, complaints } = await open(browser, 'list-append', { hash: '#/functions?at=1x' });
  const boxes = () =>
    page.$$eval('#app .icicle g', (all) =>
      all.map((g) => {
        const title = g.querySelector('title')?.textContent ?? '';
        const { x, y, width } = g.querySelector('rect')?.getBBox() ?? new DOMRect();
        return { title, name: title.split(':')[0], x, y, width };
      }),
    );
  const of = (all: Awaited<ReturnType<typeof boxes>>, name: string) => {
    const found = all.find((box) => box.name === name);
    assert.ok(found, name);
    return found;
  };
  const small = await boxes();
  const [caller, callee] = [of(small, 'append'), of(small, 'last_node')];
  assert.ok(callee.y > caller.y && callee.x >= caller.x, 'below its only caller');
  assert.ok(callee.width <= caller.width, caller.title);
  assert.match(caller.title, /^append: [\d.]+\s% with callees, <?[\d.]+\s% self at bytes = .*, grows as /);
  // Keys move the slider to larger inputs, where the quadratic function takes a larger share.
  await page.locator('#app .slider input').focus();
  await press(page, 'End');
  const large = of(await boxes(), 'last_node');
  assert.ok(large.width > callee.width, `${callee.width} → ${large.width}`);
  // The table shows the same share as the box.
  const row = page.locator('.grid-rows [role=row]').filter({ hasText: 'last_node' });
  const share = await row.locator('[data-column=share] b').innerText();
  assert.ok(large.title.startsWith(`last_node: ${share} `), `${share} / ${large.title}`);
  await page.locator('#app .icicle svg').focus();
  await press(page, 'ArrowDown');
  const outlined = page.locator('#app .icicle g.outlined title');
  const reached = (await outlined.textContent())?.split(':')[0] ?? '';
  await press(page, 'Enter');
  assert.match(await address(page), new RegExp(`^#/function/[^?]*:${reached}`));
  await page.goBack();
  await page.locator('#app .icicle rect').first().click();
  await drawn(page);
  assert.ok((await address(page)).includes(`:${small[0]?.name}`));
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('where calls were not recorded, functions are only listed', async () => {
  const { page } = await open(browser, 'answer-fix', { hash: '#/functions' });
  await page.locator('#app [role=gridcell]').first().waitFor();
  assert.equal(await page.locator('#app .icicle').count(), 0);
  await page.context().close();
});
