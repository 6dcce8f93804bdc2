/**
 * From the page's templates to data. At once and not in a promise: scripts at the end of a document run before it counts
 * as loaded, so that whoever takes a picture of a loaded page sees the app and not the static part.
 */

import { gunzipSync, strFromU8 } from 'fflate';

import type { PageData } from './types';

/** The data block of this page. */
export function loadData(): PageData {
  const template = document.querySelector<HTMLTemplateElement>('template#data');
  if (!template) throw new Error('the page has no data block');
  return JSON.parse(inflate(template)) as PageData;
}

/** The text of a source file by its position in `sources`. */
export function loadSource(index: number): string {
  const template = document.querySelectorAll<HTMLTemplateElement>('template.source')[index];
  if (!template) throw new Error('the page does not carry this file');
  return inflate(template);
}

function inflate(template: HTMLTemplateElement): string {
  return strFromU8(gunzipSync(bytesOf(template.content.textContent.trim())));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
