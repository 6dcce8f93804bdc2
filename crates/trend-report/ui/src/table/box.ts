/** The measures of the box that a grid scrolls in. */

import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

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
