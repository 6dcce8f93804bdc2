/** The text of a file, from the page or from who serves it. Kept, since it was inflated once. */

import { loadSource } from '../data/load';
import type { Page } from '../data/page';
import { visible } from '../format/text';
import { page as shown } from '../state/store';

/** By file; of one revision only, so that a page that is open for days does not keep every text it has seen. */
const texts = new Map<string, Promise<string>>();
let revision = '';

/** Why there is no text, in words. */
export class NoText extends Error {}

export function sourceOf(page: Page, file: string): Promise<string> {
  if (revision !== page.data.revision) {
    texts.clear();
    revision = page.data.revision;
  }
  const known = texts.get(file);
  if (known) return known;
  const text = load(page, file);
  texts.set(file, text);
  // What failed may work the next time: a file may have come back.
  text.catch(() => texts.get(file) === text && texts.delete(file));
  return text;
}

async function load(page: Page, file: string): Promise<string> {
  const index = page.sourceIndex.get(file);
  if (!page.data.served && index !== undefined) return loadSource(index);
  if (page.data.served) {
    const answer = await fetch(`/api/source?file=${encodeURIComponent(file)}`);
    if (answer.ok) {
      const text = await answer.text();
      // The answer does not say which revision it is of; while the study changes it may be of the one before.
      const now = shown.peek();
      return now.data.revision === page.data.revision ? text : sourceOf(now, file);
    }
    throw new NoText(`trend-prof has no text of this file: ${visible((await answer.text()).slice(0, 300))}`);
  }
  throw new NoText(
    'This page does not carry the text of this file: it could not be read when the page was made, or was left out ' +
      'to keep the page small.',
  );
}
