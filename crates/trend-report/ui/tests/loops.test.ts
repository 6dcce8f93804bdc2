import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Findings, LoopFunctionRow, LoopRow } from '../src/data/types';
import {
  briefTripsText,
  callOf,
  enteredText,
  isDetermined,
  loopsAround,
  loopsToShow,
  marksOf,
  nestOf,
  placeText,
  statusText,
  tripsSentence,
  tripsText,
  tripsThen,
} from '../src/source/loops';

function loop(line: number, last_line: number, depth: number, trips: Partial<LoopRow['trips']>): LoopRow {
  return {
    function: 'f',
    file: 'f.c',
    line,
    last_line,
    depth,
    inputs: [],
    trips: { status: 'exact', points: 5, off: 0, ...trips },
    in_call: { formula: 'n', status: 'exact', compared: 0 },
    o: 'n',
    omega: 'n',
    conditional: false,
    activations: 7,
    total: 30,
    least: 1,
    greatest: 9,
  };
}

const outer = loop(95, 110, 1, { formula: 'n' });
const inner = loop(99, 104, 2, { bound: 'n − i', status: 'symbolic' });

test('beside a line are the brackets of the loops around it, outer ones first', () => {
  const at = (line: number) =>
    marksOf([inner, outer], line).map(({ loop, begins, ends, place }) => [loop.line, begins, ends, place]);
  assert.deepEqual(at(95), [[95, true, false, 0]]);
  assert.deepEqual(at(104), [
    [95, false, false, 0],
    [99, false, true, 1],
  ]);
  assert.deepEqual(at(111), []);
  assert.equal(marksOf([loop(1, 9, 4, {})], 2)[0]?.place, null);
});

test('trips are a formula, a bound or as many as were seen, and say how well they are known', () => {
  assert.equal(tripsText(outer), 'n');
  assert.equal(tripsText(inner), '≤ n − i');
  assert.equal(tripsText(loop(1, 2, 1, { status: 'unknown' })), '1–9 seen');
  assert.equal(tripsText(loop(1, 2, 1, { formula: 'n² + n + 1', off: 1 })), 'n² + n + 1 !');
  assert.equal(statusText(outer), 'exact at 5 combinations of inputs');
  assert.equal(tripsSentence(inner), '≤ n − i trips, depends on the data');
  const unbounded = loop(99, 104, 2, { status: 'symbolic' });
  assert.equal(tripsSentence(unbounded), '1–9 trips, depends on the data');
  assert.deepEqual([outer, inner, unbounded].map(isDetermined), [true, true, false]);
  const same = { ...loop(1, 2, 1, { status: 'constant', bound: 'n' }), least: 8, greatest: 8 };
  assert.deepEqual([outer, inner, unbounded, same].map(briefTripsText), ['n', '≤ n − i', '1–9 ?', '8']);
  assert.equal(tripsText(same), '8 each time');
  assert.equal(tripsSentence(same), '8 trips, constant');
  assert.equal(tripsSentence(outer), 'n trips, exact at 5 combinations of inputs');
  assert.equal(
    tripsSentence({ ...outer, trips: { status: 'unknown', points: 0, off: 0 }, activations: 0 }),
    'never run',
  );
});

test('what was not counted is not said to be 0', () => {
  assert.equal(enteredText(outer), '7 times, 30 trips');
  assert.equal(enteredText({ ...outer, activations: 0, total: 0 }), '0 times, 0 trips');
  assert.equal(enteredText({ ...outer, activations: null, total: null }), 'not counted');
});

test('of several loops on a line each has its number and its own nest', () => {
  const second = { ...loop(95, 95, 1, {}), number: 2 };
  const within = { ...loop(95, 95, 2, {}), number: 3 };
  const around = loopsAround([outer, second, within], 95);
  assert.deepEqual(loopsToShow(around, 95), [outer, second, within]);
  assert.deepEqual([outer, within].map(placeText), ['line 95', 'line 95 no. 3']);
  assert.deepEqual(nestOf(around, within), [within, second], 'one at each depth');
  assert.deepEqual(nestOf(around, second), [second]);
  assert.deepEqual(
    marksOf([outer, second, within], 95).map(({ loop }) => loop.number),
    [undefined, 2, 3],
  );
  assert.deepEqual(loopsToShow(loopsAround([outer, inner], 100), 100), [inner]);
});

test('the loops around a line begin with the innermost', () => {
  assert.deepEqual(
    loopsAround([outer, inner], 100).map((one) => one.line),
    [99, 95],
  );
  assert.deepEqual(loopsAround([outer, inner], 94), []);
});

test('what a law says of all trips in a run at a point has its interval, or nothing is said', () => {
  const run = { feature: 'n', formula: '3·n', status: 'decided' as const };
  const known = { ...outer, in_run: { ...run, at: [600, null], ci: [[500, 700], null] } } as LoopRow;
  assert.deepEqual(tripsThen(known, 0), { cost: 600, ci: [500, 700], source: 'class' });
  assert.equal(tripsThen(known, 1), null, 'too few runs for an interval');
  assert.equal(tripsThen(known, -1), null, 'a point that the analysis does not have');
  assert.equal(tripsThen(outer, 0), null, 'no law');
});

test('a line shows the call of its own function, or else of a function whose loop is around it', () => {
  const row = (file: string, name: string) =>
    ({ name, file, line: 1, bounds: 'n', o: 'n', omega: 'n', never_ran: 0 }) satisfies LoopFunctionRow;
  const findings = { loop_functions: [row('g.c', 'f'), row('f.c', 'lambda'), row('f.c', 'f')] };
  const call = (names: string[]) => callOf(findings as Partial<Findings> as Findings, 'f.c', names);
  assert.deepEqual(call(['f', 'lambda']), row('f.c', 'f'));
  assert.deepEqual(call(['leaf', 'lambda']), row('f.c', 'lambda'));
  assert.equal(call(['leaf']), null);
  assert.equal(callOf({} as Findings, 'f.c', ['f']), null);
});
