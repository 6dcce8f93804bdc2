/** Searching within a file. */

export interface Match {
  /** From 1. */
  line: number;
  from: number;
  to: number;
}

/** Who has as many should type another letter. */
const MOST_MATCHES = 5000;

/** Every place of `wanted`; capital letters are told apart only where `wanted` has any. */
export function findIn(lines: string[], wanted: string): Match[] {
  if (wanted === '') return [];
  const exact = wanted !== wanted.toLowerCase();
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), exact ? 'gu' : 'giu');
  const found: Match[] = [];
  for (const [i, line] of lines.entries()) {
    for (const match of line.matchAll(pattern)) {
      found.push({ line: i + 1, from: match.index, to: match.index + match[0].length });
      if (found.length >= MOST_MATCHES) return found;
    }
  }
  return found;
}

/** The line that `:120` asks for. */
export function askedLine(typed: string, lines: number): number | null {
  const line = Number(/^:(\d{1,9})$/.exec(typed.trim())?.[1] ?? NaN);
  return line >= 1 && line <= lines ? line : null;
}

/** The next of ascending `lines` after (or before) `from`, and around at the ends. */
export function nextLine(lines: number[], from: number, step: 1 | -1): number | null {
  const next = step > 0 ? lines.find((l) => l > from) : lines.findLast((l) => l < from);
  return next ?? (step > 0 ? lines[0] : lines[lines.length - 1]) ?? null;
}
