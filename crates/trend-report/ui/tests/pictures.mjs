// Takes pictures of pages, light and dark:
//
//     node tests/pictures.mjs FOLDER NAME=FILE.html#/view … → FOLDER/NAME-light.png, FOLDER/NAME-dark.png
import { chromium } from 'playwright-core';

const [folder, ...wanted] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb', '--hide-scrollbars'],
});
for (const word of wanted) {
  const [name, address] = [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)];
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({
      viewport: { width: 1200, height: 860 },
      deviceScaleFactor: 1.5,
      colorScheme,
    });
    page.on('pageerror', (error) => {
      throw error;
    });
    await page.goto(`file://${address}`);
    await page.waitForFunction(() => performance.getEntriesByName('trend-prof-ready').length > 0);
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
    await page.close();
  }
}
await browser.close();
