/** Writes table rows and plot points as CSV and JSON, unrounded, and offers them to the reader as files. */

/** A value for sorting and writing; `null` = missing. */
export type Cell = string | number | boolean | null;

/**
 * Beginnings of texts that spreadsheets run as a formula. Names come from other people's programs, so such a text gets
 * an apostrophe in front, as OWASP advises. Numbers and JSON stay as they are.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * Writes rows by RFC 4180: with commas in files, with tabs on the clipboard. Spreadsheets read the same quotes in both.
 */
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

/** Writes an array of objects, one per line, so that two exports can be compared line by line. */
export function json(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((cells) =>
    JSON.stringify(Object.fromEntries(head.map((key, i) => [key, cells[i] ?? null]))),
  );
  return `[\n${lines.join(',\n')}\n]\n`;
}

/** Time that the browser may take to begin saving. */
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
