/** Ranks the clusters and the functions by their predicted cost, with their growth and their law. */

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

import type { Kind, Page } from '../data/page';
import * as number from '../format/number';
import { capitalized } from '../format/text';
import { CallIcicle, hasCallIcicle } from '../listing/call-icicle';
import { Who } from '../listing/cells';
import { FeatureChoice, MODEL_CHIPS, MODEL_FILTERS, modelColumns } from '../listing/columns';
import { modelled, type ModelledRow } from '../listing/modelled';
import { sizeThen } from '../overview/views';
import { feature, href, page, pointText, target } from '../state/state';
import { type Column, column, numbers } from '../table/column';
import { Grid } from '../table/grid';

export function Clusters() {
  const { varying } = page.value.findings.locations;
  return (
    <Rows kind="cluster">
      {number.plural(varying, 'location')} whose cost varies, grouped by costs that rise and fall together.
      They add up to the <a href={href('functions')}>functions</a>.
    </Rows>
  );
}

export function Functions() {
  const { functions, clusters } = page.value.findings;
  return (
    <Rows kind="function">
      {number.plural(functions.length, 'function')}, each the sum of its code locations. Locations that rise
      and fall together form <a href={href('clusters')}>{number.plural(clusters.length, 'cluster')}</a>.
    </Rows>
  );
}

function Rows({ kind, children }: { kind: Kind; children: ComponentChildren }) {
  const now = page.value;
  const rows = useMemo(() => modelled(now.all(kind)), [now, kind, feature.value, target.value]);
  const columns = useMemo(() => columnsOf(kind, now, rows), [now, rows]);
  const hasCalls = kind === 'function' && hasCallIcicle();
  return (
    <>
      <header class="page-head wrap">
        <h1>
          {capitalized(kind)}s at <bdi>{sizeThen()}</bdi>
        </h1>
        <p class="soft">
          {children} {now.findings.features.length > 1 && `Predictions are at ${pointText(target.value)}.`}
        </p>
        <FeatureChoice />
      </header>
      <Grid
        name={`${kind}s`}
        noun={kind}
        rows={rows}
        columns={columns}
        id={(row) => row.id}
        href={(row) => href(kind, row.id)}
        search={(row) => `${row.title} ${row.file}:${row.line} ${row.function} ${row.row.note ?? ''}`}
        defaultSort="-predicted"
        filters={MODEL_FILTERS}
        chips={MODEL_CHIPS}
        rowHeight={3.25}
        stacked={[kind, 'growth', 'now', 'predicted']}
        maxHeight={hasCalls ? '60vh' : undefined}
      />
      {hasCalls && <CallIcicle rows={rows} />}
    </>
  );
}

function columnsOf(kind: Kind, now: Page, rows: readonly ModelledRow[]): Column<ModelledRow>[] {
  const columns: Column<ModelledRow>[] = [
    column(kind, kind, [16, 0, 2], {
      hint: 'with its place and its code',
      value: (row) => (kind === 'cluster' ? row.title : row.function),
      render: ({ mark, id, fullTitle, file, line, row: { note } }) => (
        <Who {...{ mark, file, line, note }} to={href(kind, id)} name={fullTitle} stop={false} />
      ),
    }),
    ...modelColumns(now, rows),
  ];
  if (kind === 'function') return columns;
  return [
    ...columns,
    numbers('locations', 'locations', 'number of its code locations', [5, 9], locationsOf, number.size),
  ];
}

const locationsOf = ({ row }: ModelledRow) => ('members' in row ? row.members.length : null);
