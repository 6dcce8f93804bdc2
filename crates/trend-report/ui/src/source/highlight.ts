/**
 * Colours for ranges of text without an element around each (the CSS Custom Highlight API): 2,500 lines take some ten
 * milliseconds. Where a browser has none the code is plain.
 */

import type { Token } from './lexer';

/** The names that `source.css` has rules for; later ones win. */
const ORDER = ['keyword', 'string', 'comment', 'number', 'directive', 'never', 'found', 'current'] as const;
export type Paint = (typeof ORDER)[number];

export class Painter {
  private readonly highlights = new Map<Paint, Highlight>();

  constructor() {
    if (typeof Highlight === 'undefined' || !('highlights' in CSS)) return;
    ORDER.forEach((name, priority) => {
      const highlight = new Highlight();
      highlight.priority = priority;
      this.highlights.set(name, highlight);
      CSS.highlights.set(`code-${name}`, highlight);
    });
  }

  paint(node: Text, tokens: Iterable<readonly [number, number, Paint]>): void {
    if (this.highlights.size === 0) return;
    for (const [from, to, name] of tokens) {
      const end = Math.min(to, node.length);
      if (from >= end) continue;
      const range = { startContainer: node, startOffset: from, endContainer: node, endOffset: end };
      this.highlights.get(name)?.add(new StaticRange(range));
    }
  }

  /** Takes back all of one paint. */
  wipe(...names: Paint[]): void {
    for (const name of names) this.highlights.get(name)?.clear();
  }

  /** Takes back everything, for another file. */
  end(): void {
    for (const name of this.highlights.keys()) CSS.highlights.delete(`code-${name}`);
    this.highlights.clear();
  }
}

/** Calls `paint` for each chunk when it first comes near what is seen. Returns how to stop. */
export function whenNear(
  root: Element,
  chunks: Iterable<Element>,
  paint: (chunk: HTMLElement) => void,
): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLElement)) continue;
        observer.unobserve(target);
        paint(target);
      }
    },
    { root, rootMargin: '1500px' },
  );
  for (const chunk of chunks) observer.observe(chunk);
  return () => observer.disconnect();
}

export type { Token };
