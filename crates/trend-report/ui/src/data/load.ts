/** From the page's templates, or from the server, to data. */

import type { PageData } from './types';

/** The data block of this page. */
export async function loadData(): Promise<PageData> {
  const template = document.querySelector<HTMLTemplateElement>('template#data');
  if (!template) throw new Error('the page has no data block');
  return JSON.parse(await inflate(template)) as PageData;
}

/** The text of a source file by its position in `sources`. */
export async function loadSource(index: number): Promise<string> {
  const template = document.querySelectorAll<HTMLTemplateElement>('template.source')[index];
  if (!template) throw new Error('the page does not carry this file');
  return inflate(template);
}

async function inflate(template: HTMLTemplateElement): Promise<string> {
  const packed = bytesOf(template.content.textContent.trim());
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
