import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import type { Browser, Page } from 'playwright-core';

import { drawn, launch, open } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function openCluster(study: string, theme: 'light' | 'dark' = 'light') {
  const opened = await open(browser, study, { hash: '#/clusters', colorScheme: theme });
  await opened.page.locator('#app a[href^="#/cluster/"]').first().click();
  await opened.page.locator('#app main figure').first().waitFor();
  await drawn(opened.page);
  return opened;
}

/** Counts the pixels in a screenshot of the element that are close to a colour. */
async function pixels(page: Page, selector: string, [r, g, b]: [number, number, number]): Promise<number> {
  const picture = (await page.locator(selector).first().screenshot()).toString('base64');
  const probe = await browser.newPage();
  const count = await probe.evaluate(
    async ({ data, want }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const all = context?.getImageData(0, 0, image.width, image.height).data ?? [];
      let n = 0;
      for (let i = 0; i < all.length; i += 4) {
        if (want.every((v, c) => Math.abs((all[i + c] ?? 0) - v) < 40)) n++;
      }
      return n;
    },
    { data: picture, want: [r, g, b] },
  );
  await probe.close();
  return count;
}

/** Colours of ../../report.css. */
const COLOURS = {
  light: { points: [0x1b, 0x1d, 0x1f], fit: [0xb2, 0x34, 0x05], page: [0xfd, 0xfd, 0xfc] },
  dark: { points: [0xe9, 0xea, 0xea], fit: [0xf0, 0x7f, 0x45], page: [0x12, 0x15, 0x17] },
} as const;

for (const theme of ['light', 'dark'] as const) {
  test(`points and the fit are painted in ${theme}`, async () => {
    const { page } = await openCluster('bzip2', theme);
    for (const name of ['points', 'fit', 'page'] as const) {
      const n = await pixels(page, '#app main figure svg', [...COLOURS[theme][name]] as [
        number,
        number,
        number,
      ]);
      assert.ok(n > 30, `${n} pixels of the colour of ${name}`);
    }
    await page.context().close();
  });
}

test('a thousand points are one element', async () => {
  const { page } = await openCluster('large');
  const nodes = await page.locator('#app main figure').first().locator('svg *').count();
  assert.ok(nodes < 200, `${nodes} elements in a plot of 1,000 points`);
  await page.context().close();
});

test('plots are exported as SVG, PNG and CSV', async () => {
  const { page, complaints } = await openCluster('bzip2');
  const figure = page.locator('#app main .stacked');
  const save = async (kind: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      figure.getByRole('button', { name: kind }).first().click(),
    ]);
    return readFileSync(await file.path());
  };
  const svg = (await save('SVG')).toString();
  assert.match(svg, /^<svg[^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.ok(!svg.includes('var(--') && !svg.includes('light-dark('), 'colours are resolved');
  const png = await save('PNG');
  assert.deepEqual([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  assert.ok(png.length > 3000);
  const csv = (await save('CSV')).toString().trim().split(/\r?\n/);
  assert.equal(csv.length, 23, 'a head and a line per workload of bzip2');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a plot can be read as a table, and its axes switched', async () => {
  const { page } = await openCluster('bzip2');
  const figure = page.locator('#app main .stacked');
  const curve = () =>
    figure.locator('svg path').evaluateAll((ps) => ps.map((p) => p.getAttribute('d')).join());
  const logarithmic = await curve();
  await figure
    .getByRole('button', { name: /log|linear/i })
    .first()
    .click();
  await drawn(page);
  assert.notEqual(await curve(), logarithmic);
  await figure.getByRole('button', { name: /table/i }).first().click();
  await drawn(page);
  assert.ok((await figure.locator('tbody tr').count()) >= 22);
  await page.context().close();
});

test('the first tap on a point says what it is, the second opens it', async () => {
  const { page, complaints } = await open(browser, 'demo', { hash: '#/clusters', hasTouch: true });
  await page.locator('#app a[href^="#/cluster/"]').first().click();
  await page.locator('#app main figure svg path.series').first().waitFor();
  await drawn(page);
  const svg = page.locator('#app main figure .drawing svg').first();
  await svg.scrollIntoViewIfNeeded();
  const [x, y] = await svg.evaluate((element) => {
    const path = element.querySelector('path.series')?.getAttribute('d') ?? '';
    const [, left, top] = /^M([\d.]+)[ ,]([\d.]+)/.exec(path) ?? [];
    const box = element.getBoundingClientRect();
    const ratio = box.width / (element as SVGSVGElement).viewBox.baseVal.width;
    return [box.left + Number(left) * ratio, box.top + Number(top) * ratio] as const;
  });
  const before = page.url();
  await page.touchscreen.tap(x, y);
  await drawn(page);
  assert.equal(page.url(), before, 'the first tap opens nothing');
  await page.locator('#app main figure .tooltip').first().waitFor();
  await page.touchscreen.tap(x, y);
  await page.waitForFunction((old) => location.href !== old, before);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a drag in the overview zooms in; the address keeps it, and Show all and 0 undo it', async () => {
  const { page, complaints } = await open(browser, 'list-append', { hash: '#/overview' });
  const plot = page.locator('svg.growth-plot');
  const labels = async () => (await plot.locator('.axis text, text').allTextContents()).join(' ');
  const before = await labels();
  const box = await plot.boundingBox();
  assert.ok(box);
  const drag = async () => {
    await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.45, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => location.hash.includes('growth.zoom='));
    await drawn(page);
  };
  await drag();
  assert.notEqual(await labels(), before);
  // Leader lines start inside the frame, which the clip rectangle outlines.
  const places = await plot.evaluate((svg) => {
    const clip = svg.querySelector('clipPath rect');
    const starts = [...svg.querySelectorAll('.label path.leader')].map(
      (path) => path.getAttribute('d') ?? '',
    );
    return {
      left: Number(clip?.getAttribute('x')),
      right: Number(clip?.getAttribute('x')) + Number(clip?.getAttribute('width')),
      starts: starts.map((d) => Number(/^M([\d.]+) /.exec(d)?.[1])),
    };
  });
  assert.ok(places.starts.length > 0);
  for (const x of places.starts) assert.ok(x >= places.left && x <= places.right + 5, JSON.stringify(places));
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.waitForFunction(() => !location.hash.includes('growth.zoom='));
  await drawn(page);
  assert.equal(await labels(), before);
  await drag();
  await plot.focus();
  await page.keyboard.press('0');
  await page.waitForFunction(() => !location.hash.includes('growth.zoom='));
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('another function is drawn in the chart of a function, and the address keeps it', async () => {
  const { page, complaints } = await open(browser, 'list-append', { hash: '#/functions' });
  await page.locator('#app a[href^="#/function/"]').first().click();
  const legend = page.locator('#app main .legend').first();
  await page.locator('#app main figure').first().waitFor();
  const before = (await legend.textContent()) ?? '';
  const choice = page.getByLabel('Another row in the chart');
  const [, second] = await choice.locator('option').all();
  const name = (await second?.textContent()) ?? '';
  await choice.selectOption({ label: name });
  await page.waitForFunction(() => location.hash.includes('with='));
  await drawn(page);
  const after = (await legend.textContent()) ?? '';
  assert.ok(!before.includes(name) && after.includes(`law of ${name}`), after);
  const row = page.locator('#app main .stacked figure').first();
  assert.ok((await row.locator('path.other').count()) >= 2, 'points and a law in the second colour');
  await choice.selectOption('');
  await page.waitForFunction(() => !location.hash.includes('with='));
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('the page of a function lists the lines that call it, and links to them', async () => {
  const { page, complaints } = await open(browser, 'list-append', { hash: '#/functions' });
  await page.locator('#app a[href^="#/function/"]', { hasText: 'last_node' }).first().click();
  const callers = page.getByLabel('callers');
  const row = callers.locator('tbody tr').first();
  assert.match((await row.textContent()) ?? '', /265\sk.*append.*list\.c:13/);
  await row.locator('a', { hasText: 'list.c:13' }).click();
  await page.waitForFunction(
    () => location.hash.startsWith('#/source/') && location.hash.includes('line=13'),
  );
  assert.deepEqual(complaints, []);
  await page.context().close();
});
