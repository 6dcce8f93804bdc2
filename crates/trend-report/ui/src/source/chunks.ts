/**
 * A file cut into stretches of lines, each one text node: a file of 10,000 lines is a hundred nodes, the browser lays
 * out only what is near, and still finds text and copies it as it is.
 */

import type { Token } from './tokens';

export const LINES_PER_CHUNK = 100;

export interface Chunk {
  /** Its first line, from 1. */
  first: number;
  lines: number;
  text: string;
  /** Where `text` begins in the whole text. */
  start: number;
}

/** A range of the text of a chunk. */
export interface Stretch {
  chunk: number;
  from: number;
  to: number;
}

export interface SourceText {
  lines: string[];
  /** Where each line begins in the whole text. */
  starts: number[];
  text: string;
  chunks: Chunk[];
}

export function sourceText(lines: string[]): SourceText {
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const chunks: Chunk[] = [];
  for (let i = 0; i < lines.length; i += LINES_PER_CHUNK) {
    const part = lines.slice(i, i + LINES_PER_CHUNK);
    chunks.push({ first: i + 1, lines: part.length, text: part.join('\n'), start: starts[i] ?? 0 });
  }
  return { lines, starts, text: lines.join('\n'), chunks };
}

/** The tokens of every chunk, as stretches of it; one that goes over an end is cut there. */
export function tokensByChunk(source: SourceText, tokens: Token[]): Token[][] {
  const found: Token[][] = source.chunks.map(() => []);
  let i = 0;
  for (const [start, end, kind] of tokens) {
    while (start >= (source.chunks[i + 1]?.start ?? Infinity)) i++;
    for (let k = i; k < source.chunks.length; k++) {
      const chunk = source.chunks[k];
      if (!chunk || chunk.start >= end) break;
      const from = Math.max(start - chunk.start, 0);
      const to = Math.min(end - chunk.start, chunk.text.length);
      if (from < to) found[k]?.push([from, to, kind]);
    }
  }
  return found;
}

/** Where a place in a line is in its chunk; `line` from 1. */
export function stretch(source: SourceText, line: number, from: number, to: number): Stretch {
  const chunk = Math.floor((line - 1) / LINES_PER_CHUNK);
  const offset = (source.starts[line - 1] ?? 0) - (source.chunks[chunk]?.start ?? 0);
  return { chunk, from: offset + from, to: offset + to };
}
