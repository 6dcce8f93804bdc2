/** What plots share: the address, and the point that is looked at. */

import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import { param } from '../state/state';

interface Looked {
  link: string;
  /** The plot that says what the point is; those linked to it only mark it. */
  plot: string;
  series: number;
  id: number;
  /** Whether by keyboard: then it is spoken. */
  spoken: boolean;
}

/** The point under the pointer or the one that keys went to. */
export const looked = signal<Looked | null>(null);

/** A parameter of the address; what uses it is drawn again only when that parameter changes. */
export function useParam(key: string): string | null {
  return useMemo(() => param(key), [key]).value;
}

/** Widths of the plots that were here before, so that the next of their kind is drawn right at once. */
const widths = new Map<string, number>();

/**
 * The width of an element as it changes, in CSS pixels of a page whose letters have the usual size: where they are
 * larger the drawing is scaled up with them.
 */
export function useWidth(kind: string) {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(() => widths.get(kind) ?? 640);
  const [onPaper, setOnPaper] = useState(false);
  const isPrinting = useRef(false);
  const take = (now: number) => {
    if (now < 1) return; // Hidden: the width that it had is the best guess.
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
    // On paper a drawing is made anew: as wide a part of it as it is of the page.
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

/** Of an A4 sheet without its margins, in CSS pixels. */
const PAPER = 688;

/** How tall a drawing is there, as a part of how tall it is on a screen. */
const TALL_ON_PAPER = 0.65;

function partOf(element: HTMLElement | null): number {
  const main = document.getElementById('main');
  if (!element || !main) return 1;
  const { paddingLeft, paddingRight } = getComputedStyle(main);
  const whole = main.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return whole > 0 ? Math.min(element.clientWidth / whole, 1) : 1;
}

/** Of letters in pixels, where nobody changed it. */
const USUAL = 16;

function usual(width = 0): number {
  const letters = parseFloat(getComputedStyle(document.documentElement).fontSize) || USUAL;
  return Math.round((width * USUAL) / letters);
}
