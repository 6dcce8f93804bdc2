/**
 * A small lexer: enough to colour code, wrong at most in its colours. One pass, O(length), no backtracking, so that
 * no file can make it slow.
 */

import type { Language } from './languages';

export const KINDS = ['keyword', 'string', 'comment', 'number', 'directive'] as const;
export type Kind = (typeof KINDS)[number];

/** `[start, end, kind]`, in code units of the text; ascending, without overlaps. */
export type Token = [number, number, Kind];

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER =
  /(?:0[xX][0-9a-fA-F_']+|0[bB][01_']+|[0-9][0-9_']*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9_]+)?)\w*/y;
/** What cannot begin a token is skipped in one go. */
const OTHER = /[^\p{L}\p{N}_$"'`/#\n]+/uy;

export function tokens(text: string, language: Language): Token[] {
  const found: Token[] = [];
  let at = 0;
  let lineIsEmpty = true;
  while (at < text.length) {
    const from = at;
    const c = text.charAt(at);
    if (c === '\n') {
      lineIsEmpty = true;
      at++;
      continue;
    }
    const comment = endOfComment(text, at, language);
    if (comment > 0) {
      at = comment;
      found.push([from, at, 'comment']);
    } else if (language.preprocessor && lineIsEmpty && c === '#') {
      at = endOfMatch(/#\s*\w*/y, text, at) || at + 1;
      found.push([from, at, 'directive']);
    } else if (c === '"' || c === "'" || c === '`') {
      at = endOfString(text, at, language);
      if (at > from + 1) found.push([from, at, 'string']);
    } else if (c >= '0' && c <= '9') {
      at = endOfMatch(NUMBER, text, at) || at + 1;
      found.push([from, at, 'number']);
    } else {
      const word = endOfMatch(WORD, text, at);
      if (word > 0) {
        at = word;
        if (language.keywords.has(text.slice(from, at))) found.push([from, at, 'keyword']);
      } else {
        at = endOfMatch(OTHER, text, at) || at + 1;
      }
    }
    if (text.slice(from, at).trim() !== '') lineIsEmpty = false;
  }
  return found;
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

/** Where the comment that begins here ends; 0 where none begins. */
function endOfComment(text: string, at: number, language: Language): number {
  if (language.lineComments.some((mark) => text.startsWith(mark, at))) return lineEnd(text, at);
  const [open, close] = language.blockComment ?? ['', ''];
  if (open === '' || !text.startsWith(open, at)) return 0;
  let depth = 1;
  let i = at + open.length;
  let closing = -1;
  while (depth > 0) {
    // Looked up again only once it is passed: else many openings before one close would take forever.
    if (closing < i) closing = text.indexOf(close, i);
    if (closing < 0) return text.length;
    const opening = language.nests ? indexBefore(text, open, i, closing) : -1;
    depth += opening >= 0 ? 1 : -1;
    i = opening >= 0 ? opening + open.length : closing + close.length;
  }
  return i;
}

/** Where the string that begins here ends; one character on where this is no string after all. */
function endOfString(text: string, at: number, language: Language): number {
  if (language.lifetimes && text[at] === "'") {
    // A character is `'x'` or an escape; anything else is a lifetime or a label.
    const character = endOfMatch(/'(?:\\[^\n]{1,9}?'|[^\\'\n]{1,2}')/y, text, at);
    return character || endOfMatch(/'\w*/y, text, at) || at + 1;
  }
  const long = language.multiline.find((quote) => text.startsWith(quote, at));
  if (long === undefined && !language.quotes.includes(text.charAt(at))) return at + 1;
  const quote = long ?? text.charAt(at);
  let i = at + quote.length;
  for (; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text.startsWith(quote, i)) return i + quote.length;
    else if (long === undefined && text[i] === '\n') return i;
  }
  return text.length;
}

/** Like `indexOf`, without looking further than `end`. */
function indexBefore(text: string, wanted: string, from: number, end: number): number {
  for (let i = from; i < end; i++) if (text.startsWith(wanted, i)) return i;
  return -1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
