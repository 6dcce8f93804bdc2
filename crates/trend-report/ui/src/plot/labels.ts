/**
 * Names of lines at their ends. Where ends lie together the names are pushed apart, in the order of the ends so that
 * the lines that lead back to them do not cross; where there is no room for all, the first series have theirs.
 *
 *     one ─╮          one ╲
 *     two ─┤    →     two ──
 *     six ─╯          six ╱
 */

import { shorten } from '../format/text';
import type { Frame } from './frame';
import type { Pixel } from './marks';
import type { Guide, Series } from './types';

export interface Label {
  text: string;
  tone: string;
  /** Of the text's end and its base line, in pixels. */
  x: number;
  y: number;
  /** From the text to the end of its line, where it does not stand beside it. */
  leader: readonly [Pixel, Pixel] | null;
}

export interface GuideLabel {
  text: string;
  anchor: 'start' | 'end';
  x: number;
  y: number;
}

const LONGEST = 28;
/** A name takes no more of the drawing's width, so that lines can be seen beside it. */
const WIDEST_PART = 0.6;
/** Names that stand above each other take no more of the drawing's height; less where it is narrow and they hide lines. */
const TALLEST_PART = 0.75;
const TALLEST_PART_IF_NARROW = 0.3;
/** From one base line to the next: a text of this size is 14 pixels tall. */
const LINE = 15;
/** What of it is above the base line. */
const ASCENT = 11;
/** Widths of characters at the size of labels, rather too large: of most scripts, and of those of East Asia. */
const CHARACTER = 7;
const WIDE = 12;
const FIRST_WIDE = 0x1100;
/** From a name to the end of its line: beside it and what marks it, and where a line leads there. */
const BESIDE = 7;
const LED = 18;
/** A name that moved by less still stands beside its end. */
const HARDLY = 8;

/** Narrower drawings have no room for labels of guides, and for few names. */
const NARROW = 420;

/** A name, its line's end, and where it would stand if it were alone. */
interface Wanted {
  text: string;
  tone: string;
  end: Pixel;
  y: number;
}

export function endLabels(
  series: readonly Series[],
  frame: Frame,
  guides: readonly GuideLabel[] = [],
): Label[] {
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const room = (right - left) * WIDEST_PART;
  const wanted: Wanted[] = [];
  for (const s of series) {
    if (s.kind !== 'line' || !s.labelled) continue;
    const end = lastInside(s.points, frame);
    if (!end) continue;
    wanted.push({ text: fitting(s.name, room), tone: s.tone ?? '', end, y: end[1] - 5 });
  }
  const lowest = Math.min(bottom - 4, ...guides.map((g) => g.y - LINE));
  const part = frame.width < NARROW ? TALLEST_PART_IF_NARROW : TALLEST_PART;
  const most = Math.floor(((lowest - top - ASCENT) * part) / LINE) + 1;
  return place(wanted.slice(0, Math.max(most, 1)), top + ASCENT, lowest);
}

/** Where the labels of guides stand: upright ones near the bottom, in rows, so that neighbours do not lie on each other. */
export function guideLabel(guide: Guide, frame: Frame, row: number): GuideLabel | null {
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  const at = frame[guide.axis].at(guide.at);
  if (guide.label === '') return null;
  if (guide.axis === 'y') {
    if (!within(at, top, bottom)) return null;
    return { text: guide.label, anchor: 'end', x: right - 2, y: at - 5 };
  }
  if (!within(at, left, right) || frame.width < NARROW) return null;
  const late = at > (left + right) / 2;
  return {
    text: guide.label,
    anchor: late ? 'end' : 'start',
    x: late ? at - 4 : at + 4,
    y: bottom - 6 - (row % 3) * 15,
  };
}

export function within(pixel: number, from: number, to: number): boolean {
  return pixel >= from - 0.5 && pixel <= to + 0.5;
}

/** The name, shortened to what the drawing has room for. */
function fitting(name: string, room: number): string {
  const text = shorten(name, Math.max(Math.min(LONGEST, Math.floor(room / CHARACTER)), 1));
  return widthOf(text) <= room ? text : shorten(name, Math.max(Math.floor(room / WIDE), 1));
}

/** About, and rather too much. */
function widthOf(text: string): number {
  let width = 0;
  for (const c of text) width += (c.codePointAt(0) ?? 0) < FIRST_WIDE || c === '…' ? CHARACTER : WIDE;
  return width;
}

/** The names between two base lines. */
function place(wanted: readonly Wanted[], highest: number, lowest: number): Label[] {
  const shown = [...wanted].sort((a, b) => a.y - b.y);
  const ys = apart(
    shown.map((w) => w.y),
    LINE,
    highest,
    lowest,
  );
  return shown.map((w, i): Label => {
    const y = ys[i] ?? w.y;
    const isLed = Math.abs(y - w.y) > HARDLY;
    const x = w.end[0] - (isLed ? LED : BESIDE);
    const leader = isLed ? ([[x + 3, y - 4], w.end] as const) : null;
    return { text: w.text, tone: w.tone, x, y, leader };
  });
}

/**
 * Places of labels from top to bottom, as near to where they are wanted, which ascends, as a gap between two allows: down
 * from the one above where that is too near, and up from the lowest.
 */
export function apart(wanted: readonly number[], gap: number, highest: number, lowest: number): number[] {
  const places: number[] = [];
  for (const y of wanted) places.push(Math.max(y, (places.at(-1) ?? highest - gap) + gap));
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i] ?? 0, (places[i + 1] ?? lowest + gap) - gap);
  }
  return places;
}

/** The last point of a line that the drawing shows. */
function lastInside(points: readonly (readonly [number, number])[], frame: Frame): [number, number] | null {
  const [left, right] = frame.x.range;
  const [bottom, top] = frame.y.range;
  for (let i = points.length - 1; i >= 0; i--) {
    const p = points[i];
    if (!p) continue;
    const [x, y] = [frame.x.at(p[0]), frame.y.at(p[1])];
    if (x >= left && x <= right && y >= top && y <= bottom) return [x, y];
  }
  return null;
}
