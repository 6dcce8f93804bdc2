import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { launch, open } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test('hostile names do nothing on any page and are shown escaped', async () => {
  const { page, complaints, requests } = await open(browser, 'hostile');
  const links = new Set<string>([
    '#/overview',
    '#/clusters',
    '#/functions',
    '#/routines',
    '#/source',
    '#/workloads',
    '#/method',
  ]);
  for (const hash of ['#/clusters', '#/functions', '#/routines', '#/source']) {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.locator('#app main h1').first().waitFor();
    const found = await page.$$eval('#app main a[href^="#/"]', (as) =>
      as.map((a) => a.getAttribute('href') ?? ''),
    );
    found.forEach((f) => links.add(f));
  }
  assert.ok(links.size > 20, `${links.size} links were found`);
  await page.evaluate(() => (location.hash = '#/routines'));
  const rows = page.locator('#app aside .grid-rows [role=row]');
  await rows.first().waitFor();
  for (let i = 0; i < (await rows.count()); i++) {
    await rows.nth(i).click();
    links.add(await page.evaluate(() => location.hash));
  }
  const routines = [...links].filter((l) => l.startsWith('#/routines?selected='));
  assert.ok(routines.length > 10, `${routines.length} routines were found`);
  for (const hash of links) {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.locator('#app main h1').first().waitFor();
    const state = await page.evaluate(() => ({
      title: document.title,
      foreign: document.querySelectorAll(
        '#app img, #app script, #app iframe, #app style, #app template, #app [onerror]',
      ).length,
      schemes: [...document.querySelectorAll('#app a')].filter(
        (a) => !/^(#|blob:)/.test(a.getAttribute('href') ?? '#'),
      ).length,
      wide: document.documentElement.scrollWidth - innerWidth,
      raw: /[\u202a-\u202e\u2066-\u2069\u0007\u001b]/.test(document.querySelector('#app')?.textContent ?? ''),
    }));
    assert.notEqual(state.title, 'owned', hash);
    assert.equal(state.foreign, 0, `${hash}: a name became an element`);
    assert.equal(state.schemes, 0, `${hash}: a name became a link elsewhere`);
    assert.ok(state.wide <= 1, `${hash.slice(0, 80)}: the page is ${state.wide} px too wide`);
    assert.equal(state.raw, false, `${hash}: controls are shown raw`);
  }
  assert.equal(requests.length, 1, requests.slice(1).join(' '));
  assert.deepEqual(complaints, []);
  const text = await page.evaluate(() => {
    location.hash = '#/functions';
    return new Promise<string>((done) => setTimeout(() => done(document.body.innerText), 300));
  });
  assert.ok(text.includes('onerror='), 'the name is there to be read');
  assert.ok(text.includes('\\u{202e}'), 'what turns text around is escaped');
  await page.context().close();
});

test('hostile addresses do nothing', async () => {
  const hashes = [
    '#/cluster/%zz',
    '#/%00',
    '#/cluster/__proto__',
    '#/source/..%2F..%2Fetc%2Fpasswd',
    '#/routines/constructor',
    '#/routines?selected=__proto__&metric=constructor&unit=x&large=%00&tuples.size=9..1',
    `#/clusters?at=${'9'.repeat(400)}&feature=__proto__`,
    `#/${'x'.repeat(100_000)}`,
  ];
  for (const hash of hashes) {
    const { page, complaints } = await open(browser, 'hostile', { hash });
    await page.locator('#app main h1').first().waitFor();
    assert.deepEqual(complaints, [], hash.slice(0, 100));
    await page.context().close();
  }
});
