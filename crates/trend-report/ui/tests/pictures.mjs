// Takes pictures of pages, light and dark:
//
//     node tests/pictures.mjs FOLDER NAME=FILE.html#/view … → FOLDER/NAME-light.png, FOLDER/NAME-dark.png
//
// `NAME@SELECTOR=…` takes only that element, at its size on screen.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

import { chromium } from 'playwright-core';

import { ownFonts } from './fonts.mjs';

const [folder, ...wanted] = process.argv.slice(2);
const scratch = mkdtempSync(`${tmpdir()}/pictures-`);
const browser = await chromium.launch({
  env: { ...process.env, FONTCONFIG_FILE: ownFonts(scratch) },
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb', '--hide-scrollbars'],
});
for (const word of wanted) {
  const [of, address] = [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)];
  const [name, selector] = of.split('@');
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({
      viewport: { width: 1200, height: 860 },
      deviceScaleFactor: selector ? 1 : 1.5,
      colorScheme,
    });
    page.on('pageerror', (error) => {
      throw error;
    });
    await page.goto(`file://${address}`);
    await page.waitForFunction(() => performance.getEntriesByName('trend-prof-ready').length > 0);
    await page.waitForTimeout(500);
    // Axis labels reach a little beyond their element.
    const box = selector && (await page.locator(selector).boundingBox());
    const clip = box && { x: box.x - 10, y: box.y - 6, width: box.width + 24, height: box.height + 12 };
    const path = `${folder}/${name}-${colorScheme}.png`;
    await page.screenshot(clip ? { path, clip, fullPage: true } : { path });
    await page.close();
  }
}
await browser.close();
rmSync(scratch, { recursive: true });
