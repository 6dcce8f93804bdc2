import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { fileOf, launch, open } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const VIEWS = ['', '#/clusters', '#/functions', '#/source', '#/workloads', '#/method'];

for (const name of ['demo', 'bzip2', 'large', 'hostile', 'routines']) {
  test(`${name}: one request, no complaint on any page`, async () => {
    for (const hash of VIEWS) {
      const { page, requests, complaints } = await open(browser, name, { hash });
      await page.locator('#app main h1').first().waitFor();
      await page.waitForTimeout(200);
      const asked = requests.map((r) => r.split('#')[0]);
      assert.deepEqual(asked, [`file://${fileOf(name)}`], 'only the page itself is asked for');
      assert.deepEqual(complaints, [], `${name} ${hash}`);
      await page.context().close();
    }
  });
}

for (const name of ['demo', 'list-append', 'bzip2', 'large', 'hostile', 'routines']) {
  test(`${name}: what is loaded is the app, for whoever takes a picture of it`, async () => {
    const context = await browser.newContext();
    await context.addInitScript(() =>
      addEventListener('load', () => {
        const isDrawn =
          document.querySelector('#app main h1') !== null && !document.getElementById('app')?.hidden;
        document.documentElement.dataset['atLoad'] = isDrawn ? 'app' : 'static';
      }),
    );
    const page = await context.newPage();
    await page.goto(`file://${fileOf(name)}`, { waitUntil: 'load' });
    const atLoad = page.locator('html[data-at-load]');
    assert.equal(await atLoad.getAttribute('data-at-load'), 'app');
    assert.equal(await page.locator('#static').isVisible(), false);
    await context.close();
  });
}

test('the policy refuses the network and foreign scripts', async () => {
  const { page, complaints } = await open(browser, 'demo');
  const reached = await page.evaluate(() =>
    fetch('https://example.org/').then(
      () => true,
      () => false,
    ),
  );
  assert.equal(reached, false);
  assert.ok(
    complaints.some((c) => c.includes('Content Security Policy')),
    complaints.join('\n'),
  );
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "owned"';
    document.body.append(script);
    const button = document.createElement('button');
    button.setAttribute('onclick', 'document.title = "owned"');
    document.body.append(button);
    button.click();
  });
  assert.notEqual(await page.title(), 'owned');
  await page.context().close();
});

test('the static part says it all where scripts and styles are refused', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (e) => complaints.push(String(e)));
  // Serves the page with the headers that Jenkins sends for reports.
  await page.route('https://ci.invalid/report.html', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: {
        'content-security-policy': "sandbox; default-src 'none'; img-src 'self'; style-src 'self'",
      },
      body: readFileSync(fileOf('demo'), 'utf8'),
    }),
  );
  await page.goto('https://ci.invalid/report.html');
  const text = await page.locator('#static').innerText();
  assert.match(text, /costs most/);
  assert.match(text, /bubble_sort\.c/);
  assert.ok((await page.locator('#static table tr').count()) > 3, 'laws and predictions in a table');
  assert.equal(await page.locator('#static svg').count(), 0);
  assert.equal(await page.locator('#app').isVisible(), false);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('the static part stands where scripts are off', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`file://${fileOf('bzip2')}`);
  assert.match(await page.locator('#static').innerText(), /bytes/);
  assert.ok((await page.locator('#static table tr').count()) > 3);
  await context.close();
});
