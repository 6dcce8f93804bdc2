/** The page of a cluster, and that of a function: what it costs, how that grows, and which lines it is. */

import { useMemo } from 'preact/hooks';

import { namesake } from '../data/page';
import { modelShown } from '../data/predict';
import type { Cluster as ClusterRow } from '../data/types';
import * as number from '../format/number';
import { RowBody } from '../row/body';
import { costFacts, Head, type Fact } from '../row/facts';
import { locationsOf, Members, namesByCost } from '../row/members';
import { Crossings, crossings } from '../row/overtakes';
import type { RowFacts } from '../row/shown';
import { href } from '../state/route';
import { page } from '../state/store';
import { Name } from '../view/parts';
import { Unknown } from '../view/unknown';

export function Cluster({ id }: { id: string }) {
  const found = page.value.cluster(id);
  const parts = useMemo(() => found && partsOfCluster(found), [found?.cluster, found?.extra]);
  if (!found || !parts) return <Unknown view="cluster" id={id} />;
  const { cluster } = found;
  const shown = modelShown(cluster);
  const first = namesake(cluster);
  const isFeature = cluster.representative.kind === 'feature';
  const facts: Fact[] = [
    { label: 'rank', value: `#${cluster.rank} of ${page.value.findings.clusters.length}` },
    ...costFacts(cluster, found.extra),
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
        title={page.value.title(cluster)}
        file={first?.file ?? ''}
        line={first?.line ?? 0}
        facts={facts}
        name={cluster.representative.name}
        feature={cluster.models[shown]?.feature ?? null}
      />
      <OwnLines cluster={cluster} />
      <RowBody row={parts.row} shown={shown} />
      <Crossings found={parts.crossings} />
      <Members names={parts.row.locations} />
    </>
  );
}

export function FunctionPage({ id }: { id: string }) {
  const found = page.value.function(id);
  const parts = useMemo(() => found && partsOfFunction(found), [found?.row, found?.extra]);
  if (!found || !parts) return <Unknown view="function" id={id} />;
  const { row } = found;
  const rank = (page.value.functionIndex.get(id) ?? 0) + 1;
  const shown = modelShown(row);
  return (
    <>
      <Head
        kind="Function"
        title={row.name}
        file={row.file}
        line={row.line}
        facts={[
          { label: 'rank', value: `#${rank} of ${page.value.findings.functions.length}` },
          ...costFacts(row, found.extra),
          { label: 'locations that vary', value: number.size(parts.row.locations.length) },
        ]}
        name={row.name}
        feature={row.models[shown]?.feature ?? null}
      />
      <RowBody row={parts.row} shown={shown} />
      <Members names={parts.row.locations} />
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

function partsOfCluster({ cluster, extra }: NonNullable<ReturnType<typeof page.value.cluster>>) {
  const name = cluster.representative.name;
  const locations = namesByCost(cluster.members);
  const row: RowFacts = { ...cluster, name, extra, of: { cluster: name }, locations };
  return { row, crossings: crossings(page.value, cluster) };
}

function partsOfFunction({ row: found, extra }: NonNullable<ReturnType<typeof page.value.function>>) {
  const locations = namesByCost(locationsOf(page.value, found.name, found.file));
  const of = { location: found.name, file: found.file };
  return { row: { ...found, extra, of, locations } };
}
