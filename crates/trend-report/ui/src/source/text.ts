/** Source text, made harmless to show: what is invisible or turns text around is escaped, endless lines are cut. */

import { visible } from '../format/text';

/** Nobody reads on here; minified files have lines of megabytes. */
const LONGEST_LINE = 2000;

/** Columns that a tab stands for, as in the style sheet. */
export const TAB = 4;

/** The lines to show; as many as the file has. */
export function shownLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines.map(shownLine);
}

function shownLine(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
  const cut = whole.length > LONGEST_LINE ? `${whole.slice(0, LONGEST_LINE)} …` : whole;
  // Tabs are what code is indented with; everything else that cannot be seen is made visible.
  if (isPlain(cut)) return cut;
  return cut
    .split('\t')
    .map((part) => visible(part))
    .join('\t');
}

function isPlain(line: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(line);
}

/** Columns of the widest line, tabs counted to their stops. */
export function widest(lines: string[]): number {
  let most = 0;
  for (const line of lines) {
    if (line.length * TAB <= most) continue;
    let columns = 0;
    for (const c of line)
      columns += c === '\t' ? TAB - (columns % TAB) : (c.codePointAt(0) ?? 0) > 0x1100 ? 2 : 1;
    most = Math.max(most, columns);
  }
  return most;
}
