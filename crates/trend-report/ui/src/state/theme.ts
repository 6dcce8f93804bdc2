/** Light, dark, or as the system says. In the address, so that a link shows what its sender saw. */

import { effect } from '@preact/signals';

import { param } from './route';

export const theme = param('theme');

/** Keeps the document's colours as the address says. */
export function followTheme(): void {
  effect(() => {
    const wanted = theme.value;
    const root = document.documentElement;
    if (wanted === 'light' || wanted === 'dark') root.dataset['theme'] = wanted;
    else delete root.dataset['theme'];
  });
}
