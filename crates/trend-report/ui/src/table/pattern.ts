/** Regular expressions that a link may carry and that would keep the tab busy for ever. */

/**
 * How many ways to match a text a pattern may have, as a power of two. A repetition multiplies them by the length of
 * the text, which counts as `REPETITION`; an optional part and each alternative within a group by two.
 */
const MOST = 24;
const REPETITION = 8;

interface Group {
  /** Whether it contains a quantifier or an alternative, at any depth. */
  varies: boolean;
}

/**
 * Why a valid pattern could take forever, else `null`. Refused are backreferences, quantified groups that themselves
 * contain a quantifier or an alternative, as `(a+)+`, and more repetitions after each other than three. This refuses
 * patterns that would be quick, too; but none that is let through takes a number of steps that is exponential in the
 * text.
 *
 * - Time: O(n)
 */
export function whyForever(source: string): string | null {
  const open: Group[] = [];
  let ways = 0;
  /** The group that was closed just before, which a quantifier would repeat. */
  let closed: Group | null = null;
  let i = 0;
  while (i < source.length) {
    const before: Group | null = closed;
    closed = null;
    const char = source.charAt(i);
    const quantifier = QUANTIFIER.exec(source.slice(i, i + 40))?.[0];
    if (quantifier !== undefined) {
      i += quantifier.length;
      const bare = quantifier.length > 1 ? quantifier.replace(/\?$/, '') : quantifier;
      if (before?.varies && bare !== '?') return 'a repeated group contains a repetition or an alternative';
      for (const group of open) group.varies = true;
      ways += bare === '?' ? 1 : /^\{\d+\}$/.test(bare) ? 0 : REPETITION;
    } else if (char === '\\') {
      if (/[1-9k]/.test(source.charAt(i + 1))) return 'it refers back to a group';
      i += 2;
    } else if (char === '[') {
      i = endOfClass(source, i);
    } else if (char === '(') {
      open.push({ varies: false });
      i += /^\((\?(:|=|!|<=|<!|<[^>]*>|[a-z-]*:))?/.exec(source.slice(i))?.[0].length ?? 1;
    } else {
      if (char === ')') closed = open.pop() ?? null;
      if (char === '|' && open.length > 0) {
        for (const group of open) group.varies = true;
        ways += 1;
      }
      i++;
    }
  }
  return ways > MOST ? 'it repeats and chooses too often' : null;
}

/** With the mark that makes it lazy. */
const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;

/** The position after the `]` of the class that begins at `from`. */
function endOfClass(source: string, from: number): number {
  let i = from + 1;
  while (i < source.length && source.charAt(i) !== ']') i += source.charAt(i) === '\\' ? 2 : 1;
  return i + 1;
}
