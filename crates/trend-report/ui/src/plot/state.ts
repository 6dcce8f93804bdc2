/** State that plots share: the address, and the point that the reader looks at. */

import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import { param } from '../state/state';

interface Looked {
  link: string;
  /** The plot that describes the point; linked plots only mark it. */
  plot: string;
  series: number;
  id: number;
  /** True if the keyboard chose the point: a screen reader then announces it. */
  spoken: boolean;
}

/** The point under the pointer, or the point chosen by keys. */
export const looked = signal<Looked | null>(null);

/** Returns a parameter of the address. Its users are drawn again only when this parameter changes. */
export function useParam(key: string): string | null {
  return useMemo(() => param(key), [key]).value;
}

/** Last known widths by kind of plot, so that the next plot of a kind is drawn correctly at once. */
const widths = new Map<string, number>();

/**
 * Returns the current width of an element, in CSS pixels at the default font size. With a larger font the drawing is
 * scaled up too.
 */
export function useWidth(kind: string) {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(() => widths.get(kind) ?? 640);
  const [onPaper, setOnPaper] = useState(false);
  const isPrinting = useRef(false);
  const take = (now: number) => {
    if (now < 1) return; // Hidden: its last width is the best guess.
    widths.set(kind, now);
    setWidth(now);
  };
  useLayoutEffect(() => take(usual(ref.current?.clientWidth)), []);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!isPrinting.current) take(usual(entry?.contentRect.width));
    });
    observer.observe(ref.current);
    // Redraws the plot for paper, at the same fraction of the page width as on screen.
    const print = () => {
      isPrinting.current = true;
      setOnPaper(true);
      setWidth(Math.round(PAPER * partOf(ref.current)));
    };
    const back = () => {
      isPrinting.current = false;
      setOnPaper(false);
      take(usual(ref.current?.clientWidth));
    };
    addEventListener('beforeprint', print);
    addEventListener('afterprint', back);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', print);
      removeEventListener('afterprint', back);
    };
  }, []);
  return { ref, width, tall: onPaper ? TALL_ON_PAPER : 1 };
}

/** Width of an A4 sheet without its margins, in CSS pixels. */
const PAPER = 688;

/** Height of a drawing on paper, as a fraction of its height on screen. */
const TALL_ON_PAPER = 0.65;

function partOf(element: HTMLElement | null): number {
  const main = document.getElementById('main');
  if (!element || !main) return 1;
  const { paddingLeft, paddingRight } = getComputedStyle(main);
  const whole = main.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return whole > 0 ? Math.min(element.clientWidth / whole, 1) : 1;
}

/** Default font size of browsers in pixels. */
const USUAL = 16;

function usual(width = 0): number {
  const letters = parseFloat(getComputedStyle(document.documentElement).fontSize) || USUAL;
  return Math.round((width * USUAL) / letters);
}
