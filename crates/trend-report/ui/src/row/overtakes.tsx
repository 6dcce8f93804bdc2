/** Which clusters this one will cost more than, and which more than it. */

import type { Page } from '../data/page';
import * as number from '../format/number';
import { href } from '../state/route';
import { page } from '../state/store';
import { Name, Section } from '../view/parts';

/** The other cluster, and whether it is overtaken by the one that is shown. */
function crossings({ findings }: Page, id: string) {
  return findings.clusters.flatMap(({ representative: { name }, overtakes }) =>
    overtakes
      .filter((o) => (name === id) !== (o.cluster === id))
      .map((o) => ({ ...o, other: name === id ? o.cluster : name, overtakes: name === id })),
  );
}

export function Crossings({ id }: { id: string }) {
  const found = crossings(page.value, id);
  if (found.length === 0) return null;
  return (
    <Section title="Overtaking">
      <ul class="overtaking">
        {found.map(({ other, overtakes, feature, at }, i) => (
          <li key={i}>
            {overtakes ? 'Will cost more than ' : 'Will cost less than '}
            <a href={href('cluster', other, { feature })}>
              <Name text={page.value.titleOf(other)} />
            </a>{' '}
            from <Name text={feature} columns={24} /> = {number.size(Number(at.toPrecision(2)))} on.
          </li>
        ))}
      </ul>
    </Section>
  );
}
