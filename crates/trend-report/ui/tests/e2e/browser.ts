/** Opens pages as a reader does, and records requests and errors, which must not occur. */

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const pages = process.env['PAGES'] ?? 'tests/out';

export function fileOf(name: string): string {
  return `${pages}/${name}.html`;
}

/** Starts a browser. For pictures it uses the fonts of the tests, and none of the machine. */
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
  /** Requested addresses, the page itself first. */
  requests: string[];
  /** Errors of scripts and of the content security policy, and warnings that the page printed. */
  complaints: string[];
  /** Time from the start of navigation until the app is drawn, in ms. */
  readyMs: number;
}

export interface OpenOptions extends BrowserContextOptions {
  hash?: string;
  /** Address to open instead of a file. */
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

/** Presses a key until the focused element satisfies `wanted`. Returns the number of presses, or throws. */
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

/** Waits two animation frames, after which the result of an action is on the screen. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  );
}
