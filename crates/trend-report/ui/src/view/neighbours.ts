/** The row before or after the one that is shown, in the order of its ranking. */

import { functionId } from '../data/page';
import { href, route } from '../state/route';
import { page } from '../state/store';

/** Where `k` and `j` lead from the page that is shown; `null` where they lead nowhere. */
export function neighbour(step: 1 | -1): string | null {
  const { view, id } = route.value;
  const ids = idsOf(view);
  const at = ids.indexOf(id);
  const next = ids[at + step];
  return at < 0 || next === undefined ? null : href(view, next);
}

export function idsOf(view: string): string[] {
  const { findings } = page.value;
  if (view === 'cluster') return findings.clusters.map((c) => c.representative.name);
  if (view === 'function') return findings.functions.map(functionId);
  return [];
}
