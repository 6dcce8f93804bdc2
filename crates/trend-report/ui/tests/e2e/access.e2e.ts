import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { drawn, launch, open } from './browser';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** Returns the problems that axe finds, as sentences. */
async function wrongs(page: Awaited<ReturnType<typeof open>>['page']): Promise<string[]> {
  // Removes the gradients: axe does not judge the contrast of text over them, even if they are only a shadow at the
  // edge.
  await page.evaluate(() => {
    for (const box of document.querySelectorAll<HTMLElement>('.scroll')) box.style.background = 'none';
  });
  const found = await page.evaluate<Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)`,
  );
  return found.flatMap((v) =>
    v.nodes.slice(0, 2).map((n) => `${v.id} ${n.target.join(' ')}: ${n.failureSummary}`),
  );
}

const PAGES: [string, string][] = [
  ['bzip2', '#/overview'],
  ['list-append', '#/overview?chart=share'],
  ['bzip2', '#/clusters'],
  ['bzip2', 'cluster'],
  ['bzip2', '#/functions'],
  ['bzip2', '#/source'],
  ['list-append', '#/source/list.c?line=7'],
  ['list-append', '#/function/list.c:last_node'],
  ['bzip2', '#/workloads'],
  ['bzip2', '#/method'],
  ['routines', '#/routines'],
  ['routines', '#/routines?large=cost&contexts=1'],
  ['routines', '#/routines?wide=1'],
];

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing in ${theme}`, async () => {
    for (const [study, place] of PAGES) {
      const list = place === 'cluster' ? '#/clusters' : place;
      const { page } = await open(browser, study, { hash: list, colorScheme: theme });
      if (list !== place) {
        await page.locator(`#app a[href^="#/${place}/"]`).first().click();
        await page.locator('#app main figure').first().waitFor();
      }
      await page.locator('#app main h1').first().waitFor();
      await drawn(page);
      await page.evaluate(axe);
      assert.deepEqual(await wrongs(page), [], `${study} ${place}`);
      await page.context().close();
    }
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on a phone, ${colorScheme}`, async () => {
    const viewport = { width: 390, height: 844 };
    for (const [study, hash] of [
      ['routines', '#/routines'],
      ['list-append', '#/overview'],
      ['bzip2', '#/overview'],
    ] as const) {
      const { page } = await open(browser, study, { hash, colorScheme, viewport });
      await page.locator('#app main svg').first().waitFor();
      await page.evaluate(axe);
      assert.deepEqual(await wrongs(page), [], study);
      await page.context().close();
    }
  });
}

for (const width of [320, 3840]) {
  test(`${width} px wide: nothing sticks out`, async () => {
    for (const [study, place] of PAGES.filter(([, p]) => p.startsWith('#'))) {
      const { page } = await open(browser, study, { hash: place, viewport: { width, height: 800 } });
      await page.locator('#app main h1').first().waitFor();
      await drawn(page);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 1, `${study} ${place}: ${over} px too wide`);
      await page.context().close();
    }
  });
}

test('the static part has nothing that axe finds wrong', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await open(browser, 'bzip2', { colorScheme });
    await page.evaluate(() => {
      document.documentElement.classList.remove('app');
      document.getElementById('app')?.remove();
    });
    await page.evaluate(axe);
    assert.deepEqual(await wrongs(page), []);
    await page.context().close();
  }
});
