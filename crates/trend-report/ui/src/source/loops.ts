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
    .sort((a, b) => b.depth - a.depth || b.line - a.line);
}

/** How well the trips are known, in words; of a sample, which part of all activations it is, and what that leaves open. */
export function statusText(loop: LoopRow): string {
  const { sampled, sampled_error: error } = loop;
  if (sampled === undefined) return knownText(loop);
  const part = `${number.share(sampled)} of the activations were kept`;
  const open =
    error === undefined
      ? ''
      : `, and at 95 % confidence at most ${number.significant(100 * error, 2)} % of all differ`;
  return `${knownText(loop)}; ${part}${open}`;
}

function knownText(loop: LoopRow): string {
  const { status, points, off } = loop.trips;
  const seen = `${points} ${points === 1 ? 'combination' : 'combinations'} of inputs`;
  switch (status) {
    case 'exact':
      return off > 0 ? `exact, but at ${off} of ${seen}` : points > 0 ? `exact at ${seen}` : 'constant';
    case 'fitted':
      return `fitted to ${seen}`;
    case 'constant':
      return [
        `${loop.least} ${loop.least === 1 ? 'trip' : 'trips'} in each of ${number.cost(loop.activations)} activations`,
        inputValues(loop),
      ]
        .filter((part) => part !== '')
        .join('; ');
    case 'symbolic':
      return `the data decide: between ${loop.least} and ${loop.greatest} trips`;
    case 'unknown':
      return loop.activations === 0 ? 'never run' : `unknown: seen at ${seen}`;
  }
}

/** The trips and how well they are known: `n trips, exact at 5 combinations of inputs`. */
export function tripsSentence(loop: LoopRow): string {
  const { formula, bound, status } = loop.trips;
  const isText = status !== 'constant' && (formula ?? bound) !== undefined;
  return `${isText ? `${tripsText(loop)} trips, ` : ''}${statusText(loop)}`;
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

/** `n was 8, m was 3 to 70`: the inputs that have values. */
function inputValues(loop: LoopRow): string {
  return loop.inputs
    .flatMap(({ name, least, greatest }) =>
      least === undefined || greatest === undefined
        ? []
        : [`${visible(name)} was ${least === greatest ? least : `${least} to ${greatest}`}`],
    )
    .join(', ');
}
