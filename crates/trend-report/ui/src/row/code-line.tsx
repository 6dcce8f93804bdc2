/** A line of the source where the page has it; it comes when its file is inflated, and nothing waits for it. */

import { useEffect, useState } from 'preact/hooks';

import { sourceOf } from '../source/load';
import { shownLines } from '../source/text';
import { page } from '../state/store';

/** Larger files take longer to inflate than a line is worth. */
const MOST_BYTES = 2_000_000;

export function useCodeLine(file: string, line: number): string | null {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    setText(null);
    const index = page.value.sourceIndex.get(file);
    const known = index === undefined ? undefined : page.value.data.sources[index];
    const isLarge = known ? known.bytes > MOST_BYTES : !page.value.data.served;
    if (isLarge || line < 1) return;
    sourceOf(page.value, file)
      .then((whole) => wanted && setText(shownLines(whole)[line - 1]?.trim() ?? null))
      .catch(() => undefined); // The line is an extra: without it the page says file and line.
    return () => {
      wanted = false;
    };
  }, [file, line, page.value]);
  return text;
}

export function CodeLine({ file, line }: { file: string; line: number }) {
  const text = useCodeLine(file, line);
  if (!text) return null;
  return (
    <pre class="code-line">
      <code translate={false}>{text}</code>
    </pre>
  );
}
