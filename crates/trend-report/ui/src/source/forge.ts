/** Links to where the code is hosted, by a pattern that the reader types. */

import { signal } from '@preact/signals';

const KEY = 'trend-prof.forge';

export const forgePattern = signal(read());

export function setForgePattern(pattern: string): void {
  forgePattern.value = pattern.trim();
  try {
    localStorage.setItem(KEY, forgePattern.value);
  } catch {
    // A page from a file or in a sandbox may have no storage; the pattern lives as long as the page.
  }
}

function read(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/** The address of a line, or `null` where the pattern is none: only of the web, never `javascript:`. */
export function forgeLink(pattern: string, file: string, line: number): string | null {
  if (!/^https?:\/\//i.test(pattern) || !pattern.includes('{file}')) return null;
  const path = file
    .replace(/^\/+/, '')
    .split('/')
    .map((part) => encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\ufffd')))
    .join('/');
  try {
    return new URL(pattern.replaceAll('{file}', () => path).replaceAll('{line}', String(line))).href;
  } catch {
    return null;
  }
}
