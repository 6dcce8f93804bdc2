/** The clusters, ranked: what costs most now, how it grows, and what it will cost. */

import { useMemo } from 'preact/hooks';

import { outlookFeature } from '../data/predict';
import { NO_EXTRA, namesake, type Page } from '../data/page';
import * as number from '../format/number';
import { href } from '../state/route';
import { feature, page, target } from '../state/store';
import { CellCode } from '../listing/cell-code';
import { InBrief } from '../listing/cells';
import { modelColumns, rankColumn } from '../listing/columns';
import { FeatureChoice } from '../listing/feature-choice';
import { MODEL_CHIPS, MODEL_FILTERS } from '../listing/filters';
import { modelled, type ModelledRow, type PlainRow } from '../listing/modelled';
import { targetText } from '../listing/target-text';
import { Grid } from '../table/grid';
import { RowLink } from '../table/row';
import type { Column } from '../table/column';
import { Name } from '../view/parts';

export function Clusters() {
  const now = page.value;
  const shownFeature = outlookFeature();
  const size = target.value?.at;
  const plain = useMemo(() => plainRows(now), [now]);
  const rows = useMemo(
    () => modelled(plain, shownFeature),
    [plain, shownFeature, size, target.value?.feature],
  );
  const text = targetText();
  const columns = useMemo(() => columnsOf(now, rows, text), [now, rows, text, feature.value]);
  const { varying } = now.findings.locations;
  return (
    <>
      <header class="page-head">
        <h1>Clusters</h1>
        <p class="soft">
          {number.plural(varying, 'location')} whose cost varies, grouped by costs that rise and fall
          together.
        </p>
        <FeatureChoice />
      </header>
      <Grid
        name="clusters"
        noun="cluster"
        rows={rows}
        columns={columns}
        id={(row) => row.id}
        href={(row) => href('cluster', row.id)}
        search={(row) => `${row.name} ${row.file}:${row.line} ${row.function}`}
        defaultSort="-cost"
        filters={MODEL_FILTERS}
        chips={MODEL_CHIPS}
        rowHeight={3.1}
      />
    </>
  );
}

function plainRows(now: Page): PlainRow[] {
  const { findings, data } = now;
  return findings.clusters.map((cluster, i) => {
    const named = namesake(cluster);
    return {
      row: cluster,
      id: cluster.representative.name,
      name: now.title(cluster),
      file: named?.file ?? '',
      line: named?.line ?? 0,
      function: named?.function ?? '',
      rank: cluster.rank,
      costly: cluster.costly,
      maxCost: cluster.max_cost,
      shareOfLargest: cluster.share_of_largest,
      maxShare: cluster.max_share,
      locations: cluster.members.length,
      unstable: cluster.members.some((m) => m.unstable === true),
      overtakes: cluster.overtakes,
      extra: data.clusters[i] ?? NO_EXTRA,
    };
  });
}

function columnsOf(now: Page, rows: readonly ModelledRow[], text: string): Column<ModelledRow>[] {
  return [
    rankColumn(),
    {
      key: 'cluster',
      title: 'Cluster',
      hint: 'the location that it is named by, with its function and code',
      width: 10,
      grow: 1,
      priority: 0,
      value: (row) => row.name,
      render: (row) => <Place row={row} />,
    },
    { key: 'function', title: 'Function', width: 10, priority: 100, value: (row) => row.function },
    { key: 'file', title: 'File', width: 10, priority: 100, value: (row) => row.file },
    { key: 'line', title: 'Line', numeric: true, width: 4, priority: 100, value: (row) => row.line },
    ...modelColumns(now, rows, text),
    {
      key: 'locations',
      title: 'Locations',
      hint: 'how many there are in it',
      numeric: true,
      width: 5,
      priority: 9,
      value: (row) => row.locations,
      render: (row) => (row.locations ?? 0).toLocaleString('en-US'),
    },
  ];
}

function Place({ row }: { row: ModelledRow }) {
  return (
    <span class="two-lines">
      <span class="ellipsis">
        <RowLink href={href('cluster', row.id)}>
          <Name text={row.name} columns={72} />
        </RowLink>
      </span>
      <InBrief row={row} />
      {page.value.sourceIndex.has(row.file) && <CellCode file={row.file} line={row.line} />}
    </span>
  );
}
