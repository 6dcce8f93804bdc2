/**
 * Colours for ranges of text without an element around each (the CSS Custom Highlight API): 2,500 lines take some ten
 * milliseconds. Where a browser has none the code is plain.
 */

import type { Kind, Token } from './tokens';

/** The names that `source.css` has rules for. */
const KINDS: Kind[] = ['keyword', 'string', 'comment', 'number', 'directive'];

export class Painter {
  private readonly highlights = new Map<Kind, Highlight>();

  constructor() {
    if (typeof Highlight === 'undefined' || !('highlights' in CSS)) return;
    for (const kind of KINDS) {
      const highlight = new Highlight();
      this.highlights.set(kind, highlight);
      CSS.highlights.set(`code-${kind}`, highlight);
    }
  }

  paint(node: Text, tokens: readonly Token[]): void {
    for (const [from, to, kind] of tokens) {
      const end = Math.min(to, node.length);
      if (from >= end) continue;
      const range = { startContainer: node, startOffset: from, endContainer: node, endOffset: end };
      this.highlights.get(kind)?.add(new StaticRange(range));
    }
  }

  /** Takes back everything, for another file. */
  end(): void {
    for (const kind of this.highlights.keys()) CSS.highlights.delete(`code-${kind}`);
    this.highlights.clear();
  }
}

/** The tokens of every line, in code units of the line; one that goes over lines is cut at their ends. */
export function tokensByLine(lines: readonly string[], tokens: readonly Token[]): Token[][] {
  const found: Token[][] = lines.map(() => []);
  let [line, start] = [0, 0];
  for (const [from, to, kind] of tokens) {
    while (line < lines.length && from > start + (lines[line]?.length ?? 0))
      start += (lines[line++]?.length ?? 0) + 1;
    let at = start;
    for (let i = line; i < lines.length && at < to; i++) {
      const length = lines[i]?.length ?? 0;
      if (from < at + length) found[i]?.push([Math.max(from - at, 0), Math.min(to - at, length), kind]);
      at += length + 1;
    }
  }
  return found;
}

/** Says of each element when it first comes near what is seen. */
export function whenNear(
  root: Element,
  elements: Iterable<Element>,
  tell: (near: Element[]) => void,
): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      const near = entries.filter((e) => e.isIntersecting).map((e) => e.target);
      near.forEach((element) => observer.unobserve(element));
      if (near.length > 0) tell(near);
    },
    { root, rootMargin: '1500px' },
  );
  for (const element of elements) observer.observe(element);
  return () => observer.disconnect();
}
