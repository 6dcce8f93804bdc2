/** The code of one line, in a cell. A file is inflated when the first row of it has been in view for a moment. */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { visible } from '../format/text';
import { sourceOf } from '../source/load';
import { page } from '../state/store';

/** Rows that are scrolled past in less are not worth inflating a file for. */
const LINGER_MS = 120;

/** Longer lines are cut: a cell shows less. */
const LONGEST = 160;

/** Lines by `revision\nfile`. */
const loaded = signal<ReadonlyMap<string, string[]>>(new Map());

export function CellCode({ file, line }: { file: string; line: number }) {
  const key = `${page.value.data.revision}\n${file}`;
  const lines = loaded.value.get(key);
  const carried = page.value.sourceIndex.has(file);
  useEffect(() => {
    if (!carried || loaded.value.has(key)) return;
    const timer = setTimeout(() => {
      const keep = (text: string) => (loaded.value = new Map(loaded.value).set(key, text.split('\n')));
      // A file that cannot be had shows no code here; its own page says why.
      sourceOf(page.value, file).then(keep, () => undefined);
    }, LINGER_MS);
    return () => clearTimeout(timer);
  }, [key, carried]);
  const code = lines?.[line - 1]?.trim().slice(0, LONGEST);
  return <code class="cell-code">{code === undefined ? '' : visible(code)}</code>;
}
