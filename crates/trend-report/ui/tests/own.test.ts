import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Row } from '../src/data/types';
import { lineCosts } from '../src/source/costs';
import { clusterText, isLineAlone, ownRow } from '../src/source/panel';
import { model, study } from './study';

const PAGE = study('a.c:1 f x 900\na.c:2 g x,y 100\na.c:3#1 g y 50\na.c:3#2 g y 40\na.c:4 h z 7', {
  x: [1, ['n']],
  y: [2, ['n^2']],
  z: [1, ['n']],
});

function line(number: number) {
  const found = lineCosts(PAGE, 'a.c').find((l) => l.line === number);
  assert.ok(found);
  return found;
}

function row(name: string, number: number): Row {
  const shares = { max_cost: 1, max_share: 0, share_now: 0.1, share_of_largest: 0 };
  return { name, file: 'a.c', line: number, ...shares, models: [model(2, ['n^2'])], outlooks: [], law: null };
}

test('a line has its own row where the findings have lines, or blocks and it is one', () => {
  const { findings } = PAGE;
  const lines = [row('a.c:1', 1), row('a.c:3', 3)];
  const blocks = [row('a.c:1', 1), row('a.c:2', 2), row('a.c:3#1', 3)];
  assert.equal(ownRow(findings, 'a.c', line(1)), null);
  assert.equal(ownRow({ ...findings, lines, blocks }, 'a.c', line(1)), lines[0]);
  assert.equal(ownRow({ ...findings, lines }, 'b.c', line(1)), null);
  assert.equal(ownRow({ ...findings, blocks }, 'a.c', line(2)), blocks[1]);
  assert.equal(ownRow({ ...findings, blocks }, 'a.c', line(3)), null, 'two blocks are on the line');
});

test('a cluster’s prediction is a line’s own only where the cluster is nothing else', () => {
  const [x, , z] = PAGE.findings.clusters;
  assert.ok(x && z);
  assert.ok(!isLineAlone(x, line(1)));
  assert.ok(isLineAlone(z, line(4)));
  assert.equal(clusterText(x), 'cluster #1, 2 locations');
});
