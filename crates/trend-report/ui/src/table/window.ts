/**
 * Which rows of a tall table are drawn: those in view and some around them. All rows are equally high, so this is
 * arithmetic; a library for it (TanStack's virtual-core) is 33 kB minified, for heights that vary.
 */

import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

interface Window {
  first: number;
  /** Exclusive. */
  end: number;
}

/** Rows drawn above and below those in view, so that a scroll shows no gaps. */
const MARGIN = 4;

/** Lengths in pixels; `top` is how far the rows have been scrolled under their heading. */
export function rowsInView(top: number, viewHeight: number, rowHeight: number, count: number): Window {
  if (!(rowHeight > 0)) return { first: 0, end: 0 };
  // In steps, so that most scroll events change nothing.
  const first = Math.floor(Math.max(top, 0) / rowHeight / MARGIN - 1) * MARGIN;
  const end = first + Math.ceil(viewHeight / rowHeight) + 3 * MARGIN;
  return { first: Math.max(Math.min(first, count), 0), end: Math.max(Math.min(end, count), 0) };
}

/** How far to scroll so that a row is wholly in view, moving as little as that takes. */
export function scrollToShow(row: number, top: number, viewHeight: number, rowHeight: number): number {
  const [above, below] = [row * rowHeight, (row + 1) * rowHeight - viewHeight];
  return Math.max(above < top || viewHeight < rowHeight ? above : Math.max(top, below), 0);
}

export interface Position {
  /** −1 is the heading. */
  row: number;
  column: number;
}

/** Where a key leads in a grid of `rows` × `columns`, `page` rows of which are in view; `null`: not a key of grids. */
export function moved(
  { row, column }: Position,
  key: string,
  ctrl: boolean,
  rows: number,
  columns: number,
  page: number,
): Position | null {
  const to = (r: number, c: number): Position => ({
    row: Math.max(Math.min(r, rows - 1), -1),
    column: Math.max(Math.min(c, columns - 1), 0),
  });
  switch (key) {
    case 'ArrowUp':
      return to(ctrl ? 0 : row - 1, column);
    case 'ArrowDown':
      return to(ctrl ? rows - 1 : row + 1, column);
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'ArrowRight':
      return to(row, column + 1);
    case 'PageUp':
      return to(Math.max(row - page, Math.min(row, 0)), column);
    case 'PageDown':
      return to(row + page, column);
    case 'Home':
      return ctrl ? to(0, 0) : to(row, 0);
    case 'End':
      return ctrl ? to(rows - 1, columns - 1) : to(row, columns - 1);
    default:
      return null;
  }
}

export interface Box {
  /** Of what is inside, in pixels; 0 before it was measured. */
  width: number;
  height: number;
  /** How far it is scrolled. */
  top: number;
  /** What is left of the screen below the box's upper edge. */
  maxHeight: number;
  /** Pixels per rem. */
  rem: number;
  onScroll: (e: Event) => void;
}

/** A box on a small screen is still worth scrolling in at this height, in pixels. */
const LEAST_HEIGHT = 320;

/** Steps in which a scroll is told, in pixels: rows around those in view are drawn anyway. */
const STEP = 64;

export function useBox(ref: RefObject<HTMLElement | null>): Box {
  const [box, setBox] = useState({ width: 0, height: 0, maxHeight: LEAST_HEIGHT, rem: 16 });
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
      const above = element.getBoundingClientRect().top + scrollY;
      const maxHeight = Math.max(innerHeight - above - rem, LEAST_HEIGHT);
      const now = { width: element.clientWidth, height: element.clientHeight, maxHeight, rem };
      setBox((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(document.body);
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      removeEventListener('resize', measure);
    };
  }, []);
  const onScroll = (e: Event) => {
    if (e.currentTarget instanceof HTMLElement) setTop(Math.floor(e.currentTarget.scrollTop / STEP) * STEP);
  };
  return { ...box, top, onScroll };
}
