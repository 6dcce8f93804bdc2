import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { drawn, fileOf, launch, open } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function printed(study: string, hash: string): Promise<{ pages: number; text: string }> {
  const { page } = await open(browser, study, { hash });
  await page.locator('#app main h1').first().waitFor();
  const file = fileOf(`${study}-printed`).replace(/html$/, 'pdf');
  writeFileSync(file, await page.pdf({ format: 'A4' }));
  await page.context().close();
  const info = execFileSync('pdfinfo', [file]).toString();
  const text = execFileSync('pdftotext', ['-layout', file, '-']).toString();
  return { pages: Number(/Pages:\s+(\d+)/.exec(info)?.[1]), text };
}

test('tables are printed whole, from the static part', async () => {
  const { pages, text } = await printed('large', '#/clusters');
  assert.ok(pages >= 1 && pages <= 10, `${pages} pages`);
  assert.match(text, /module\d+\.c/);
  assert.match(text, /max cost.*growth.*law/);
});

test('a cluster is printed with its plots, axes and words', async () => {
  const { page } = await open(browser, 'bzip2', { hash: '#/clusters' });
  const first = await page.locator('#app a[href^="#/cluster/"]').first().getAttribute('href');
  await page.context().close();
  const { pages, text } = await printed('bzip2', first ?? '');
  assert.ok(pages >= 1 && pages <= 12, `${pages} pages`);
  assert.match(text, /bytes/);
  assert.match(text, /\d0? ?[kMG]/, 'ticks of the axes');
});

for (const hash of ['#/source/list.c', '#/workloads', '#/function/list.c:last_node', '#/method']) {
  test(`${hash} is printed on one sheet, with the target in its head`, async () => {
    const { pages, text } = await printed('list-append', hash);
    assert.equal(pages, 1);
    assert.match(text, /trend-prof · parser .* at bytes = [\d.]+\sMB \(10×\)/);
  });
}

test('a routine is printed on one sheet, with its charts and its tuples', async () => {
  const { pages, text } = await printed('routines', '#/routines');
  assert.equal(pages, 1);
  for (const title of ['Cost of a call', 'How often', 'Amortized cost', 'Spread', 'Tuples']) {
    assert.ok(text.includes(title), title);
  }
});

test('a drawing is made anew for paper, and again for the screen', async () => {
  const { page } = await open(browser, 'list-append', { viewport: { width: 1920, height: 900 } });
  const width = () =>
    page.locator('.growth-plot').evaluate((svg: SVGSVGElement) => svg.viewBox.baseVal.width);
  const before = await width();
  const at = async (event: string) => {
    await page.evaluate((name) => dispatchEvent(new Event(name)), event);
    await drawn(page);
    return width();
  };
  assert.deepEqual([await at('beforeprint'), await at('afterprint')], [688, before]);
  await page.context().close();
});
