/** Names of lines at their ends, moved apart where they would lie on each other. */

import { shorten } from '../format/text';
import type { Frame } from './frame';
import type { Series } from './types';

export interface Label {
  text: string;
  tone: string;
  /** Of the text's end and its base line, in pixels. */
  x: number;
  y: number;
}

const LONGEST = 28;
const LINE = 13;
/** About the width of a character at the size of labels. */
const CHARACTER = 6.5;

export function endLabels(series: readonly Series[], frame: Frame): Label[] {
  const placed: Label[] = [];
  for (const s of series) {
    if (s.kind !== 'line' || !s.labelled) continue;
    const end = lastInside(s.points, frame);
    if (!end) continue;
    const label = {
      text: shorten(s.name, LONGEST),
      tone: s.tone ?? '',
      x: end[0] - 4,
      y: Math.max(end[1] - 5, frame.y.range[1] + 10),
    };
    placed.push(apart(label, placed, frame.y.range[0] - 4));
  }
  return placed;
}

/** The place nearest below that is free; where there is none, its own. */
function apart(label: Label, placed: readonly Label[], bottom: number): Label {
  for (let y = label.y; y < bottom; y += LINE / 2) {
    const here = { ...label, y };
    if (!placed.some((other) => overlap(here, other))) return here;
  }
  return label;
}

function overlap(a: Label, b: Label): boolean {
  if (Math.abs(a.y - b.y) >= LINE) return false;
  return a.x - a.text.length * CHARACTER < b.x && b.x - b.text.length * CHARACTER < a.x;
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
