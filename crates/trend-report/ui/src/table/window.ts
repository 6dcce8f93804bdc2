/**
 * Computes the rows of a tall table to draw: those in view and some around them. All rows have the same height, so
 * arithmetic is enough; a library for varying heights (TanStack's virtual-core) is 33 kB minified.
 */

import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Rows drawn above and below those in view, so that scrolling shows no gaps. */
const MARGIN = 4;

/**
 * Returns the first row to draw, and the end, which is not drawn. Lengths are in pixels; `top` is the distance that the
 * rows have been scrolled under their heading.
 */
export function rowsInView(top: number, viewHeight: number, rowHeight: number, count: number) {
  if (!(rowHeight > 0)) return { first: 0, end: 0 };
  // Moves in steps, so that most scroll events change nothing.
  const first = Math.floor(Math.max(top, 0) / rowHeight / MARGIN - 1) * MARGIN;
  const end = first + Math.ceil(viewHeight / rowHeight) + 3 * MARGIN;
  return { first: Math.max(Math.min(first, count), 0), end: Math.max(Math.min(end, count), 0) };
}

/** Returns the smallest scroll that brings a row fully into view. */
export function scrollToShow(row: number, top: number, viewHeight: number, rowHeight: number): number {
  const [above, below] = [row * rowHeight, (row + 1) * rowHeight - viewHeight];
  return Math.max(above < top || viewHeight < rowHeight ? above : Math.max(top, below), 0);
}

export interface Position {
  /** Index of the row; −1 is the heading. */
  row: number;
  column: number;
}

/**
 * Returns the position that a key leads to in a grid of `rows` × `columns`, with `page` rows in view. Returns `null`
 * for other keys.
 */
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
  /** Inner width in pixels; 0 before it is measured. */
  width: number;
  height: number;
  /** Scroll position in pixels, in steps of [`STEP`]. */
  top: number;
  /** Height of the screen below the box's upper edge. */
  maxHeight: number;
  /** Pixels per rem. */
  rem: number;
  onScroll: (e: Event) => void;
}

/** Minimum height at which scrolling in a box is still practical on a small screen, in pixels. */
const LEAST_HEIGHT = 320;

/** Steps in which a scroll is reported, in pixels; the rows around those in view are drawn anyway. */
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
