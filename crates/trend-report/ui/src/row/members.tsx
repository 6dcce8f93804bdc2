/** The locations of a cluster or of a function. */

import { useMemo } from 'preact/hooks';

import { functionId, type Page } from '../data/page';
import type { Member } from '../data/types';
import * as number from '../format/number';
import { href } from '../state/route';
import { page } from '../state/store';
import type { Column } from '../table/column';
import { Grid } from '../table/grid';
import { Name, Section } from '../view/parts';

export interface Located extends Member {
  /** The cluster that it is in. */
  cluster: string;
}

/** All members of clusters that are in a function. Time: O(members). */
export function locationsOf(page: Page, name: string, file: string): Located[] {
  return page.findings.clusters.flatMap((c) =>
    c.members.flatMap((m) =>
      m.function === name && m.file === file ? [{ ...m, cluster: c.representative.name }] : [],
    ),
  );
}

export function namesByCost(members: readonly Member[]): string[] {
  return [...members].sort((a, b) => b.max_cost - a.max_cost).map((m) => m.name);
}

export function Members({ members, of }: { members: Located[]; of: 'cluster' | 'function' }) {
  const columns = useMemo(() => columnsFor(of), [of]);
  return (
    <Section title="Locations">
      <Grid
        name={`locations-of-${of}`}
        noun="location"
        prefix="m."
        rows={members}
        columns={columns}
        id={(m) => m.name}
        href={(m) => (m.file ? href('source', m.file, { line: m.line }) : null)}
        search={(m) => `${m.name} ${m.function}`}
        defaultSort="-cost"
      />
    </Section>
  );
}

function columnsFor(of: 'cluster' | 'function'): Column<Located>[] {
  const elsewhere: Column<Located> =
    of === 'cluster'
      ? {
          key: 'function',
          title: 'function',
          value: (m) => m.function,
          render: (m) => <Name text={m.function} columns={40} />,
          href: (m) => functionHref(m),
          width: 10,
          grow: 1,
          priority: 2,
        }
      : {
          key: 'cluster',
          title: 'cluster',
          value: (m) => m.cluster,
          render: (m) => <Name text={m.cluster} columns={40} />,
          href: (m) => href('cluster', m.cluster),
          width: 10,
          grow: 1,
          priority: 2,
        };
  return [
    {
      key: 'location',
      title: 'location',
      value: (m) => m.name,
      render: (m) => <Name text={m.name} columns={50} />,
      width: 12,
      grow: 2,
      priority: 0,
    },
    elsewhere,
    {
      key: 'cost',
      title: 'max cost',
      value: (m) => m.max_cost,
      render: (m) => number.cost(m.max_cost),
      numeric: true,
      width: 6,
      priority: 1,
    },
    {
      key: 'r2',
      title: 'R²',
      hint: 'how well the cluster’s representative explains this location',
      value: (m) => m.r2,
      render: (m) => number.r2(m.r2),
      numeric: true,
      width: 4,
      priority: 3,
    },
    {
      key: 'lines',
      title: 'lines',
      hint: 'all lines of the block',
      value: (m) => m.lines.join(' '),
      sort: null,
      render: (m) => m.lines.slice(0, 8).join(', '),
      width: 8,
      priority: 4,
    },
    {
      key: 'unstable',
      title: 'unstable',
      hint: 'whether repeated runs of one workload gave different counts',
      value: (m) => m.unstable ?? false,
      render: (m) => (m.unstable ? 'yes' : ''),
      width: 5,
      priority: 5,
    },
  ];
}

function functionHref(m: Member): string | null {
  const id = functionId({ name: m.function, file: m.file });
  return page.value.functionIndex.has(id) ? href('function', id) : null;
}
