/**
 * Checks that pages look as before, light and dark, at three widths. A picture is stored as the mean brightness of
 * blocks of 8 pixels. A label that moved changes blocks, antialiasing hardly does, and 42 pictures take some 250 kB.
 * Fonts come from an npm package (tests/fonts.mjs), never from the machine.
 *
 *     UPDATE_LOOKS=1 npm run e2e -- looks
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import type { Browser, Page } from 'playwright-core';

import { drawn, launch, open } from './browser';

const FOLDER = 'tests/looks';
const BLOCK = 8;
/** Difference in brightness, of 255, above which a block has changed. */
const CHANGED = 24;
/** Blocks of 1,000 that may change: a label of the chart is about 20 of 14,000. */
const MOST_PER_MILLE = 1;

/** Views whose studies have the same counts on every machine. They show no times. */
const PAGES: [name: string, study: string, hash: string][] = [
  ['overview', 'routines', '#/overview'],
  ['functions', 'list-append', '#/functions'],
  ['function', 'list-append', '#/function/list.c:last_node'],
  ['runs', 'routines', '#/workloads'],
  ['source', 'list-append', '#/source/list.c?line=7'],
  ['routines', 'routines', '#/routines'],
  ['compare', 'compare-new', '#/compare'],
];

let browser: Browser;
let probe: Page;
before(async () => {
  browser = await launch(true);
  probe = await browser.newPage();
});
after(() => browser.close());

/** Reduces a picture to blocks; returns them as a picture, with their brightness. */
async function blocksOf(
  png: Buffer,
  size: number,
): Promise<{ png: Buffer; blocks: number[]; width: number }> {
  const found = await probe.evaluate(
    async ({ data, size }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const [width, height] = [Math.floor(image.width / size), Math.floor(image.height / size)];
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context?.drawImage(image, 0, 0);
      const all = context?.getImageData(0, 0, image.width, image.height).data ?? [];
      const small = new OffscreenCanvas(width, height);
      const out = small.getContext('2d');
      const pixels = new ImageData(width, height);
      const blocks: number[] = [];
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          let sum = 0;
          for (let i = 0; i < size * size; i++) {
            const at = 4 * ((y * size + Math.floor(i / size)) * image.width + x * size + (i % size));
            sum += ((all[at] ?? 0) + (all[at + 1] ?? 0) + (all[at + 2] ?? 0)) / 3;
          }
          // Rounds to steps of 4, which compress better.
          const mean = Math.min(Math.round(sum / (size * size) / 4) * 4, 255);
          blocks.push(mean);
          pixels.data.set([mean, mean, mean, 255], 4 * (y * width + x));
        }
      }
      out?.putImageData(pixels, 0, 0);
      const blob = await small.convertToBlob({ type: 'image/png' });
      return { bytes: Array.from(new Uint8Array(await blob.arrayBuffer())), blocks, width };
    },
    { data: png.toString('base64'), size },
  );
  return { png: Buffer.from(found.bytes), blocks: found.blocks, width: found.width };
}

/** Returns how many of 1,000 blocks differ, and where the first one does. */
function difference(a: number[], b: number[], width: number): [perMille: number, where: string] {
  if (a.length !== b.length) return [1000, 'the size'];
  const changed = a.flatMap((v, i) => (Math.abs(v - (b[i] ?? 0)) > CHANGED ? [i] : []));
  const [first = 0] = changed;
  const where = `at ${(first % width) * BLOCK}, ${Math.floor(first / width) * BLOCK} px`;
  return [(1000 * changed.length) / a.length, where];
}

async function shot(page: Page): Promise<Buffer> {
  // Lines of code appear a moment after their rows.
  await page.waitForTimeout(400);
  await drawn(page);
  return page.screenshot();
}

const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
  { width: 1920, height: 1000 },
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of VIEWPORTS) {
    test(`pages look as they did, ${colorScheme}, ${viewport.width} px wide`, async (t) => {
      for (const [name, study, hash] of PAGES) {
        const { page } = await open(browser, study, { hash, colorScheme, viewport });
        const now = await blocksOf(await shot(page), BLOCK);
        await page.context().close();
        const file = `${FOLDER}/${name}-${viewport.width}-${colorScheme}.png`;
        if (process.env['UPDATE_LOOKS'] || !existsSync(file)) {
          mkdirSync(FOLDER, { recursive: true });
          writeFileSync(file, now.png);
          t.diagnostic(`${file} written`);
          continue;
        }
        const before = await blocksOf(readFileSync(file), 1);
        const [perMille, where] = difference(now.blocks, before.blocks, now.width);
        if (perMille > MOST_PER_MILLE)
          writeFileSync(`tests/out/${name}-${viewport.width}-${colorScheme}.png`, now.png);
        assert.ok(perMille <= MOST_PER_MILLE, `${file}: ${perMille.toFixed(1)} ‰ changed, first ${where}`);
      }
    });
  }
}

test('a label that moved by 12 pixels is seen', async () => {
  const { page } = await open(browser, 'routines', { hash: '#/overview' });
  const before = await blocksOf(await shot(page), BLOCK);
  await page
    .locator('.growth-plot .label')
    .first()
    .evaluate((label) => label.setAttribute('transform', 'translate(0 12)'));
  const now = await blocksOf(await shot(page), BLOCK);
  assert.ok(difference(now.blocks, before.blocks, now.width)[0] > MOST_PER_MILLE);
  await page.context().close();
});
