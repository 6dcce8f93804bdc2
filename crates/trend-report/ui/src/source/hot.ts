/** The lines of a file that cost most, one after the other. */

/** The next of ascending `lines` after (or before) `from`, and around at the ends. */
export function nextLine(lines: number[], from: number, step: 1 | -1): number | null {
  const next = step > 0 ? lines.find((l) => l > from) : lines.findLast((l) => l < from);
  return next ?? (step > 0 ? lines[0] : lines[lines.length - 1]) ?? null;
}
