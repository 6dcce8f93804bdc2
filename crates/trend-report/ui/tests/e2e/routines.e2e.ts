import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Browser, Page } from 'playwright-core';

import { drawn, launch, open } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const head = (page: Page) => page.locator('#app .routine-head h2').innerText();
const rows = (page: Page) => page.locator('#app aside .grid-rows [role=row]');
const bar = (page: Page) => page.locator('#app .chart-bar');
const param = (page: Page, key: string) =>
  page.evaluate((k) => new URLSearchParams(location.hash.split('?')[1] ?? '').get(k), key);

test('by keys alone: a routine is found, the arrows choose, Enter opens its source, back returns', async () => {
  const { page, complaints } = await open(browser, 'routines', { hash: '#/routines' });
  await page.locator('#app main figure').first().waitFor();
  assert.equal(await head(page), 'main');
  await page.keyboard.press('/');
  await page.keyboard.type('s');
  await page.keyboard.press('ArrowDown');
  const listed = await rows(page).allInnerTexts();
  assert.ok(listed.length >= 3 && listed.length < 8, listed.join(' | '));
  await page.keyboard.press('ArrowDown');
  await drawn(page);
  const second = await head(page);
  assert.ok(listed[1]?.startsWith(second), `${second} is the second of ${listed.join(' | ')}`);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.startsWith('#/source/table.c'));
  await page.goBack();
  await page.locator('#app main figure').first().waitFor();
  assert.equal(await head(page), second);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('every chart has points and a link shows the same again', async () => {
  const { page, complaints } = await open(browser, 'routines', { hash: '#/routines?q=push_back' });
  await rows(page).first().click();
  const titles = ['Cost of a call', 'Cost ÷ n', 'All calls', 'How often', 'Amortized cost', 'Spread'];
  for (const cost of ['Together', 'Worst', 'Average', 'Best']) {
    await bar(page).getByRole('button', { name: cost, exact: true }).click();
    await drawn(page);
    const figures = await page.$$eval('#app main figure', (all) =>
      all.map((figure) => ({
        title: figure.querySelector('h3')?.firstChild?.textContent?.trim() ?? '',
        marks: figure.querySelector('svg path.series')?.getAttribute('d') ?? '',
      })),
    );
    assert.equal(figures.length, titles.length);
    figures.forEach(({ title, marks }, i) => {
      assert.ok(title.startsWith(titles[i] ?? '?'), `${title} for ${titles[i]}`);
      assert.notEqual(marks, '', `${title} has points`);
    });
  }
  await bar(page).getByRole('button', { name: 'Self', exact: true }).click();
  await bar(page).getByRole('button', { name: 'RMS', exact: true }).click();
  await drawn(page);
  const address = await page.evaluate(() => location.hash);
  const seen = () => page.locator('#app main .multiples').innerText();
  const before = await seen();
  const other = await open(browser, 'routines', { hash: address });
  await other.page.locator('#app main figure').first().waitFor();
  assert.equal(await other.page.locator('#app main .multiples').innerText(), before);
  assert.deepEqual([...complaints, ...other.complaints], []);
  await other.page.context().close();
  await page.context().close();
});

test('the pointer on one chart marks the size in all and in the tuples; a click makes it large, Esc goes back', async () => {
  const { page } = await open(browser, 'routines', { hash: '#/routines?q=linear_scan' });
  await rows(page).first().click();
  const svg = page.locator('#app main figure svg[role=application]').first();
  await svg.focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowRight');
  await drawn(page);
  assert.equal(await page.locator('#app .multiples circle.ring').count(), 6);
  const said = await page.locator('#app main figure [role=status]').first().innerText();
  const size = /input size[^:]*: ([\d,]*\d)/.exec(said)?.[1] ?? '?';
  const marked = page.locator('#app main .routine [role=row][aria-selected=true]');
  assert.equal((await marked.innerText()).split('\n')[0], size, said);
  await page.keyboard.press('Escape');
  await svg.click();
  await page.waitForFunction(() => document.querySelectorAll('#app .multiples figure').length === 1);
  assert.equal(await param(page, 'large'), 'cost');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelectorAll('#app .multiples figure').length === 6);
  await page.context().close();
});

test('a drag over a chart leaves the tuples of these sizes, and so does a typed range', async () => {
  const { page } = await open(browser, 'routines', { hash: '#/routines?q=linear_scan' });
  await rows(page).first().click();
  const count = page.locator('#app main .routine .count');
  const all = Number(/of ([\d,]+) /.exec(await count.innerText())?.[1]);
  const box = await page.locator('#app main figure svg[role=application]').nth(3).boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width * 0.4, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 44, { steps: 4 });
  await page.mouse.up();
  await drawn(page);
  const range = (await param(page, 'tuples.size')) ?? '';
  const [lo = NaN, hi = NaN] = range.split('..').map(Number);
  const left = Number(/^([\d,]+)/.exec(await count.innerText())?.[1]);
  assert.ok(left > 0 && left < all, `${left} of ${all} in ${range}`);
  const sizes = await page.$$eval('#app main .routine .grid-rows [role=row]', (found) =>
    found.map((row) => Number(row.firstElementChild?.textContent?.replace(/,/g, ''))),
  );
  assert.ok(
    sizes.every((s) => s >= lo && s <= hi),
    `${sizes.join(' ')} in ${range}`,
  );
  assert.equal(await page.locator('#app .multiples rect.band').count(), 6);
  await page.evaluate(
    () => (location.hash = location.hash.replace(/tuples\.size=[^&]*/, 'tuples.size=..20')),
  );
  await drawn(page);
  assert.notEqual(await count.innerText(), `${left} of ${all} tuples`);
  await page.context().close();
});

test('contexts are as wide as they cost at the target: parts add up, and what grows faster widens', async () => {
  const { page } = await open(browser, 'routines', { hash: '#/routines?at=n:64' });
  const boxes = () =>
    page.$$eval('#app .icicle g', (all) =>
      all.map((g) => ({
        name: /^(\w+)/.exec(g.querySelector('title')?.textContent ?? '')?.[1] ?? '',
        share: Number(/: ([\d.]+)/.exec(g.querySelector('title')?.textContent ?? '')?.[1]),
        width: g.querySelector('rect')?.width.baseVal.value ?? 0,
        y: g.querySelector('rect')?.y.baseVal.value ?? 0,
      })),
    );
  const small = await boxes();
  const of = (all: typeof small, name: string) => all.find((box) => box.name === name);
  assert.equal(small[0]?.name, 'main');
  assert.equal(small[0]?.share, 100);
  const [level, whole] = [small.filter((b) => b.y === of(small, 'fill')?.y), small[0]?.width ?? 0];
  const sum = level.reduce((total, b) => total + b.width, 0);
  assert.ok(sum <= whole + 1 && sum > 0.9 * whole, `${sum} of ${whole}`);
  // A slider that is moved by keys: more input, and the square takes more of it.
  await page.locator('#app .size-control input').focus();
  await page.keyboard.press('End');
  await drawn(page);
  const large = await boxes();
  const [then, now] = [of(large, 'insertion_sort')?.width ?? 0, of(small, 'insertion_sort')?.width ?? 0];
  assert.ok(then > 1.5 * now, `${now} → ${then}`);
  // The list says the same share as the box.
  const listed = await rows(page).filter({ hasText: 'insertion_sort' }).innerText();
  assert.ok(listed.includes((of(large, 'insertion_sort')?.share ?? NaN).toFixed(1)), listed);
  await page.locator('#app .icicle rect').nth(1).click();
  assert.notEqual(await head(page), 'main');
  assert.equal(await page.locator('#app .icicle g.outlined').count(), 1);
  await page.locator('#app .icicle svg').focus();
  await page.keyboard.press('ArrowUp');
  assert.equal(await head(page), 'main');
  await page.context().close();
});

test('without routines and without contexts the page says how they are recorded', async () => {
  const none = await open(browser, 'demo', { hash: '#/routines' });
  assert.match(
    await none.page.locator('#app main').innerText(),
    /No routine was recorded\..*--probe routines/s,
  );
  await none.page.context().close();
  const flat = await open(browser, 'many', { hash: '#/routines' });
  assert.match(await flat.page.locator('#app main .routine').innerText(), /contexts were not recorded/);
  assert.equal(await flat.page.locator('#app .icicle').count(), 0);
  await flat.page.context().close();
});
