/** A cluster: what it costs, how that grows, and which lines it is. */

import { useMemo } from 'preact/hooks';

import { namesake } from '../data/page';
import { outlookFeature } from '../data/predict';
import * as number from '../format/number';
import type { Cluster as ClusterRow } from '../data/types';
import { href } from '../state/route';
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
  const first = namesake(cluster);
  const isFeature = cluster.representative.kind === 'feature';
  const facts: Fact[] = [
    { label: 'rank', value: `#${cluster.rank} of ${page.value.findings.clusters.length}` },
    ...costFacts(cluster),
    {
      label: cluster.members.length === 1 ? 'location' : 'locations',
      value: number.size(cluster.members.length),
    },
  ];
  const features = [...(isFeature ? [cluster.representative.name] : []), ...cluster.features];
  if (features.length > 0) {
    facts.push({ label: 'linear in', value: <Name text={features.join(', ')} columns={40} /> });
  }
  return (
    <>
      <Head
        kind={cluster.costly ? 'Cluster' : 'Cluster of little cost'}
        title={<Name text={page.value.title(cluster)} columns={90} />}
        file={first?.file ?? ''}
        line={first?.line ?? 0}
        facts={facts}
        name={cluster.representative.name}
        feature={cluster.models[shown]?.feature ?? null}
      />
      <OwnLines cluster={cluster} />
      <RowBody row={parts.row} shown={shown} />
      <Crossings found={parts.crossings} />
      <Members members={parts.members} of="cluster" />
    </>
  );
}

const MOST_OWN_LINES = 8;

/** Which lines of the user's own vary with a cluster whose cost is elsewhere. */
function OwnLines({ cluster }: { cluster: ClusterRow }) {
  const [costliest] = cluster.members;
  // One line of each function, the costliest.
  const functions = new Map(cluster.members.filter((m) => m.own).map((m) => [`${m.file}:${m.function}`, m]));
  const own = [...functions.keys()].flatMap(
    (key) => cluster.members.find((m) => `${m.file}:${m.function}` === key) ?? [],
  );
  if (!costliest || costliest.own || own.length === 0) return null;
  return (
    <p>
      Most of it is in code that is not yours: <Name text={costliest.name} columns={60} />. Your lines that
      vary with it, its callers among them:{' '}
      {own.slice(0, MOST_OWN_LINES).map((m, i) => (
        <span key={m.name}>
          {i > 0 && ', '}
          <a href={href('source', m.file, { line: m.line })}>
            <Name text={`${m.file}:${m.line}`} columns={50} />
          </a>
        </span>
      ))}
      {own.length > MOST_OWN_LINES && ` and ${own.length - MOST_OWN_LINES} more, below`}.
    </p>
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
