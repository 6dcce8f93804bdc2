/** The clusters and the functions, ranked: what costs most now, how it grows, and what it will cost. */

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

import type { Page } from '../data/page';
import * as number from '../format/number';
import { CellCode } from '../listing/cell-code';
import { MODEL_CHIPS, MODEL_FILTERS, modelColumns } from '../listing/columns';
import { FeatureChoice } from '../listing/feature-choice';
import { modelled, type ModelledRow, type PlainRow } from '../listing/modelled';
import { clusterRows, functionRows } from '../listing/rows';
import { href } from '../state/route';
import { feature, page } from '../state/store';
import { givenText, pointText, target } from '../state/target';
import { numbers, type Column } from '../table/column';
import { Grid } from '../table/grid';
import { RowLink } from '../table/row';
import { Name } from '../view/parts';

type Kind = 'cluster' | 'function';

export function Clusters() {
  const { varying } = page.value.findings.locations;
  return (
    <Rows kind="cluster" title="Clusters" rowsOf={clusterRows}>
      {number.plural(varying, 'location')} whose cost varies, grouped by costs that rise and fall together.
      They add up to the <a href={href('functions')}>functions</a>.
    </Rows>
  );
}

export function Functions() {
  const { functions, clusters } = page.value.findings;
  return (
    <Rows kind="function" title="Functions" rowsOf={functionRows}>
      The sum over all locations of each; {number.plural(functions.length, 'function')}. Locations that rise
      and fall together are <a href={href('clusters')}>{number.plural(clusters.length, 'cluster')}</a>.
    </Rows>
  );
}

interface RowsProps {
  kind: Kind;
  title: string;
  children: ComponentChildren;
  rowsOf: (page: Page) => PlainRow[];
}

function Rows({ kind, title, children, rowsOf }: RowsProps) {
  const now = page.value;
  const plain = useMemo(() => rowsOf(now), [now]);
  const rows = useMemo(() => modelled(plain), [plain, feature.value, target.value]);
  const columns = useMemo(() => columnsOf(kind, now), [now, target.value]);
  return (
    <>
      <header class="page-head wrap">
        <h1>{title}</h1>
        <p class="soft">{children}</p>
        <FeatureChoice />
      </header>
      {now.findings.features.length > 1 && <p class="soft">Predictions are at {pointText(target.value)}.</p>}
      <Grid
        name={`${kind}s`}
        noun={kind}
        rows={rows}
        columns={columns}
        id={(row) => row.id}
        href={(row) => href(kind, row.id)}
        search={(row) => `${row.name} ${row.file}:${row.line} ${row.function}`}
        defaultSort="-cost"
        filters={MODEL_FILTERS}
        chips={MODEL_CHIPS}
        rowHeight={3.1}
      />
    </>
  );
}

function columnsOf(kind: Kind, now: Page): Column<ModelledRow>[] {
  const columns: Column<ModelledRow>[] = [
    numbers('rank', '#', (row) => row.rank, String, {
      hint: 'rank by maximum cost',
      width: 2.6,
      priority: 3.2,
    }),
    {
      key: kind,
      title: kind === 'cluster' ? 'Cluster' : 'Function',
      hint: 'with where it is and its code',
      width: 10,
      grow: 1,
      priority: 0,
      value: (row) => (kind === 'cluster' ? row.name : row.function),
      render: (row) => <Place kind={kind} row={row} />,
    },
    ...modelColumns(now, givenText()),
  ];
  if (kind === 'function') return columns;
  return [
    ...columns,
    numbers('locations', 'Locations', (row) => row.locations, number.size, { width: 5, priority: 9 }),
  ];
}

function Place({ kind, row }: { kind: Kind; row: ModelledRow }) {
  const carried = page.value.sourceIndex.has(row.file);
  const where = row.line > 0 ? `${row.file}:${row.line}` : row.file;
  return (
    <span class="two-lines">
      <span class="ellipsis">
        <RowLink href={href(kind, row.id)}>
          <Name text={row.name} columns={72} />
        </RowLink>
      </span>
      {carried ? (
        <CellCode file={row.file} line={row.line} />
      ) : (
        kind === 'function' && (
          <span class="soft">
            <Name text={where} columns={48} />
          </span>
        )
      )}
    </span>
  );
}
