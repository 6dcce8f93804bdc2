/** Describes the loops next to the code: a bracket for each loop, and its trips in the program's words. */

import type { Estimate } from '../data/law';
import type { Findings, LoopFunctionRow, LoopRow } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';

/** Maximum number of adjacent brackets; deeper loops have only their text. */
export const MOST_BRACKETS = 3;

/** The mark of a loop on one of its lines. */
interface LoopMark {
  loop: LoopRow;
  begins: boolean;
  ends: boolean;
  /** Position of the bracket, from 0; `null` if the loop is too deep for a bracket. */
  place: number | null;
}

/** Returns the first of these functions that has loops or calls itself; `null` if none does. */
export function callOf(findings: Findings, file: string, names: string[]): LoopFunctionRow | null {
  const rows = (findings.loop_functions ?? []).filter((row) => row.file === file);
  return names.flatMap((name) => rows.filter((row) => row.name === name))[0] ?? null;
}

/** Returns the loops of a file that ran or can run, outer ones first. */
export function loopsOf(findings: Findings, file: string): LoopRow[] {
  return (findings.loops ?? []).filter((row) => row.file === file);
}

/** Formats the trips: `n`, `≤ n`, or the observed range; empty if the loop never ran. */
export function tripsText(loop: LoopRow): string {
  const { formula, bound, off } = loop.trips;
  if (formula !== undefined) return `${visible(formula)}${off > 0 ? ' !' : ''}`;
  if (loop.trips.status === 'constant') return `${number.cost(loop.least)} each time`;
  if (bound !== undefined) return `≤ ${visible(bound)}`;
  return loop.activations ? `${rangeText(loop)} seen` : '';
}

/** Formats the trips in few characters: `8` if constant, `1–229 ?` if they depend on the data. */
export function briefTripsText(loop: LoopRow): string {
  if (!isDetermined(loop)) return loop.activations ? `${rangeText(loop)} ?` : '';
  return loop.trips.formula === undefined && loop.trips.status === 'constant'
    ? rangeText(loop)
    : tripsText(loop);
}

function rangeText(loop: LoopRow): string {
  const [least, greatest] = [number.cost(loop.least), number.cost(loop.greatest)];
  return least === greatest ? greatest : `${least}–${greatest}`;
}

/** Returns the brackets on a line, outer ones first. */
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

/** Returns the loops around a line, from the innermost to the outermost. */
export function loopsAround(loops: LoopRow[], line: number): LoopRow[] {
  return loops
    .filter((loop) => loop.line <= line && line <= loop.last_line)
    .sort((a, b) => b.depth - a.depth || b.line - a.line || numberOf(b) - numberOf(a));
}

/** Returns a loop and one enclosing loop at each smaller depth, out of the loops around a line. */
export function nestOf(around: LoopRow[], loop: LoopRow): LoopRow[] {
  const outer = around.filter(({ depth }) => depth < loop.depth);
  return [loop, ...outer.filter(({ depth }, i) => depth !== outer[i - 1]?.depth)];
}

/**
 * Returns the loops that a panel describes: those that begin on the line, in source order, or else the innermost one
 * around it.
 */
export function loopsToShow(around: LoopRow[], line: number): LoopRow[] {
  const begun = around.filter((loop) => loop.line === line).sort((a, b) => numberOf(a) - numberOf(b));
  return begun.length > 0 ? begun : around.slice(0, 1);
}

/** Returns the number of a loop among the loops on its line. */
function numberOf({ number: which }: LoopRow): number {
  return which ?? 1;
}

/** Formats `line 12`, or `line 12 no. 2` if several loops begin on the line. */
export function placeText(loop: LoopRow): string {
  return `line ${loop.line}${loop.number === undefined ? '' : ` no. ${loop.number}`}`;
}

/** Formats the number of entries and the total of trips, which may be unknown for constant trips. */
export function enteredText({ activations, total }: LoopRow): string {
  if (activations === null) return 'not counted';
  return `${number.cost(activations)} times${total === null ? '' : `, ${number.cost(total)} trips`}`;
}

/** Says in a few words how well the trips are known. The loop's notes have the rest. */
export function statusText(loop: LoopRow): string {
  const { status, points, off } = loop.trips;
  const seen = `${points} ${points === 1 ? 'combination' : 'combinations'} of inputs`;
  switch (status) {
    case 'exact':
      return points > 0 ? `exact at ${seen}` : 'constant';
    case 'fitted':
      return off > 0 ? `fitted, but not at ${off} of ${seen}` : `fitted to ${seen}`;
    case 'constant':
      return 'constant';
    case 'symbolic':
      return 'depends on the data';
    case 'unknown':
      return loop.activations === 0 ? 'never run' : 'unknown';
  }
}

/** Formats the trips and how well they are known: `n trips, exact at 5 combinations of inputs`. */
export function tripsSentence(loop: LoopRow): string {
  const { formula, bound, status } = loop.trips;
  const isText = status !== 'constant' && (formula ?? bound) !== undefined;
  const trips = isText ? tripsText(loop) : loop.activations ? rangeText(loop) : '';
  return `${trips === '' ? '' : `${trips} trips, `}${statusText(loop)}`;
}

/** Returns the trips in a whole run at a point of the analysis; `null` if there is no law or too few runs. */
export function tripsThen(loop: LoopRow, point: number): Estimate | null {
  const run = loop.in_run;
  const cost = run?.at[point];
  if (!run || typeof cost !== 'number') return null;
  return { cost, ci: run.ci?.[point] ?? null, source: run.status === 'several' ? 'classes' : 'class' };
}

/** Returns true if the program's variables determine the trips or bound them. */
export function isDetermined({ trips }: LoopRow): boolean {
  return trips.formula !== undefined || trips.bound !== undefined || trips.status === 'constant';
}
