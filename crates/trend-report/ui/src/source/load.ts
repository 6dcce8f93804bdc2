/** The text of files, from the page or from who serves it, made harmless to show. Kept, since it was inflated once. */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { loadSource } from '../data/load';
import type { Page } from '../data/page';
import { visible } from '../format/text';
import { page } from '../state/state';

/** The lines of a file as they are shown, or why there are none. */
interface Loaded {
  /** Of the study that the text is of; empty where it could not be had, which may work the next time. */
  revision: string;
  text: string;
  lines: string[];
  why: string | null;
}

/** By file, of the revision that was looked at last. */
const files = signal<ReadonlyMap<string, Loaded>>(new Map());

/** Those that are asked for now. */
const asking = new Set<string>();

/**
 * A file when it has been wanted for so long; `undefined` until it is there. Of a study that has grown the text before, until
 * there is another.
 */
export function useFile(file: string, wanted = true, lingerMs = 0): Loaded | undefined {
  const { revision } = page.value.data;
  useEffect(() => {
    if (!wanted || files.peek().get(file)?.revision === revision) return;
    const timer = setTimeout(() => void ask(page.peek(), file), lingerMs);
    return () => clearTimeout(timer);
  }, [file, revision, wanted]);
  return files.value.get(file);
}

async function ask(now: Page, file: string): Promise<void> {
  const { revision } = now.data;
  const key = `${revision}\n${file}`;
  if (asking.has(key)) return;
  asking.add(key);
  const before = files.peek().get(file);
  const found = await load(now, file).then(
    // The same text again: what is shown stays where it is.
    (text) => ({ text, revision, why: null, lines: before?.text === text ? before.lines : shownLines(text) }),
    (error: unknown) => ({
      text: '',
      revision: '',
      why: error instanceof Error ? error.message : String(error),
      lines: [],
    }),
  );
  asking.delete(key);
  // An answer does not say which revision it is of; while the study changes it may be of the one before.
  if (page.peek().data.revision === revision) files.value = new Map(files.peek()).set(file, found);
}

async function load({ data, sourceIndex }: Page, file: string): Promise<string> {
  const index = sourceIndex.get(file);
  if (!data.served && index !== undefined) return loadSource(index);
  if (!data.served) {
    throw new Error(
      'This page does not carry the text of this file: it could not be read when the page was made, or was left out ' +
        'to keep the page small.',
    );
  }
  const answer = await fetch(`/api/source?file=${encodeURIComponent(file)}`);
  const text = await answer.text();
  if (answer.ok) return text;
  throw new Error(`trend-prof has no text of this file: ${visible(text.slice(0, 300))}`);
}

/** Nobody reads on here; minified files have lines of megabytes. */
const LONGEST_LINE = 2000;

/** Columns that a tab stands for, as in the style sheet. */
const TAB = 4;

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
