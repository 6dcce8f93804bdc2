/** Shows a line of source code if the page has it. Its file is inflated once the line has been in view for a moment. */

import { useFile } from '../source/load';
import { page } from '../state/state';

/** Time that a row must stay in view before its file is inflated. */
const LINGER_MS = 120;
/** Maximum length of a line; longer lines are cut. */
const LONGEST = 160;
/** Maximum file size: inflating a larger file takes longer than a line is worth. */
const MOST_BYTES = 2_000_000;

/**
 * Returns the line of code; `null` until it is loaded and if it is unavailable. The line is an extra: the page says
 * file and line anyway, and the file's own page says why it is missing.
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

/** Shows the line of code as a quotation. */
export function CodeLine({ file, line }: { file: string; line: number }) {
  const text = useCodeLine(file, line);
  return text === null ? null : <code class="line">{text}</code>;
}
