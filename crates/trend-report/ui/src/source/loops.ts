/** Loops beside the code: a bracket over each and its trips in the program's words. */

import type { Findings, LoopRow } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';

/** Brackets that stand beside each other; deeper loops have their text alone. */
export const MOST_BRACKETS = 3;

/** The part of a loop that lies in a stretch of lines. */
export interface LoopMark {
  loop: LoopRow;
  /** The first and the last line of the part, counted from the stretch's first. */
  from: number;
  to: number;
  /** Whether the loop begins and ends in the stretch. */
  begins: boolean;
  ends: boolean;
  /** The place of the bracket, from 0; `null` where there are too many. */
  place: number | null;
  /** The trips; nothing where the loop begins elsewhere. */
  text: string;
}

/** The loops of a file that ran or can run, outer ones first. */
export function loopsOf(findings: Findings, file: string): LoopRow[] {
  return (findings.loops ?? []).filter((row) => row.file === file);
}

/** `n`, `≤ n`, or as many as were seen; nothing where the loop never ran. */
export function tripsText(loop: LoopRow): string {
  const { formula, bound, off } = loop.trips;
  if (formula !== undefined) return `${visible(formula)}${off > 0 ? ' !' : ''}`;
  if (bound !== undefined) return `≤ ${visible(bound)}`;
  if (loop.activations === 0) return '';
  const [least, greatest] = [number.cost(loop.least), number.cost(loop.greatest)];
  return `${least === greatest ? greatest : `${least}–${greatest}`} seen`;
}

/** What of some loops lies in the `count` lines from `first` on. */
export function marksOf(loops: LoopRow[], first: number, count: number): LoopMark[] {
  const last = first + count - 1;
  return loops
    .filter((loop) => loop.line <= last && loop.last_line >= first)
    .map((loop) => ({
      loop,
      from: Math.max(loop.line, first) - first,
      to: Math.min(loop.last_line, last) - first,
      begins: loop.line >= first,
      ends: loop.last_line <= last,
      place: loop.depth <= MOST_BRACKETS ? loop.depth - 1 : null,
      text: loop.line >= first ? tripsText(loop) : '',
    }));
}

/** The loops around a line, from the innermost to the outermost. */
export function loopsAround(loops: LoopRow[], line: number): LoopRow[] {
  return loops
    .filter((loop) => loop.line <= line && line <= loop.last_line)
    .sort((a, b) => b.depth - a.depth || b.line - a.line);
}

/** How well the trips are known, in words. */
export function statusText(loop: LoopRow): string {
  const { status, points, off } = loop.trips;
  const seen = `${points} ${points === 1 ? 'combination' : 'combinations'} of inputs`;
  switch (status) {
    case 'exact':
      return off > 0 ? `exact, but at ${off} of ${seen}` : points > 0 ? `exact at ${seen}` : 'constant';
    case 'fitted':
      return `fitted to ${seen}`;
    case 'symbolic':
      return `the data decide: between ${loop.least} and ${loop.greatest} trips`;
    case 'unknown':
      return loop.activations === 0 ? 'never run' : `unknown: seen at ${seen}`;
  }
}
