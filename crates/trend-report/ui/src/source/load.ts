/** The text of a file, from the page or from who serves it. Kept, since it was inflated once. */

import { loadSource } from '../data/load';
import type { Page } from '../data/page';
import { visible } from '../format/text';

const texts = new Map<string, Promise<string>>();

/** Why there is no text, in words. */
export class NoText extends Error {}

export function sourceOf(page: Page, file: string): Promise<string> {
  const key = `${page.data.revision}\n${file}`;
  const known = texts.get(key);
  if (known) return known;
  const text = load(page, file);
  texts.set(key, text);
  // What failed may work the next time: a file may have come back.
  text.catch(() => texts.delete(key));
  return text;
}

async function load(page: Page, file: string): Promise<string> {
  const index = page.sourceIndex.get(file);
  if (!page.data.served && index !== undefined) return loadSource(index);
  if (page.data.served) {
    const answer = await fetch(`/api/source?file=${encodeURIComponent(file)}`);
    if (answer.ok) return answer.text();
    throw new NoText(`trend-prof has no text of this file: ${visible((await answer.text()).slice(0, 300))}`);
  }
  throw new NoText(
    'This page does not carry the text of this file: it could not be read when the page was made, or was left out ' +
      'to keep the page small.',
  );
}
