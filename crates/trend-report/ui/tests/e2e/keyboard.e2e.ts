import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { drawn, launch, open, pressUntil } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test('a new user finds the line that will not scale, and its cost at 128 MB, with one press of Enter', async (t) => {
  const { page, complaints } = await open(browser, 'list-append');
  await pressUntil(page, 'Tab', (e) => e.id === 'target-size');
  await page.keyboard.type('128MB');
  await page.keyboard.press('Escape');
  await drawn(page);
  assert.match(await page.locator('.answer .say').first().innerText(), /^At .*128\s*MB \(\d+×\): /);
  await pressUntil(page, 'Tab', (e) => e.closest('.answer') !== null && e.textContent === 'list.c:7');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.startsWith('#/source/'));
  await drawn(page);
  const panel = await page.locator('#app main aside').first().innerText();
  t.diagnostic(panel.replace(/\s+/g, ' '));
  assert.match(panel, /while \(n->next\)/);
  assert.match(panel, /128\s*M[^\d]*≈?\s*\d+(\.\d+)?\s[MGT]/, 'its cost at the size that was asked for');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('keys go to pages, to the filter and to the help, and do not fire while typing', async () => {
  const { page } = await open(browser, 'bzip2');
  const view = () => page.evaluate(() => location.hash.slice(2).split(/[/?]/)[0]);
  for (const [key, wanted] of [
    ['f', 'functions'],
    ['s', 'source'],
    ['c', 'compare'],
    ['w', 'workloads'],
    ['o', 'overview'],
  ]) {
    await page.keyboard.press('g');
    await page.keyboard.press(key ?? '');
    await drawn(page);
    assert.equal(await view(), wanted);
  }
  await page.keyboard.press('/');
  await drawn(page);
  assert.equal(await view(), 'functions', 'a page without a filter finds functions');
  await page.keyboard.type('gc?');
  assert.equal(await view(), 'functions');
  assert.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).value), 'gc?');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await drawn(page);
  const help = (await page.locator('dialog[open]').count()) + Number((await view()) === 'method');
  assert.ok(help > 0, 'help is shown');
  await page.context().close();
});

test('a plot is walked through with arrow keys and says where one is', async () => {
  const { page } = await open(browser, 'bzip2', { hash: '#/clusters' });
  await page.locator('#app a[href^="#/cluster/"]').first().click();
  await page.locator('#app main figure').first().waitFor();
  await pressUntil(page, 'Tab', (e) => e.getAttribute('role') === 'application');
  const said = () =>
    page.locator('#app main figure [aria-live], #app main figure [role=status]').first().innerText();
  await page.keyboard.press('ArrowRight');
  const first = await said();
  await page.keyboard.press('ArrowRight');
  const second = await said();
  assert.ok(first.length > 0 && second.length > 0 && first !== second, `${first} / ${second}`);
  await page.context().close();
});

test('what is no size is kept and said, and moves nothing', async () => {
  const { page } = await open(browser, 'bzip2', { hash: '#/clusters' });
  const box = page.locator('#target-size');
  const height = () => page.locator('header.bar').evaluate((bar) => bar.getBoundingClientRect().height);
  const place = () => box.evaluate((e) => JSON.stringify(e.getBoundingClientRect()));
  const before = [await height(), await place()];
  await page.keyboard.press('t');
  await page.keyboard.type('12 apples');
  await drawn(page);
  assert.match(await page.locator('.target .wrong').innerText(), /^Not a size\. Try 2GB or 10x\./);
  assert.deepEqual([await height(), await place()], before);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await drawn(page);
  assert.equal(await box.inputValue(), '12 apples');
  await box.fill('1e6');
  await page.keyboard.press('Enter');
  await drawn(page);
  assert.equal(await page.locator('.target .wrong').count(), 0);
  assert.match(await page.evaluate(() => location.hash), /at=.*1e6/);
  await page.context().close();
});
