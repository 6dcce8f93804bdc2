/** A line of the source where the page has it. Its file is inflated when it has been in view for a moment. */

import { useFile } from '../source/load';
import { page } from '../state/state';

/** Rows that are scrolled past in less are not worth inflating a file for. */
const LINGER_MS = 120;
/** Longer lines are cut. */
const LONGEST = 160;
/** Larger files take longer to inflate than a line is worth. */
const MOST_BYTES = 2_000_000;

/**
 * `null` until it is there, and where it cannot be had: it is an extra, without which a page says file and line, and the file's
 * own says why.
 */
function useCodeLine(file: string, line: number): string | null {
  const { data, sourceIndex } = page.value;
  const bytes = data.sources[sourceIndex.get(file) ?? -1]?.bytes ?? (data.served ? 0 : Infinity);
  const found = useFile(file, line > 0 && bytes <= MOST_BYTES, LINGER_MS);
  return found?.lines[line - 1]?.trim().slice(0, LONGEST) || null;
}

export function CellCode({ file, line }: { file: string; line: number }) {
  return (
    <code class="cell-code" translate={false}>
      {useCodeLine(file, line)}
    </code>
  );
}

/** The same as a quotation. */
export function CodeLine({ file, line }: { file: string; line: number }) {
  const text = useCodeLine(file, line);
  return text === null ? null : <code class="line">{text}</code>;
}
