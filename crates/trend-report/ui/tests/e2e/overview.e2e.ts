import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';

import type { Browser, Page } from 'playwright-core';

import type { PageData } from '../../src/data/types';
import { featureSize, predicted, share } from '../../src/format/number';
import { drawn, fileOf, launch, open } from './browser';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const STUDIES: Record<string, string> = {
  'list-append': fileOf('studies/list-append/parser').replace(/html$/, 'trend'),
  bzip2: fileOf('studies/bzip2/bzip2').replace(/html$/, 'trend'),
  demo: process.env['STUDY_OF_DEMO'] ?? '',
};

/** Joins lines. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

function trendProf(...args: string[]): string {
  return execFileSync(process.env['TREND_PROF'] ?? 'trend-prof', ['-q', ...args], {
    maxBuffer: 1 << 28,
  }).toString();
}

/** Returns the terminal's output. */
const terminal = (...args: string[]) => plain(trendProf(...args));

/** Returns the two sentences, and what follows from the second. */
const sentences = async (page: Page) =>
  (await page.locator('.answer :is(.say, .more)').allTextContents()).map(plain);

/** Removes the full stop. The terminal adds the executions to a doubtful time. */
const withoutStop = (sentence: string) => sentence.replace(/\.$/, '');

/**
 * Removes intervals, and rounds counts to two digits. At sizes that the analysis did not compute, the page interpolates
 * the interval. The interval of the seconds and the digits of a count follow from it.
 */
const withoutInterval = (text: string) =>
  text
    .replace(/ \([^()=×]*\)(?=[.,]| of CPU time)/g, '')
    .replace(/[\d.]+(?= ([kMGT] )?executions)/g, (count) => String(Number(Number(count).toPrecision(2))));

for (const [name, study] of Object.entries(STUDIES)) {
  test(`${name}: headline, prediction, table, label and JSON say the same`, async () => {
    const { page, complaints } = await open(browser, name, { hash: '#/overview?chart=total' });
    const [cost = '', first = '', more = ''] = await sentences(page);
    const advice = `${first} ${more}`.trim();
    const said = terminal('show', study);
    for (const sentence of [withoutStop(cost), advice])
      assert.ok(said.includes(sentence), `${sentence}\n${said.slice(0, 400)}`);
    const { answer } = JSON.parse(trendProf('show', '--format', 'json', study)) as PageData['findings'];
    assert.ok(answer?.whole);
    const whole = plain(predicted(answer.whole));
    assert.equal(cost.includes('executions'), !answer.time, cost);
    assert.ok(answer.time || cost.includes(`${whole} executions`), cost);
    const row = page.locator('.top tr.whole');
    assert.equal(plain(await row.locator('.then').innerText()), whole, 'table');
    assert.equal(plain(await page.locator('.gauge.cost b').innerText()), whole, 'gauge');
    for (const [gauge, law] of Object.entries({ time: answer.time, memory: answer.memory })) {
      const shown = (await page.locator(`.gauge.${gauge} .ends span:last-child`).allInnerTexts()).map(plain);
      assert.equal(shown.length, law ? 1 : 0, gauge);
      assert.ok(cost.includes(shown[0] ?? ''), `${gauge}: ${shown[0] ?? ''}\n${cost}`);
    }
    const label = await page.locator('.growth-plot .label.whole text').textContent();
    assert.match(plain(label ?? ''), new RegExp(`whole program ${whole}`), 'label');
    const place = answer?.place;
    assert.ok(place);
    const shares = plain(await page.locator('.top tr.named .share').innerText());
    assert.equal(shares, plain(`${share(place.share)} → ${share(place.share_then)}`), 'shares');
    const [now] = (answer.kind === 'steady' && place.time_shares) || [place.share];
    assert.ok(advice.includes(plain(share(now))), advice);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  test(`${name}: at every target the sentences are the terminal’s, and the shares add up`, async () => {
    const { page } = await open(browser, name);
    const feature = await page.evaluate(
      () => document.querySelector('.target label')?.textContent?.split(' ')[0],
    );
    const targets = [
      ['[', '2'],
      ['[', '1'],
      [']', '2'],
      [']', '10'],
      [']', '100'],
    ] as const;
    const p95 = (JSON.parse(trendProf('show', '--format', 'json', study)) as PageData['findings']).features[0]
      ?.p95;
    for (const [key, times] of targets) {
      await page.keyboard.press(key);
      await drawn(page);
      const found = await sentences(page);
      assert.match(found[0] ?? '', new RegExp(` \\(${times}×\\): `));
      const wanted = terminal('predict', study, `${feature ?? ''}=${(p95 ?? 0) * Number(times)}`);
      if (!(found[1] ?? '').startsWith('Watch ')) {
        const told = withoutInterval(wanted);
        for (const text of found.map((sentence) => withoutStop(withoutInterval(sentence))))
          assert.ok(told.includes(text), `${text}\n${wanted.slice(0, 500)}`);
      }
      const shares = await page.locator('.top tbody tr:not(.whole) .share b').allInnerTexts();
      const sum = shares.reduce((all, text) => all + Number(text.replace(/[^\d.]/g, '')), 0);
      const [, gap = '0', way] =
        /add up to ([\d.]+) % (more|less)/.exec(await page.locator('.top').innerText()) ?? [];
      const wholly = 100 + (way === 'less' ? -1 : 1) * Number(gap);
      assert.ok(Math.abs(sum - wholly) < 1, `${times}×: ${shares.join(' + ')} = ${sum}`);
    }
    await page.context().close();
  });
}

test('no label overlaps another or is cut, in any view at any width', async () => {
  for (const name of ['list-append', 'bzip2', 'demo', 'hostile']) {
    for (const width of [700, 1280, 1920, 3840]) {
      const { page } = await open(browser, name, { viewport: { width, height: 900 } });
      for (const view of ['per', 'total', 'share']) {
        await page.evaluate((v) => (location.hash = `#/overview?chart=${v}`), view);
        await drawn(page);
        const wrong = await page.evaluate(() => {
          const plot = document.querySelector('.growth-plot');
          if (!plot) return ['no plot'];
          const right = plot.getBoundingClientRect().right;
          const boxes = [...plot.querySelectorAll('.label text')].map((e) => ({
            text: e.textContent ?? '',
            box: e.getBoundingClientRect(),
          }));
          const cut = boxes.filter(({ box }) => box.right > right + 1).map(({ text }) => `cut: ${text}`);
          const over = boxes.flatMap((a, i) =>
            boxes.slice(i + 1).flatMap((b) => {
              const apart = a.box.bottom <= b.box.top + 1 || b.box.bottom <= a.box.top + 1;
              return apart ? [] : [`${a.text} over ${b.text}`];
            }),
          );
          return [...cut, ...over];
        });
        assert.deepEqual(wrong, [], `${name} ${view} at ${width}`);
      }
      await page.context().close();
    }
  }
});

test('nothing sticks out and no number is cut from 320 to 3840 px', async () => {
  for (const name of ['list-append', 'bzip2', 'hostile', 'large']) {
    const { page } = await open(browser, name);
    for (const width of [320, 390, 641, 833, 1089, 1280, 2560, 3840]) {
      await page.setViewportSize({ width, height: 900 });
      await drawn(page);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${name} at ${width}: ${over} px too wide`);
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll('.top :is(.now, .then, .interval, .share), .gauge .ends span')]
          .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
          .map((e) => e.textContent),
      );
      assert.deepEqual(cut, [], `${name} at ${width}`);
    }
    await page.context().close();
  }
});

test('the answer takes two lines, and four on a phone', async () => {
  const small = changed('list-append', 'state-small-machine', ({ findings }) => {
    if (findings.answer?.memory) findings.answer.memory.machine_bytes = 1e6;
  });
  const names = ['list-append', 'bzip2', 'demo', 'answer-fix', 'answer-open', 'answer-steady', small];
  for (const name of names) {
    for (const [width, most] of [
      [1280, 2],
      [390, 4],
    ] as const) {
      const { page } = await open(browser, name, { viewport: { width, height: 844 } });
      const lines = await page
        .locator('.answer .say')
        .evaluateAll((all) =>
          all.map((e) => Math.round(e.clientHeight / parseFloat(getComputedStyle(e).lineHeight))),
        );
      assert.equal(lines.length, 2);
      assert.ok(lines.reduce((all, one) => all + one) <= most, `${name} at ${width}: ${lines.join(' + ')}`);
      await page.context().close();
    }
  }
});

test('the sizes that fit are those of the analysis', async () => {
  let all = 0;
  for (const [name, study] of Object.entries(STUDIES)) {
    const limits = ['1s', '1min', '1h', '16GB'].flatMap((limit) => ['--within', limit]);
    const json = trendProf('predict', '--format', 'json', ...limits, study);
    const found = JSON.parse(json) as PageData['findings'];
    const { time, memory } = found.answer ?? {};
    const feature = found.features[0]?.name ?? '';
    const written = (at: number) => plain(featureSize(feature, at));
    const orUnknown = (at: number | null) => (at === null ? '?' : written(at));
    const fits = [...(time?.fits ?? []), ...(memory?.fits ?? [])];
    const { page } = await open(browser, name);
    const rows = page.locator('.fitting tbody tr');
    const shown = await rows.evaluateAll((all) =>
      all.map((row) => [...row.children].map((e) => e.textContent)),
    );
    assert.deepEqual(
      shown.map((cells) => cells.slice(1).map((text) => plain(text))),
      fits.map((fit) => [fit.size, fit.at_least].map(orUnknown)),
    );
    const said = terminal('predict', ...limits, study);
    for (const [limit = ''] of shown) assert.ok(said.includes(plain(limit)), `${limit}\n${said}`);
    all += shown.length;
    await page.context().close();
  }
  assert.ok(all > 0, 'some study has sizes that fit');
});

test('on a phone the answer, its button, its doubt and the target are in the first screen', async () => {
  let doubted = 0;
  for (const name of ['list-append', 'bzip2', 'demo']) {
    const { page } = await open(browser, name, { viewport: { width: 390, height: 844 } });
    await page.locator('.answer .line').waitFor();
    const doubts = await page.locator('.doubt-line').count();
    doubted += doubts;
    const parts = ['.answer .say', '.answer .go', '.slider', '.answer .target'];
    for (const part of doubts > 0 ? ['.doubt-line', ...parts] : parts) {
      const box = await page.locator(part).last().boundingBox();
      assert.ok(
        box && box.y + box.height <= 844,
        `${name}: ${part} ends at ${box ? box.y + box.height : '?'}`,
      );
    }
    const places = await page.evaluate(() =>
      ['.answer', '.top', '.growth'].map(
        (part) => document.querySelector(part)?.getBoundingClientRect().top ?? NaN,
      ),
    );
    assert.deepEqual(
      [...places].sort((a, b) => a - b),
      places,
      'answer, rows, chart',
    );
    await page.context().close();
  }
  assert.ok(doubted > 0, 'some study has a doubt');
});

test('it is printed on one sheet, with its doubts', async () => {
  let doubted = 0;
  for (const name of ['list-append', 'bzip2', 'demo', 'large']) {
    const { page } = await open(browser, name);
    await page.locator('.answer .say').first().waitFor();
    const doubts = await page.locator('.doubt-line li').allTextContents();
    doubted += doubts.length;
    const file = fileOf(`${name}-printed`).replace(/html$/, 'pdf');
    writeFileSync(file, await page.pdf({ format: 'A4' }));
    await page.context().close();
    const text = plain(execFileSync('pdftotext', ['-layout', file, '-']).toString());
    assert.match(execFileSync('pdfinfo', [file]).toString(), /Pages:\s+1\n/, name);
    assert.match(text, /\(10×\): /);
    for (const doubt of doubts)
      assert.ok(text.includes(plain(doubt).split(' ').slice(0, 4).join(' ')), doubt);
  }
  assert.ok(doubted > 0, 'some study has a doubt');
});

test('Enter follows the dark button, and arrows read the chart', async () => {
  const { page } = await open(browser, 'bzip2');
  const plot = page.locator('.growth-plot');
  await plot.focus();
  await page.keyboard.press('ArrowLeft');
  const first = await page.locator('.growth [role=status]').textContent();
  await page.keyboard.press('ArrowLeft');
  const second = await page.locator('.growth [role=status]').textContent();
  assert.match(first ?? '', /^at .*: \S/);
  assert.notEqual(first, second);
  assert.notEqual(await page.locator('.growth-plot .labels > text').textContent(), 'at 500 M');
  await page.keyboard.press('Escape');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.startsWith('#/source/'));
  await page.context().close();
});

/** Writes a copy of a page with changed data. */
function changed(name: string, as: string, change: (data: PageData) => void): string {
  const packed = /<template id="data">([\s\S]*?)<\/template>/;
  const html = readFileSync(fileOf(name), 'utf8');
  const text = gunzipSync(Buffer.from(packed.exec(html)?.[1]?.trim() ?? '', 'base64')).toString();
  const data = JSON.parse(text) as PageData;
  change(data);
  const base64 = gzipSync(JSON.stringify(data)).toString('base64');
  writeFileSync(
    fileOf(as),
    html.replace(packed, () => `<template id="data">${base64}</template>`),
  );
  return as;
}

test('where runs failed, were too few, or none, the page says so and what to do', async () => {
  const failing = changed('list-append', 'state-failed', ({ findings }) => {
    const failure = (n: number) => ({
      name: `n${n}`,
      reason: 'exited with 1',
      stderr_tail: 'parser: cannot read in/x\n',
      values: findings.features.map(() => n),
    });
    findings.workloads.failures = [1e8, 2e8, 5.1e8].map(failure);
    findings.workloads.failed = 3;
    const feature = findings.features[0]?.name ?? '';
    findings.doubts.push({ kind: 'largest_failed', message: 'all larger runs failed', feature, numbers: {} });
  });
  const few = changed('list-append', 'state-few', ({ answer, findings, feature_values }) => {
    delete answer.candidates;
    delete findings.answer;
    answer.missing = '2 runs are too few to say how it grows (6 are enough)';
    findings.workloads.count = 2;
    feature_values[0] = [1000, 1200];
  });
  const none = changed('list-append', 'state-none', ({ answer, findings, feature_values }) => {
    delete answer.candidates;
    delete findings.answer;
    findings.workloads.count = 0;
    feature_values[0] = [];
  });
  const say = async (name: string) => {
    const { page, complaints } = await open(browser, name);
    const text = plain(await page.locator('.overview').innerText());
    assert.deepEqual(complaints, []);
    await page.context().close();
    return text;
  };
  const failed = await say(failing);
  assert.match(failed, /3 of 30 runs failed\. All larger runs failed\./i);
  const two = await say(few);
  assert.match(
    two,
    /^.*Too few runs for a prediction 2 runs of 2 sizes, 1\.2 times apart\. 2 runs are too few to say/,
  );
  assert.match(two, /trend-prof run --until-decided/);
  assert.doesNotMatch(two, /At 10×/);
  assert.match(await say(none), /Nothing was run yet .* trend-prof run .* trend-prof try -- /);
});

test('the lines that hold memory are there where that was recorded, as the terminal has them', async () => {
  const study = fileOf('studies/list-append-memory/parser').replace(/html$/, 'trend');
  const { memory_lines } = JSON.parse(trendProf('show', '--format', 'json', study)) as PageData['findings'];
  const { page, complaints } = await open(browser, 'list-append-memory');
  const rows = page.locator('.memory tbody tr');
  assert.ok(memory_lines && memory_lines.length > 1);
  assert.equal(await rows.count(), Math.min(memory_lines.length, 20));
  const [first] = memory_lines;
  const cells = (await rows.first().locator('th, td').allInnerTexts()).map(plain);
  const { growth } = first?.most.models[0] ?? {};
  assert.deepEqual([cells[0], cells[1], cells[5]], [first?.name, first?.function, growth?.short]);
  const shown = terminal('show', '--by', 'memory', study);
  for (const cell of [cells[2], cells[3], cells[6]])
    assert.ok(shown.includes(cell ?? '?'), `${cell}: ${shown}`);
  await rows.first().getByRole('link').click();
  await page.waitForURL(/#\/source\//);
  assert.deepEqual(complaints, []);
  const without = await open(browser, 'list-append');
  await without.page.locator('.top').waitFor();
  assert.equal(await without.page.locator('section.memory').count(), 0);
});
