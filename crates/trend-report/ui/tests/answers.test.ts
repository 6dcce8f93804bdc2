import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import type { Unnamed } from '../generated/findings-types';
import { unpack, type WrittenData } from '../src/data/load';
import { Page } from '../src/data/page';
import { totalEstimate } from '../src/data/predict';
import { advicePieces, answer, costPieces, secondsDoubt } from '../src/overview/answer';
import { gap, parts } from '../src/overview/views';
import { ask, page, parse, route, samePoint, target } from '../src/state/state';
import { textOf } from '../src/view/parts';

/** Written by the crate's tests: pages, and the answers of the analysis at several targets. */
const EXAMPLES = JSON.parse(readFileSync('tests/answers.json', 'utf8')) as {
  data: WrittenData;
  said: { at: number | null; sentences: string[]; decided: Decided | null }[];
}[];

/** The decision of the analysis at a target, with its numbers. */
interface Decided {
  kind: string;
  whole: number;
  place: string | null;
  shares: [number, number] | null;
  costliest: boolean | null;
  spread: string | null;
  groups: [cluster: number, share: number][];
  unnamed: Unnamed | null;
}

const plain = (text: string) => text.replaceAll('\u00a0', ' ');
/**
 * Removes intervals and numbers of executions. At sizes that the analysis did not compute, the page interpolates the
 * interval, which sets the digits of the number.
 */
const withoutInterval = (text: string) => text.replaceAll(/ \([^()=×]*\)/g, '').replace(/\d+(\.\d+)? ([kMG] )?exec/, 'exec'); // prettier-ignore

test('the page and the analysis answer the same at every target', () => {
  let compared = 0;
  for (const { data, said } of EXAMPLES) {
    page.value = new Page(unpack(data));
    for (const { at, sentences } of said) {
      route.value = parse('#/overview');
      if (at !== null) ask('n', String(at));
      const found = answer.value;
      const pieces = found ? [costPieces(found), advicePieces(found)] : [];
      const words = pieces.map((p) => plain(textOf(p)));
      const isKnown = data.findings.points.some((p) => samePoint(target.value, p.values));
      const wanted = sentences.slice(0, 2).map(plain);
      const doubts = [found?.whole ? secondsDoubt(found.whole) : null, data.answer.memory ?? null];
      if (isKnown) assert.deepEqual(doubts.filter((doubt) => doubt !== null), sentences.slice(2)); // prettier-ignore
      if (isKnown) assert.deepEqual(words, wanted, String(at));
      else if (found?.kind !== 'open') {
        assert.deepEqual(words.map(withoutInterval), wanted.map(withoutInterval), String(at));
      }
      compared += words.length;
    }
  }
  assert.ok(compared >= 30, `${compared} sentences`);
});

const isNear = (a: number, b: number) => Math.abs(a - b) <= 2e-5 * Math.max(Math.abs(a), Math.abs(b));

test('the page decides as the analysis does, with the same numbers, from a hundredth to a million times the largest run', () => {
  let compared = 0;
  for (const [i, { data, said }] of EXAMPLES.entries()) {
    page.value = new Page(unpack(data));
    for (const { at, decided } of said) {
      route.value = parse('#/overview');
      if (at !== null) ask('n', String(at));
      const found = answer.value;
      const where = `example ${i} at ${at}: ${JSON.stringify(decided)}`;
      assert.equal(found?.whole === undefined || found.whole === null, decided === null, where);
      if (!decided || !found?.whole) continue;
      const { named, kind, spread, unnamed, groups } = found;
      assert.ok(isNear(found.whole.cost, decided.whole), `${found.whole.cost} ${where}`);
      assert.equal(kind, decided.kind, where);
      assert.equal(named?.subject.function ?? null, decided.place, where);
      assert.deepEqual([spread, unnamed], [decided.spread, decided.unnamed], where);
      if (named && decided.shares) {
        assert.ok(isNear(named.subject.row.share_now, decided.shares[0]), where);
        assert.ok(isNear(named.then, decided.shares[1]), `${named.then} ${where}`);
        assert.equal(found.isCostliest, decided.costliest, where);
      }
      const { clusters } = page.value;
      const shares = groups.map(({ subject, then }) => [
        clusters.findIndex((c) => c.id === subject.id),
        then,
      ]);
      assert.equal(shares.length, decided.groups.length, where);
      for (const [j, [cluster, share]] of decided.groups.entries()) {
        assert.equal(shares[j]?.[0], cluster, where);
        assert.ok(isNear(shares[j]?.[1] ?? NaN, share), where);
      }
      compared++;
    }
  }
  assert.ok(compared >= 150, `${compared} answers`);
});

test('the parts add up to the whole at every target, and so do their shares', () => {
  for (const { data, said } of EXAMPLES.filter((e) => e.data.answer.candidates)) {
    page.value = new Page(unpack(data));
    for (const { at } of said) {
      route.value = parse('#/overview');
      if (at !== null) ask('n', String(at));
      const whole = totalEstimate(target.value);
      assert.ok(whole);
      const then = parts.value.reduce((sum, part) => sum + (part.then?.cost ?? 0), 0);
      const now = parts.value.reduce((sum, part) => sum + part.shareNow, 0);
      assert.ok(Math.abs(now - 1) < 0.02, `${now} now`);
      // The row of all others makes up the difference. Without it, the sum of the laws stays within the interval of the
      // whole.
      const isExact = parts.value.some((part) => part.subject === null) && gap.value <= 0;
      const [low, high] = isExact ? [whole.cost, whole.cost] : (whole.ci ?? [NaN, NaN]);
      const slack = isExact ? 1e-9 : 0.01;
      assert.ok(then > low * (1 - slack) && then < high * (1 + slack), `${then}, not from ${low} to ${high}`);
    }
  }
});
