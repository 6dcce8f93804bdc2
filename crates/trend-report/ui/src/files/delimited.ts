/** Rows of tables and points of plots as CSV and JSON (values are as they are, not rounded), and what is given to the reader as a file. */

/** A value as it is sorted and written; `null` = missing. */
export type Cell = string | number | boolean | null;

/**
 * Spreadsheets run what begins so as a formula. Names come from programs that somebody else wrote: such a text gets an
 * apostrophe in front, as OWASP advises. Numbers are numbers and stay; JSON is not for spreadsheets and stays too.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** RFC 4180, in files with a comma and in what is copied with a tab: spreadsheets read the same quotes in both. */
export function delimited(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  separator: ',' | '\t',
): string {
  const lines = [head, ...rows].map((cells) => cells.map((cell) => field(cell, separator)).join(separator));
  return `${lines.join('\r\n')}\r\n`;
}

function field(cell: Cell, separator: string): string {
  if (cell === null) return '';
  if (typeof cell === 'number' && !Number.isFinite(cell)) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  const quoted = safe.includes(separator) || /["\r\n]|^\s|\s$/.test(safe);
  return quoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** An array of objects, one per line, so that two exports can be compared line by line. */
export function json(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((cells) =>
    JSON.stringify(Object.fromEntries(head.map((key, i) => [key, cells[i] ?? null]))),
  );
  return `[\n${lines.join(',\n')}\n]\n`;
}

/** How long the browser may take to begin saving. */
const KEPT_MS = 10_000;

export function save(name: string, type: string, content: string): void {
  saveBlob(name, new Blob([content], { type: `${type};charset=utf-8` }));
}

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
