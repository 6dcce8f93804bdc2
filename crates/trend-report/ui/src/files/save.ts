/** Gives something to the reader as a file. */

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
