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
  const chart = page.locator('#app main figure svg[role=application]').nth(3);
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
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
  // Keys move the slider to larger inputs, where the quadratic routine takes a larger share.
  await page.locator('#app .slider input').focus();
  await page.keyboard.press('End');
  await drawn(page);
  const large = await boxes();
  const [then, now] = [of(large, 'insertion_sort')?.width ?? 0, of(small, 'insertion_sort')?.width ?? 0];
  assert.ok(then > 1.5 * now, `${now} → ${then}`);
  // The list shows the same share as the box.
  const listed = await rows(page).filter({ hasText: 'insertion_sort' }).innerText();
  assert.ok(listed.includes((of(large, 'insertion_sort')?.share ?? NaN).toFixed(1)), listed);
  await page.locator('#app .icicle rect').nth(1).click();
  await drawn(page);
  assert.notEqual(await head(page), 'main');
  assert.equal(await page.locator('#app .icicle g.outlined').count(), 1);
  await page.locator('#app .icicle svg').focus();
  await page.keyboard.press('ArrowUp');
  await drawn(page);
  assert.equal(await head(page), 'main');
  await page.context().close();
});

/** Opens the page of a routine in the generated study. */
async function routine(name: string, more = '') {
  const selected = encodeURIComponent(`routine|${name}|table.c|`);
  const opened = await open(browser, 'routines', { hash: `#/routines?selected=${selected}${more}` });
  await opened.page.locator('#app main figure').first().waitFor();
  assert.equal(await head(opened.page), name);
  return opened;
}

/** Returns the cells of a row of the list, by the titles of their columns. */
async function cells(page: Page, name: string): Promise<Map<string, string>> {
  const titles = await page.locator('#app aside [role=columnheader]').allInnerTexts();
  const texts = await rows(page).filter({ hasText: name }).first().locator('[role=gridcell]').allInnerTexts();
  return new Map(titles.map((title, i) => [title.replace(/[▴▾]/, '').trim(), texts[i] ?? '']));
}

test('wide, the list has every column that was recorded: input, richness, %thread, %syscall', async () => {
  const { page, complaints } = await routine('insertion_sort');
  assert.deepEqual(
    [...(await cells(page, 'insertion_sort')).keys()],
    ['routine', 'growth', 'share', 'calls'],
  );
  await page.locator('#app aside').getByRole('button', { name: 'Wide' }).click();
  await drawn(page);
  const shown = await cells(page, 'insertion_sort');
  // rms misses a quarter of the input, so drms sees a third more, in as many sizes.
  assert.deepEqual(
    ['%thread', '%syscall', 'dynamic', 'richness', 'input'].map((title) => shown.get(title)),
    ['0.0 %', '18.7 %', '24.9 %', '0', '1.10 M'].map((text) => text.replace(' ', '\u00a0')),
  );
  for (const title of ['cost', 'self', 'calls %', 'sizes', 'R²', 'c', 'b', 'exponent', 'object']) {
    assert.ok(shown.has(title), title);
  }
  await page.locator('#app aside [role=columnheader] button', { hasText: 'input' }).click();
  await drawn(page);
  assert.equal(await param(page, 'sort'), '-volume');
  // By rms, the columns about input that only drms sees are missing.
  await bar(page).getByRole('button', { name: 'RMS', exact: true }).click();
  await drawn(page);
  const byRms = await cells(page, 'insertion_sort');
  assert.ok(byRms.has('input') && !byRms.has('dynamic') && !byRms.has('richness'), [...byRms.keys()].join());
  const other = await open(browser, 'many', { hash: '#/routines?wide=1' });
  const known = [...(await cells(other.page, 'step')).keys()];
  assert.ok(known.includes('sizes') && !known.some((title) => title.startsWith('%')), known.join());
  assert.deepEqual([...complaints, ...other.complaints], []);
  await other.page.context().close();
  await page.context().close();
});

test('self and cumulative change the charts, the law, the list and the shares', async () => {
  const { page } = await routine('query', '&wide=1');
  const seen = async () => ({
    charts: await page.$$eval('#app .multiples path.series', (all) =>
      all.map((p) => p.getAttribute('d')).join(),
    ),
    law: await page.locator('#app .routine-head').innerText(),
    share: (await cells(page, 'query')).get('share'),
    titles: await page.locator('#app .multiples h3').count(),
  });
  const cumulative = await seen();
  assert.equal(cumulative.titles, 6);
  await bar(page).getByRole('button', { name: 'Self', exact: true }).click();
  await drawn(page);
  const self = await seen();
  assert.notEqual(self.charts, cumulative.charts);
  assert.match(self.law, /without callees/);
  assert.notEqual(self.share, cumulative.share);
  assert.equal(self.titles, 4, 'what needs least and greatest costs is left out');
  await bar(page).getByRole('button', { name: 'Cumulative', exact: true }).click();
  await drawn(page);
  assert.deepEqual(await seen(), cumulative);
  await page.context().close();
});

test('axes are logarithmic, how often is drawn as stems, and bounding begins at the class found', async () => {
  const { page } = await routine('insertion_sort');
  const chart = (title: string) => page.locator('#app .multiples figure', { hasText: title });
  const stems = (title: string) => chart(title).locator('path.whiskers').getAttribute('d');
  const often = (await stems('How often')) ?? '';
  const ends = [...often.matchAll(/V([\d.]+)/g)].map(([, end]) => end);
  assert.ok(ends.length > 100 && new Set(ends).size === 1, 'each stem stands on the axis');
  assert.equal(await stems('All calls'), '');
  const badge = await page.locator('#app .routine-head .badge').innerText();
  assert.equal(badge.replace(/\s/g, ''), 'n2');
  assert.equal(await page.getByLabel('class of growth').inputValue(), 'n^2');
  await chart('Cost ÷ n2').waitFor();
  await bar(page).locator('summary', { hasText: 'Axes' }).click();
  const boxes = bar(page).locator('.sheet input[type=checkbox]');
  assert.deepEqual([await boxes.nth(0).isChecked(), await boxes.nth(1).isChecked()], [true, true]);
  const points = () => chart('Cost of a call').locator('path.series').getAttribute('d');
  const logarithmic = await points();
  // On a logarithmic axis, 1 to 4 is twice as far as 4 to 8; the third tuple has size 5.
  const [one = NaN, four = NaN, , eight = NaN] = [...((await points()) ?? '').matchAll(/M([\d.]+)/g)].map(
    ([, x]) => Number(x),
  );
  assert.ok(Math.abs((four - one) / (eight - four) - 2) < 0.05, `${one} ${four} ${eight}`);
  await boxes.nth(0).click();
  await drawn(page);
  assert.notEqual(await points(), logarithmic);
  assert.equal(await param(page, 'axes'), 'x');
  await page.context().close();
});

test('under the name stand the law, where its leading term takes over, and what is known of the calls', async () => {
  const { page } = await routine('insertion_sort');
  const law = await page.locator('#app .routine-head .formula').innerText();
  assert.match(law, /^0\.281\d·drms2 \+ 0\.945·drms$/);
  const text = await page.locator('#app .routine > p').allInnerTexts();
  assert.match(
    text[0] ?? '',
    /For large inputs, doubling .* multiplies the cost by 4; below drms ≈ 3\.40 other terms cost more/,
  );
  assert.match(text[1] ?? '', /2,400 calls with 140 input sizes .*\(richness 0\)/);
  const closed = page.locator('#app .routine details.words');
  assert.equal(await closed.getAttribute('open'), null);
  assert.match((await closed.textContent()) ?? '', /support/);
  await page.context().close();
});

test('tuples are filtered by their own columns', async () => {
  const { page } = await routine('insertion_sort');
  const tuples = page.locator('#app .routine .grid-frame');
  await tuples.locator('summary', { hasText: 'Filters' }).click();
  await tuples.getByLabel('calls', { exact: true }).fill('40..');
  await drawn(page);
  const calls = await tuples.locator('.grid-rows [role=gridcell]:nth-child(2)').allInnerTexts();
  assert.ok(calls.length > 2 && calls.length < 100, `${calls.length}`);
  assert.ok(
    calls.every((c) => Number(c) >= 40),
    calls.join(' '),
  );
  await tuples.getByRole('button', { name: 'Show all' }).click();
  await drawn(page);
  assert.match(await tuples.locator('.count').innerText(), /^140 of 140 tuples$/);
  await page.context().close();
});

test('a screen reader is told what each part is and where one is', async () => {
  const { page } = await routine('insertion_sort');
  assert.equal(await page.getByRole('grid', { name: 'routines' }).count(), 1);
  assert.equal(await page.getByRole('grid', { name: 'tuples' }).count(), 1);
  const tree = page.getByRole('application', { name: /^Call tree.*insertion_sort: [\d.]+\s%/ });
  assert.equal(await tree.count(), 1);
  const slider = page.getByRole('slider', { name: /^Input size \(n\)/ });
  assert.equal(await slider.getAttribute('aria-valuetext'), 'n = 20,480 (10×)');
  for (const group of ['Options for all charts', 'size', 'cost with or without callees', 'cost of a call']) {
    assert.equal(await page.getByRole('group', { name: group, exact: true }).count(), 1, group);
  }
  const pressed = await bar(page).locator('[aria-pressed=true]').allInnerTexts();
  assert.deepEqual(pressed, ['DRMS', 'Cumulative', 'Together']);
  const named = await page.$$eval('#app .multiples svg[role=application]', (all) =>
    all.filter((svg) => (svg.getAttribute('aria-label') ?? svg.getAttribute('aria-labelledby') ?? '') !== ''),
  );
  assert.equal(named.length, 6);
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
