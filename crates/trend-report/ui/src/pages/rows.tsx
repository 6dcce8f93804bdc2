/** Ranks the clusters and the functions by cost, with their growth and their predicted cost. */

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

import type { Kind, Page } from '../data/page';
import * as number from '../format/number';
import { CellCode } from '../listing/cell-code';
import { FeatureChoice, MODEL_CHIPS, MODEL_FILTERS, modelColumns } from '../listing/columns';
import { modelled, type ModelledRow } from '../listing/modelled';
import { feature, givenText, href, page, pointText, target } from '../state/state';
import { type Column, numbers } from '../table/column';
import { Grid } from '../table/grid';
import { Linked, Name } from '../view/parts';

export function Clusters() {
  const { varying } = page.value.findings.locations;
  return (
    <Rows kind="cluster" title="Clusters">
      {number.plural(varying, 'location')} whose cost varies, grouped by costs that rise and fall together.
      They add up to the <a href={href('functions')}>functions</a>.
    </Rows>
  );
}

export function Functions() {
  const { functions, clusters } = page.value.findings;
  return (
    <Rows kind="function" title="Functions">
      {number.plural(functions.length, 'function')}, each the sum of its code locations. Locations that rise
      and fall together form <a href={href('clusters')}>{number.plural(clusters.length, 'cluster')}</a>.
    </Rows>
  );
}

interface RowsProps {
  kind: Kind;
  title: string;
  children: ComponentChildren;
}

function Rows({ kind, title, children }: RowsProps) {
  const now = page.value;
  const rows = useMemo(() => modelled(now.all(kind)), [now, kind, feature.value, target.value]);
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
        search={(row) => `${row.title} ${row.file}:${row.line} ${row.function}`}
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
    numbers('rank', '#', 'rank by maximum cost', [2.6, 3.2], (row) => row.rank, String),
    {
      key: kind,
      title: kind === 'cluster' ? 'Cluster' : 'Function',
      hint: 'with where it is and its code',
      width: 10,
      grow: 1,
      priority: 0,
      value: (row) => (kind === 'cluster' ? row.title : row.function),
      render: (row) => <Place kind={kind} row={row} />,
    },
    ...modelColumns(now, givenText()),
  ];
  if (kind === 'function') return columns;
  return [...columns, numbers('locations', 'Locations', 'in it', [5, 9], locationsOf, number.size)];
}

const locationsOf = ({ row }: ModelledRow) => ('members' in row ? row.members.length : null);

function Place({ kind, row }: { kind: Kind; row: ModelledRow }) {
  const carried = page.value.sourceIndex.has(row.file);
  const where = row.line > 0 ? `${row.file}:${row.line}` : row.file;
  return (
    <span class="two-lines">
      <span class="ellipsis">
        <Linked stop={false} to={href(kind, row.id)} text={row.title} columns={72} />
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
