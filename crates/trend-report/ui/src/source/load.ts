/**
 * Loads the text of files from the page or from the server, and makes it harmless to show. Loaded files are kept, so
 * that each is inflated once.
 */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { loadSource } from '../data/load';
import type { Page } from '../data/page';
import { visible } from '../format/text';
import { page } from '../state/state';

/** The visible lines of a file, or the reason why there are none. */
interface Loaded {
  /** Revision of the study that the text belongs to; empty if loading failed, which lets it be tried again. */
  revision: string;
  text: string;
  lines: string[];
  why: string | null;
}

/** Loaded files by name, in the latest revision that was shown. */
const files = signal<ReadonlyMap<string, Loaded>>(new Map());

/** Files that are being loaded. */
const asking = new Set<string>();

/**
 * Returns a file once it has been wanted for `lingerMs`; `undefined` until it is loaded. After the study has grown,
 * returns the old text until the new one arrives.
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
    // Keeps the lines if the text has not changed, so that the view stays where it is.
    (text) => ({ text, revision, why: null, lines: before?.text === text ? before.lines : shownLines(text) }),
    (error: unknown) => ({
      text: '',
      revision: '',
      why: error instanceof Error ? error.message : String(error),
      lines: [],
    }),
  );
  asking.delete(key);
  // An answer does not name its revision; while the study changes it may belong to the previous one.
  if (page.peek().data.revision === revision) files.value = new Map(files.peek()).set(file, found);
}

async function load({ data, sourceIndex }: Page, file: string): Promise<string> {
  const index = sourceIndex.get(file);
  if (!data.served && index !== undefined) return loadSource(index);
  if (!data.served) {
    throw new Error(
      'The source of this file is not in this page: it could not be read when the page was written, or was left out ' +
        'to keep the page small.',
    );
  }
  const answer = await fetch(`/api/source?file=${encodeURIComponent(file)}`);
  const text = await answer.text();
  if (answer.ok) return text;
  throw new Error(`trend-prof has no source of this file: ${visible(text.slice(0, 300))}`);
}

/** Maximum length of a shown line. Minified files have lines of megabytes, which are unreadable anyway. */
const LONGEST_LINE = 2000;

/** Width of a tab in columns, as in the style sheet. */
const TAB = 4;

/** Returns the lines to show, one for each line of the file. */
export function shownLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines.map(shownLine);
}

function shownLine(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
  const cut = whole.length > LONGEST_LINE ? `${whole.slice(0, LONGEST_LINE)} …` : whole;
  // Keeps tabs, which indent code; makes all other invisible characters visible.
  if (isPlain(cut)) return cut;
  return cut
    .split('\t')
    .map((part) => visible(part))
    .join('\t');
}

function isPlain(line: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(line);
}

/** Returns the number of columns of the widest line, with tabs expanded to their stops. */
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
