/** Makes text from outside harmless and shortens it to fit. */

/** Control characters, bidirectional overrides, zero-width characters and tags. */
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** More than three marks on one character are an attempt to paint over other lines. */
const PILE_OF_MARKS = /(\p{M}{3})(\p{M}+)/gu;

/** Escapes characters that are invisible or change how other text is shown. */
export function visible(text: string): string {
  const escaped = text.replace(HIDDEN, escapeCharacter);
  return escaped.replace(
    PILE_OF_MARKS,
    (_, kept: string, rest: string) => kept + Array.from(rest, escapeCharacter).join(''),
  );
}

function escapeCharacter(c: string): string {
  if (c === '\n') return '\\n';
  if (c === '\r') return '\\r';
  if (c === '\t') return '\\t';
  const code = c.codePointAt(0) ?? 0;
  return code < 128 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/** Returns the visible text. If it is longer than `columns`, cuts its middle; a path loses folders first. */
export function shorten(text: string, columns: number): string {
  const shown = visible(text.length > 4096 ? `${text.slice(0, 2048)}…${text.slice(-2047)}` : text);
  const characters = Array.from(shown);
  if (characters.length <= columns) return shown;
  for (let i = shown.indexOf('/', 1); i >= 0; i = shown.indexOf('/', i + 1)) {
    const rest = shown.length - i;
    if (rest < columns) {
      if (rest < columns / 2) break;
      return `…${shown.slice(i)}`;
    }
  }
  const head = Math.floor(((columns - 1) * 2) / 5);
  const tail = columns - 1 - head;
  return `${characters.slice(0, head).join('')}…${characters.slice(-tail).join('')}`;
}

/** Capitalizes the first letter. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
