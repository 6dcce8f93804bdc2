/**
 * Colours for ranges of text without an element around each (the CSS Custom Highlight API): 2,500 lines take some ten
 * milliseconds. Where a browser has none the code is plain.
 */

/** The names that `source.css` has rules for; later ones win. */
const ORDER = ['keyword', 'string', 'comment', 'number', 'directive', 'never'] as const;
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

  /** Takes back everything, for another file. */
  end(): void {
    for (const name of this.highlights.keys()) CSS.highlights.delete(`code-${name}`);
    this.highlights.clear();
  }
}

/** Says of each chunk when it first comes near what is seen, and of all before they are printed. */
export function whenNear(
  root: Element,
  chunks: Iterable<Element>,
  tell: (chunks: HTMLElement[]) => void,
): () => void {
  const waiting = new Set<HTMLElement>();
  const observer = new IntersectionObserver(
    (entries) => {
      const come = entries.filter((e) => e.isIntersecting).map((e) => e.target as HTMLElement);
      for (const chunk of come) {
        observer.unobserve(chunk);
        waiting.delete(chunk);
      }
      if (come.length > 0) tell(come);
    },
    { root, rootMargin: '1500px' },
  );
  for (const chunk of chunks) {
    if (!(chunk instanceof HTMLElement)) continue;
    waiting.add(chunk);
    observer.observe(chunk);
  }
  const all = () => {
    tell([...waiting]);
    waiting.clear();
    observer.disconnect();
  };
  addEventListener('beforeprint', all);
  return () => {
    observer.disconnect();
    removeEventListener('beforeprint', all);
  };
}
