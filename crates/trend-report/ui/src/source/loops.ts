/** Loops beside the code: a bracket over each and its trips in the program's words. */

import type { Estimate } from '../data/models';
import type { Findings, LoopRow } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';

/** Brackets that stand beside each other; deeper loops have their text alone. */
export const MOST_BRACKETS = 3;

/** A loop beside one of its lines. */
interface LoopMark {
  loop: LoopRow;
  begins: boolean;
  ends: boolean;
  /** The place of the bracket, from 0; `null` where there are too many. */
  place: number | null;
}

/** The loops of a file that ran or can run, outer ones first. */
export function loopsOf(findings: Findings, file: string): LoopRow[] {
  return (findings.loops ?? []).filter((row) => row.file === file);
}

/** `n`, `≤ n`, or as many as were seen; nothing where the loop never ran. */
export function tripsText(loop: LoopRow): string {
  const { formula, bound, off } = loop.trips;
  if (formula !== undefined) return `${visible(formula)}${off > 0 ? ' !' : ''}`;
  if (loop.trips.status === 'constant') return `${number.cost(loop.least)} each time`;
  if (bound !== undefined) return `≤ ${visible(bound)}`;
  return loop.activations === 0 ? '' : `${rangeText(loop)} seen`;
}

/** The same in few characters: `8` where that was so each time, `1–229 ?` where data decide. */
export function briefTripsText(loop: LoopRow): string {
  if (!isSaid(loop)) return loop.activations === 0 ? '' : `${rangeText(loop)} ?`;
  return loop.trips.formula === undefined && loop.trips.status === 'constant'
    ? rangeText(loop)
    : tripsText(loop);
}

function rangeText(loop: LoopRow): string {
  const [least, greatest] = [number.cost(loop.least), number.cost(loop.greatest)];
  return least === greatest ? greatest : `${least}–${greatest}`;
}

/** The brackets beside a line, outer ones first. */
export function marksOf(loops: LoopRow[], line: number): LoopMark[] {
  return loopsAround(loops, line)
    .reverse()
    .map((loop) => ({
      loop,
      begins: loop.line === line,
      ends: loop.last_line === line,
      place: loop.depth <= MOST_BRACKETS ? loop.depth - 1 : null,
    }));
}

/** The loops around a line, from the innermost to the outermost. */
export function loopsAround(loops: LoopRow[], line: number): LoopRow[] {
  return loops
    .filter((loop) => loop.line <= line && line <= loop.last_line)
    .sort((a, b) => b.depth - a.depth || b.line - a.line || numberOf(b) - numberOf(a));
}

/** A loop and one at each depth around it, of the loops around a line. */
export function nestOf(around: LoopRow[], loop: LoopRow): LoopRow[] {
  const outer = around.filter(({ depth }) => depth < loop.depth);
  return [loop, ...outer.filter(({ depth }, i) => depth !== outer[i - 1]?.depth)];
}

/** The loops of which a panel says everything: those that begin on a line, as they stand there, else the innermost around. */
export function loopsToShow(around: LoopRow[], line: number): LoopRow[] {
  const begun = around.filter((loop) => loop.line === line).sort((a, b) => numberOf(a) - numberOf(b));
  return begun.length > 0 ? begun : around.slice(0, 1);
}

/** Which of the loops of its line one is. */
function numberOf({ number: which }: LoopRow): number {
  return which ?? 1;
}

/** `line 12`, and of several loops on a line `line 12 no. 2`. */
export function placeText(loop: LoopRow): string {
  return `line ${loop.line}${loop.number === undefined ? '' : ` no. ${loop.number}`}`;
}

/** How often it was entered, and its trips in all: of constant trips that need not be known. */
export function enteredText({ activations, total }: LoopRow): string {
  if (activations === null) return 'not counted';
  return `${number.cost(activations)} times${total === null ? '' : `, ${number.cost(total)} trips`}`;
}

/** How well the trips are known, in a few words; what else has to be known are the loop's notes. */
export function statusText(loop: LoopRow): string {
  const { status, points, off } = loop.trips;
  const seen = `${points} ${points === 1 ? 'combination' : 'combinations'} of inputs`;
  switch (status) {
    case 'exact':
      return off > 0 ? `exact, but at ${off} of ${seen}` : points > 0 ? `exact at ${seen}` : 'constant';
    case 'fitted':
      return `fitted to ${seen}`;
    case 'constant':
      return 'the same in all activations';
    case 'symbolic':
      return 'the data decide';
    case 'unknown':
      return loop.activations === 0 ? 'never run' : 'unknown';
  }
}

/** The trips and how well they are known: `n trips, exact at 5 combinations of inputs`. */
export function tripsSentence(loop: LoopRow): string {
  const { formula, bound, status } = loop.trips;
  const isText = status !== 'constant' && (formula ?? bound) !== undefined;
  const trips = isText ? tripsText(loop) : loop.activations === 0 ? '' : rangeText(loop);
  return `${trips === '' ? '' : `${trips} trips, `}${statusText(loop)}`;
}

/** The trips in all of a run at a point of the analysis; `null` where no law says them, or the runs are too few. */
export function tripsThen(loop: LoopRow, point: number): Estimate | null {
  const run = loop.in_run;
  const cost = run?.at[point];
  if (!run || typeof cost !== 'number') return null;
  return { cost, ci: run.ci?.[point] ?? null, source: run.status === 'several' ? 'classes' : 'class' };
}

/** Whether the program's words say how often a loop is run through, or at most. */
export function isSaid({ trips }: LoopRow): boolean {
  return trips.formula !== undefined || trips.bound !== undefined || trips.status === 'constant';
}
