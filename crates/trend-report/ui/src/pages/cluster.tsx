/** A cluster: what it costs, how that grows, and which lines it is. */

import { useMemo } from 'preact/hooks';

import { representative } from '../data/page';
import { outlookFeature } from '../data/predict';
import * as number from '../format/number';
import { page } from '../state/store';
import { RowBody } from '../row/body';
import { costFacts, Head, type Fact } from '../row/facts';
import { Members, namesByCost } from '../row/members';
import { Crossings, crossings } from '../row/overtakes';
import { shownModel, type RowFacts } from '../row/shown';
import { Name } from '../view/parts';
import { Unknown } from '../view/unknown';

export function Cluster({ id }: { id: string }) {
  const found = page.value.cluster(id);
  const asked = outlookFeature();
  const parts = useMemo(() => found && partsOf(found), [found?.cluster, found?.extra]);
  if (!found || !parts) return <Unknown view="cluster" id={id} />;
  const { cluster } = found;
  const shown = shownModel(cluster.models, asked);
  const first = representative(cluster);
  const isFeature = cluster.representative.kind === 'feature';
  const facts: Fact[] = [
    { label: 'rank', value: `#${cluster.rank} of ${page.value.findings.clusters.length}` },
    ...costFacts(cluster),
    {
      label: cluster.members.length === 1 ? 'location' : 'locations',
      value: number.size(cluster.members.length),
    },
  ];
  if (cluster.features.length > 0) {
    facts.push({ label: 'follows', value: <Name text={cluster.features.join(', ')} columns={40} /> });
  }
  return (
    <>
      <Head
        kind={cluster.costly ? 'Cluster' : 'Cluster of little cost'}
        title={
          isFeature ? (
            <>
              What follows <Name text={cluster.representative.name} columns={80} />
            </>
          ) : (
            <Name text={cluster.representative.name} columns={90} />
          )
        }
        file={first?.file ?? ''}
        line={first?.line ?? 0}
        facts={facts}
        name={cluster.representative.name}
        feature={cluster.models[shown]?.feature ?? null}
      />
      <RowBody row={parts.row} shown={shown} />
      <Crossings found={parts.crossings} />
      <Members members={parts.members} of="cluster" />
    </>
  );
}

function partsOf({ cluster, extra }: NonNullable<ReturnType<typeof page.value.cluster>>) {
  const name = cluster.representative.name;
  const row: RowFacts = {
    name,
    models: cluster.models,
    extra,
    of: { cluster: name },
    locations: namesByCost(cluster.members),
    ...(cluster.joint ? { joint: cluster.joint } : {}),
    ...(cluster.decomposition ? { decomposition: cluster.decomposition } : {}),
  };
  const members = cluster.members.map((m) => ({ ...m, cluster: name }));
  return { row, members, crossings: crossings(page.value, cluster) };
}
