/** A line of the source where the page has it. Its file is inflated when it has been in view for a moment. */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { sourceOf } from '../source/load';
import { shownLines } from '../source/text';
import { page } from '../state/store';

/** Rows that are scrolled past in less are not worth inflating a file for. */
const LINGER_MS = 120;
/** Longer lines are cut. */
const LONGEST = 160;
/** Larger files take longer to inflate than a line is worth. */
const MOST_BYTES = 2_000_000;

/** Lines by `revision\nfile`. */
const loaded = signal<ReadonlyMap<string, string[]>>(new Map());

/** `null` until it is there, and where it cannot be had. */
export function useCodeLine(file: string, line: number): string | null {
  const { data, sourceIndex } = page.value;
  const key = `${data.revision}\n${file}`;
  const bytes = data.sources[sourceIndex.get(file) ?? -1]?.bytes ?? (data.served ? 0 : Infinity);
  const wanted = line > 0 && bytes <= MOST_BYTES;
  useEffect(() => {
    if (!wanted || loaded.peek().has(key)) return;
    const timer = setTimeout(() => {
      const keep = (text: string) => (loaded.value = new Map(loaded.peek()).set(key, shownLines(text)));
      // The line is an extra: without it a page says file and line, and the file's own says why.
      sourceOf(page.value, file).then(keep, () => undefined);
    }, LINGER_MS);
    return () => clearTimeout(timer);
  }, [key, wanted]);
  return loaded.value.get(key)?.[line - 1]?.trim().slice(0, LONGEST) || null;
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
