/** Which clusters this one will cost more than, and which more than it. */

import type { Page } from '../data/page';
import type { Cluster } from '../data/types';
import * as number from '../format/number';
import { href } from '../state/route';
import { page } from '../state/store';
import { Name, Section } from '../view/parts';

interface Crossing {
  name: string;
  feature: string;
  at: number;
  /** Whether the other is overtaken by the one that is shown. */
  overtakes: boolean;
}

export function crossings(page: Page, cluster: Cluster): Crossing[] {
  const own = cluster.representative.name;
  const found: Crossing[] = cluster.overtakes.map((o) => ({
    name: o.cluster,
    feature: o.feature,
    at: o.at,
    overtakes: true,
  }));
  for (const other of page.findings.clusters) {
    for (const o of other.overtakes) {
      if (o.cluster !== own) continue;
      found.push({ name: other.representative.name, feature: o.feature, at: o.at, overtakes: false });
    }
  }
  return found;
}

export function Crossings({ found }: { found: Crossing[] }) {
  if (found.length === 0) return null;
  return (
    <Section title="Overtaking">
      <ul class="overtaking">
        {found.map((c, i) => (
          <li key={i}>
            {c.overtakes ? 'Will cost more than ' : 'Will cost less than '}
            <a href={href('cluster', c.name, { feature: c.feature })}>
              <Name text={page.value.titleOf(c.name)} />
            </a>{' '}
            from <Name text={c.feature} columns={24} /> = {number.size(Number(c.at.toPrecision(2)))} on.
          </li>
        ))}
      </ul>
    </Section>
  );
}
