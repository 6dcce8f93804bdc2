/** Opens pages as a reader does and notes what a reader must never see: requests, errors. */

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const pages = process.env['PAGES'] ?? 'tests/out';

export function fileOf(name: string): string {
  return `${pages}/${name}.html`;
}

/** Starts a browser. One for pictures has the fonts of the tests, and none of the machine. */
export async function launch(isForPictures = false): Promise<Browser> {
  const fonts = isForPictures ? { FONTCONFIG_FILE: process.env['FONTS_OF_PICTURES'] ?? '' } : {};
  return chromium.launch({
    env: { ...process.env, ...fonts } as Record<string, string>,
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
  });
}

export interface Opened {
  page: Page;
  /** Addresses that were asked for, the page itself first. */
  requests: string[];
  /** Errors of scripts, of the policy, and warnings that the page printed. */
  complaints: string[];
  /** From the start of navigation until the app is drawn, in ms. */
  readyMs: number;
}

export interface OpenOptions extends BrowserContextOptions {
  hash?: string;
  /** An address instead of a file. */
  url?: string;
}

/** Opens a page and waits until the app is drawn. */
export async function open(browser: Browser, name: string, options: OpenOptions = {}): Promise<Opened> {
  const { hash = '', url, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...rest });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (r) => requests.push(r.url()));
  page.on('console', (m) => {
    if (m.type() === 'error' || m.type() === 'warning') complaints.push(m.text());
  });
  page.on('pageerror', (e) => complaints.push(String(e)));
  await page.goto(`${url ?? `file://${fileOf(name)}`}${hash}`);
  await page.waitForFunction(() => performance.getEntriesByName('trend-prof-ready').length > 0);
  const readyMs = await page.evaluate(
    () => performance.getEntriesByName('trend-prof-ready')[0]?.startTime ?? NaN,
  );
  return { page, requests, complaints, readyMs };
}

/** Presses a key until the focused element satisfies `wanted`; returns how often, or throws. */
export async function pressUntil(
  page: Page,
  key: string,
  wanted: (element: Element) => boolean,
  most = 80,
): Promise<number> {
  for (let i = 1; i <= most; i++) {
    await page.keyboard.press(key);
    const there = await page.evaluate(`(${wanted.toString()})(document.activeElement ?? document.body)`);
    if (there) return i;
  }
  throw new Error(`${most} presses of ${key} did not get there`);
}

/** Two animation frames: what was asked for is on the screen. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  );
}
