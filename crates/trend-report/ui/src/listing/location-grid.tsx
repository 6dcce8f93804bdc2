/** A table of locations: what each costs, and which cluster says how that grows. */

import { useMemo } from 'preact/hooks';

import { ownPowerLaw } from '../data/models';
import * as number from '../format/number';
import { exponentColumn, growthColumn, maxCostColumn } from './columns';
import { exponentScale, type Scale } from './interval-cell';
import type { LocationRow } from './locations';
import { href } from '../state/route';
import { page } from '../state/store';
import { numbers, type Column } from '../table/column';
import { Grid } from '../table/grid';
import { RowLink } from '../table/row';
import { Name } from '../view/parts';

/** `prefix`: of the grid's keys in the address. */
export function LocationGrid({ rows, prefix }: { rows: LocationRow[]; prefix: string }) {
  const columns = useMemo(() => columnsOf(exponentScale(rows.map((r) => ownPowerLaw(r.model)))), [rows]);
  return (
    <Grid
      name="locations"
      noun="location"
      prefix={prefix}
      rows={rows}
      columns={columns}
      id={(row) => row.name}
      href={whereTo}
      search={(row) => `${row.name} ${row.file}:${row.line} ${row.function}`}
      defaultSort="-cost"
      rowHeight={2.1}
    />
  );
}

/** The line in its source, or, where the page cannot show that, the cluster. */
function whereTo(row: LocationRow): string {
  if (page.value.data.served || page.value.sourceIndex.has(row.file)) {
    return href('source', row.file, { line: row.line });
  }
  return clusterHref(row);
}

function columnsOf(scale: Scale): Column<LocationRow>[] {
  return [
    {
      key: 'location',
      title: 'Location',
      hint: 'opens the source at the line',
      width: 10,
      grow: 1,
      priority: 0,
      value: (row) => row.name,
      render: (row) => (
        <span class="ellipsis">
          <RowLink href={whereTo(row)}>
            <Name text={row.name} columns={60} />
          </RowLink>
        </span>
      ),
    },
    {
      key: 'function',
      title: 'Function',
      width: 8,
      grow: 0.6,
      priority: 4,
      value: (row) => row.function,
      render: (row) => <Name text={row.function} columns={40} />,
    },
    {
      key: 'file',
      title: 'File',
      width: 8,
      grow: 0.5,
      priority: 8,
      value: (row) => row.file,
      render: (row) => <Name text={row.file} columns={40} />,
    },
    { key: 'line', title: 'Line', numeric: true, width: 3.6, priority: 9, value: (row) => row.line },
    maxCostColumn(),
    {
      key: 'cluster',
      title: 'Cluster',
      hint: 'the one whose representative it follows best; Enter here opens it',
      width: 9,
      grow: 0.6,
      priority: 5,
      value: (row) => row.clusterName,
      href: (row) => clusterHref(row),
      render: (row) => (
        <span class="ellipsis">
          <RowLink href={clusterHref(row)}>
            <Name text={row.clusterName} columns={40} />
          </RowLink>
          {row.clusters > 1 && <span class="soft"> and {row.clusters - 1} more</span>}
        </span>
      ),
    },
    growthColumn((row) => row.model, 9),
    exponentColumn((row) => ownPowerLaw(row.model), scale, 11),
    numbers('r2', 'R²', (row) => row.r2, number.r2, {
      hint: 'with the representative of its cluster',
      width: 3.6,
      priority: 7,
    }),
    {
      key: 'unstable',
      title: 'Unstable',
      hint: 'repeated runs of one workload gave different counts',
      width: 4.5,
      priority: 10,
      value: (row) => row.unstable,
      render: (row) => (row.unstable ? <span class="flag doubt">unstable</span> : ''),
    },
  ];
}

function clusterHref(row: LocationRow): string {
  return href('cluster', row.clusterName);
}
