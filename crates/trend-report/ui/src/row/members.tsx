/** The locations of a cluster or of a function. */

import { useMemo } from 'preact/hooks';

import type { Page } from '../data/page';
import type { Member } from '../data/types';
import { LocationGrid } from '../listing/location-grid';
import { locationRows } from '../listing/locations';
import { feature, page } from '../state/store';
import { Section } from '../view/parts';

/** All members of clusters that are in a function. Time: O(members). */
export function locationsOf(page: Page, name: string, file: string): Member[] {
  return page.findings.clusters.flatMap((c) =>
    c.members.filter((m) => m.function === name && m.file === file),
  );
}

/** Names of locations, each once, the costliest first. */
export function namesByCost(members: readonly Member[]): string[] {
  return [...new Set([...members].sort((a, b) => b.max_cost - a.max_cost).map((m) => m.name))];
}

export function Members({ names }: { names: string[] }) {
  const shown = feature.value;
  const rows = useMemo(() => locationRows(page.value, shown, new Set(names)), [names, page.value, shown]);
  return (
    <Section title="Locations">
      <LocationGrid rows={rows} prefix="m." />
    </Section>
  );
}
