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

/**
 * Returns the visible text. If it is longer than `columns`, it is shortened as in the terminal, see
 * `trend-report/src/layout/text.rs`: a path loses folders, a C++ signature its parameters, a qualified name its
 * namespaces; otherwise the middle is cut.
 */
export function shorten(text: string, columns: number): string {
  return fitted(visible(text.length > 4096 ? `${text.slice(0, 2048)}…${text.slice(-2047)}` : text), columns);
}

const lengthOf = (text: string) => Array.from(text).length;

function fitted(text: string, columns: number): string {
  if (lengthOf(text) <= columns) return text;
  return (
    withoutFolders(text, columns) ??
    afterPlace(text, columns) ??
    ofSignature(text, columns) ??
    withoutNamespaces(text, columns) ??
    withoutMiddle(text, columns)
  );
}

function withoutFolders(text: string, columns: number): string | null {
  for (let i = text.indexOf('/', 1); i >= 0; i = text.indexOf('/', i + 1)) {
    const rest = text.length - i;
    if (rest < columns) return rest < columns / 2 ? null : `…${text.slice(i)}`;
  }
  return null;
}

/** Number of characters from which a name is still recognisable. */
const LEAST = 5;

/** Separators of a place and the text after it. */
const [CALLS, IN] = [' → ', ' in '];

/**
 * Shortens `src/main.rs:6 → ptr::drop_in_place` to `…/main.rs:6 → …in_place`: the file, the line and the end of the
 * text after them. Returns `null` if the text does not start with a place.
 */
function afterPlace(text: string, columns: number): string | null {
  const dot = text.indexOf('.');
  const line = dot < 0 ? null : /:\d+(?=\D)/.exec(text.slice(dot));
  if (!line) return null;
  const end = dot + line.index + line[0].length;
  const [whole, rest] = [text.slice(0, end), text.slice(end)];
  if (rest.startsWith(IN) && lengthOf(whole + IN) + LEAST > columns) return fitted(whole, columns);
  const inFile = whole.replace(/^.*\//su, '…/');
  const place = lengthOf(inFile) < lengthOf(whole) ? inFile : whole;
  const room = columns - lengthOf(place);
  if (room < LEAST) return withoutMiddle(text, columns);
  const signature = withoutParameters(rest) ?? rest;
  const name = signature.split('(…')[0] ?? rest;
  const fit = [rest, signature, name].find((one) => lengthOf(one) <= room);
  if (fit !== undefined) return place + fit;
  const arrow = [CALLS, IN].find((one) => rest.startsWith(one) && room >= one.length + LEAST) ?? '';
  const last = Array.from(name.slice(arrow.length)).slice(arrow.length + 1 - room);
  return `${place}${arrow}…${last.join('')}`;
}

function ofSignature(text: string, columns: number): string | null {
  const signature = withoutParameters(text);
  return signature !== null && signature.length < text.length ? fitted(signature, columns) : null;
}

/** Returns a demangled C++ name with `(…)` and `<…>` in place of its outermost brackets; `null` for other names. */
function withoutParameters(text: string): string | null {
  return /\)( const)?$/.test(text) ? masked(text).replace(/…+/g, '…') : null;
}

/**
 * Returns a function's name without parameters, and from one of its `::` on if there is no room for more: `…::insert`.
 * The name after the last `::` is cut last. Returns `null` for other names.
 */
function withoutNamespaces(text: string, columns: number): string | null {
  const name = text.replace(/\(…\)( const)?$/, '');
  const starts = Array.from(masked(name).matchAll(/::/g), ({ index }) => index);
  const own = name.slice((starts.at(-1) ?? -2) + 2);
  if (own === text || own === '') return null;
  const ends = starts.map((start) => `…${name.slice(start)}`);
  const fit = [name, ...ends, own].find((one) => lengthOf(one) <= columns);
  return fit ?? withoutMiddle(own, columns);
}

/** Replaces each character within the outermost brackets by `…`. The brackets of `operator()` and `operator<` stay. */
function masked(name: string): string {
  let [mask, depth, last] = ['', 0, ''];
  for (const c of name.split('')) {
    const isOperator = depth === 0 && (c === '<' ? /\boperator<?$/ : /\boperator$/).test(mask);
    // The `>` of an arrow in a function type closes nothing.
    if (')>]'.includes(c) && `${last}${c}` !== '->') depth = Math.max(depth - 1, 0);
    mask += depth === 0 ? c : '…';
    if ('(<['.includes(c) && !isOperator) depth += 1;
    last = c;
  }
  return mask;
}

function withoutMiddle(text: string, columns: number): string {
  const characters = Array.from(text);
  const head = Math.floor(((columns - 1) * 2) / 5);
  const tail = columns - 1 - head;
  return `${characters.slice(0, head).join('')}…${characters.slice(-tail).join('')}`;
}

/** Capitalizes the first letter. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
