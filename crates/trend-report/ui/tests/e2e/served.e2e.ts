/** Tests the page that `trend-prof serve` serves, while its study grows and after its server has gone. */

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';

import type { PredictAnswer } from '../../src/data/exact';
import type { Findings } from '../../src/data/types';
import { drawn, launch, open } from './browser';

const trendProf = process.env['TREND_PROF'] ?? 'trend-prof';
const SIZES = [10, 20, 40, 80, 160, 320, 640];
const PAIRS = '#/cluster/prog.c:13';

let browser: Browser;
let folder: string;
const servers = new Set<Served>();
before(async () => {
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), 'trend-prof-served-'));
  writeFileSync(join(folder, 'prog.c'), 'int line; /* prog.c */\n'.repeat(40));
});
after(async () => {
  await browser.close();
  for (const { child } of servers) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Costs of the two quadratic lines at a size. */
const pairs = (n: number) => (n * (n - 1)) / 2;
const pairsAndMore = (n: number) => pairs(n) + Math.floor(n / 3);

function trend(...args: string[]): string {
  return execFileSync(trendProf, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
}

/** Adds a workload per size: a program with a linear, an `n log n` and two quadratic lines. */
function addRuns(study: string, sizes: number[]): void {
  const files = sizes.map((n) => {
    const counts = {
      3: 1,
      5: 7 * n + 11,
      12: pairs(n),
      13: pairsAndMore(n),
      20: Math.floor(3 * n * Math.log2(n)),
    };
    const lines = Object.entries(counts).map(([line, count]) => `DA:${line},${count}`);
    const functions = ['FN:3,main', 'FNDA:1,main', 'FN:10,pairs', 'FNDA:1,pairs'];
    const file = `run-${n}.info`;
    writeFileSync(join(folder, file), ['SF:prog.c', ...functions, ...lines, 'end_of_record', ''].join('\n'));
    return file;
  });
  trend('-q', 'import', 'lcov', ...files, '--pattern', String.raw`run-(?<n>\d+)\.info`, '--study', study);
}

interface Served {
  child: ChildProcess;
  /** Address of the form `http://127.0.0.1:PORT/`. */
  address: string;
}

/** Starts to serve a study; resolves with the printed address. */
async function serve(study: string, ...args: string[]): Promise<Served> {
  const child = spawn(trendProf, ['-q', 'serve', '--port', '0', study, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise<string>((done, fail) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
      if (found) done(found[0]);
    });
    child.once('exit', (code) => fail(new Error(`serve ended with ${code}: ${said}`)));
    child.once('error', fail);
  });
  const served = { child, address };
  servers.add(served);
  return served;
}

/** Ends a server as Ctrl-C does; resolves with its exit code, or with the signal that killed it. */
async function interrupt(served: Served): Promise<number | string | null> {
  const ended = new Promise<number | string | null>((done) =>
    served.child.once('exit', (code, signal) => done(code ?? signal)),
  );
  served.child.kill('SIGINT');
  const late = new Promise<string>((done) => setTimeout(() => done('not within 10 s'), 10_000).unref());
  const how = await Promise.race([ended, late]);
  if (how !== 'not within 10 s') servers.delete(served);
  return how;
}

const foreign = (requests: string[], address: string) =>
  requests.filter((r) => !r.startsWith(address) && !/^(blob|data):/.test(r));

const banner = (page: Page) => page.locator('#app .live[role=status]');

/** The prediction at the target, on the page of a row. */
const asked = (page: Page) => page.locator('#app .predictions tr.asked .estimate');

test('the law is evaluated at once, and the server says the interval at exactly that size', async () => {
  addRuns('exact.trend', SIZES);
  const served = await serve('exact.trend');
  const { page, complaints, requests } = await open(browser, 'served', { url: served.address, hash: PAIRS });
  const answered = page.waitForResponse(/\/api\/predict\?/);
  await page.locator('#target-size').fill('3000');
  await asked(page).waitFor();
  const answer = (await (await answered).json()) as PredictAnswer;
  const findings = JSON.parse(trend('predict', 'exact.trend', 'n=3000', '--format', 'json')) as Findings;
  const costliest = findings.clusters[0];
  const said = costliest?.models[0]?.predictions.find((p) => p.at === 3000);
  assert.equal(costliest?.representative.name, 'prog.c:13');
  assert.ok(said);
  assert.equal(answer.clusters[0]?.name, 'prog.c:13');
  assert.deepEqual(answer.clusters[0].outlook, { cost: said.cost, ci: said.ci, source: said.source });
  const shown = /^([\d.]+)\sM/.exec(await asked(page).innerText());
  assert.ok(shown, await asked(page).innerText());
  assert.equal(shown[1], (said.cost / 1e6).toPrecision(3));
  // The table of clusters shows the same prediction.
  await page.evaluate(() => (location.hash = `#/clusters?at=n:3000`));
  const row = page.locator('#app [role=grid] [role=row]', { hasText: 'prog.c:13' });
  await row.waitFor();
  assert.ok((await row.innerText()).includes(shown[0]));
  assert.deepEqual(foreign(requests, served.address), []);
  assert.deepEqual(complaints, []);
  await page.context().close();
  await interrupt(served);
});

test('a study that grows refills the page in place, and the page outlives its server', async () => {
  addRuns('grows.trend', SIZES);
  const served = await serve('grows.trend');
  const { page, complaints, requests } = await open(browser, 'served', {
    url: served.address,
    hash: `${PAIRS}?guess=n`,
    viewport: { width: 1000, height: 500 },
  });
  // The server holds the next request back until the study changes.
  await page.waitForRequest(/\/api\/revision\?since=/);
  await page.locator('#app main .stacked button', { hasText: 'CSV' }).first().focus();
  await page.evaluate(() => scrollTo(0, 230));
  await drawn(page);
  const state = () =>
    page.evaluate(() => ({
      hash: location.hash,
      scroll: scrollY,
      focus: `${document.activeElement?.tagName} ${document.activeElement?.textContent}`,
    }));
  await page.evaluate(() => ((globalThis as { kept?: Element | null }).kept = document.activeElement));
  const before = await state();
  assert.ok(before.scroll > 200, `${before.scroll}`);
  assert.match(before.focus, /^BUTTON .*CSV/);
  assert.equal(await banner(page).innerText(), '');

  addRuns('grows.trend', [960, 1280]);
  await banner(page).getByText('study grew to 9 runs').waitFor();
  await drawn(page);
  await drawn(page);
  assert.deepEqual(await state(), before);
  const isKept = await page.evaluate(
    () => (globalThis as { kept?: Element | null }).kept === document.activeElement,
  );
  assert.ok(isKept, 'the element itself is still there');
  assert.match(await page.locator('#app main').innerText(), /1\.64\sM/, 'the new maximum is shown');
  assert.equal(requests.filter((r) => r === served.address).length, 1, 'it was not loaded anew');

  // Later requests are answered from the new study.
  await page.evaluate(() => (location.hash = '#/workloads'));
  await page.locator('#app main h1', { hasText: 'Runs' }).waitFor();
  assert.match(await page.locator('#app main .page-head').innerText(), /9 runs/);
  assert.deepEqual(foreign(requests, served.address), []);
  assert.deepEqual(complaints, []);

  assert.equal(await interrupt(served), 0, 'it ends, and in peace, while the page waits for an answer');
  await banner(page).getByText('no longer serves this page').waitFor();
  await page.evaluate((to) => (location.hash = to), PAIRS);
  await page.locator('#app .predictions').waitFor();
  await page.locator('#target-size').fill('3000');
  await asked(page).waitFor();
  assert.match(await asked(page).innerText(), /\d/, 'what it has it goes on with');
  await page.context().close();
});

test('lines are opened in an editor where there is one', async () => {
  addRuns('editor.trend', SIZES);
  const opened = join(folder, 'opened');
  const editor = join(folder, 'editor.sh');
  writeFileSync(
    editor,
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`,
    {
      mode: 0o755,
    },
  );
  for (const args of [[], ['--editor', `${editor} {file} {line}`]]) {
    const served = await serve('editor.trend', ...args);
    const { page, complaints, requests } = await open(browser, 'served', {
      url: served.address,
      hash: '#/source/prog.c?line=13',
    });
    // The second request follows the answer to the first: the page then knows if there is an editor.
    const isSecond = (url: string) => /\/api\/revision\?since=/.test(url);
    if (!requests.some(isSecond)) await page.waitForRequest((request) => isSecond(request.url()));
    await page.getByRole('button', { name: 'Copy file:line' }).first().waitFor();
    await drawn(page);
    const button = page.getByRole('button', { name: 'Open in editor' });
    assert.equal(await button.count(), args.length === 0 ? 0 : 1, args.join(' '));
    if (args.length > 0) {
      await button.click();
      await page.locator('#app .copy [role=status]', { hasText: 'opened' }).waitFor();
      for (let i = 0; i < 100 && !existsSync(opened); i++) await page.waitForTimeout(50);
      assert.match(readFileSync(opened, 'utf8'), /prog\.c\n13\n$/);
    }
    assert.deepEqual(foreign(requests, served.address), []);
    assert.deepEqual(complaints, []);
    await page.context().close();
    assert.equal(await interrupt(served), 0);
  }
});
