/** The functions: the sum of what is executed in each. */

import { useMemo } from 'preact/hooks';

import { NO_EXTRA, functionId, type Page } from '../data/page';
import { outlookFeature } from '../data/predict';
import * as number from '../format/number';
import { CellCode } from '../listing/cell-code';
import { InBrief } from '../listing/cells';
import { modelColumns, rankColumn } from '../listing/columns';
import { FeatureChoice } from '../listing/feature-choice';
import { MODEL_CHIPS, MODEL_FILTERS } from '../listing/filters';
import { modelled, type ModelledRow, type PlainRow } from '../listing/modelled';
import { ranksOf } from '../listing/ranks';
import { targetText } from '../listing/target-text';
import { href } from '../state/route';
import { page, target } from '../state/store';
import { ON_REQUEST, type Column } from '../table/column';
import { Grid } from '../table/grid';
import { RowLink } from '../table/row';
import { Name } from '../view/parts';

export function Functions() {
  const now = page.value;
  const feature = outlookFeature();
  const size = target.value?.at;
  const plain = useMemo(() => plainRows(now), [now]);
  const rows = useMemo(() => modelled(plain, feature), [plain, feature, size, target.value?.feature]);
  const text = targetText();
  const columns = useMemo(() => columnsOf(now, rows, text), [now, rows, text]);
  return (
    <>
      <header class="page-head">
        <h1>Functions</h1>
        <p class="soft">The sum over all locations of each; {number.plural(rows.length, 'function')}.</p>
        <FeatureChoice />
      </header>
      <Grid
        name="functions"
        noun="function"
        rows={rows}
        columns={columns}
        id={(row) => row.id}
        href={(row) => href('function', row.id)}
        search={(row) => `${row.function} ${row.file}:${row.line}`}
        defaultSort="-cost"
        filters={MODEL_FILTERS}
        chips={MODEL_CHIPS}
        rowHeight={3.1}
      />
    </>
  );
}

function plainRows({ findings, data }: Page): PlainRow[] {
  const ranks = ranksOf(findings.functions.map((f) => f.max_cost));
  return findings.functions.map((row, i) => ({
    row,
    id: functionId(row),
    name: data.functions[i]?.name ?? row.name,
    file: row.file,
    line: row.line,
    function: row.name,
    rank: ranks[i] ?? i + 1,
    costly: row.max_share > data.costly_share,
    maxCost: row.max_cost,
    shareOfLargest: row.share_of_largest,
    maxShare: row.max_share,
    locations: null,
    unstable: false,
    overtakes: [],
    extra: data.functions[i] ?? NO_EXTRA,
  }));
}

function columnsOf(now: Page, rows: readonly ModelledRow[], text: string): Column<ModelledRow>[] {
  return [
    rankColumn(),
    {
      key: 'function',
      title: 'Function',
      hint: 'with where it begins and its code',
      width: 10,
      grow: 1,
      priority: 0,
      value: (row) => row.function,
      render: (row) => <Place row={row} />,
    },
    { key: 'file', title: 'File', width: 10, priority: ON_REQUEST, value: (row) => row.file },
    { key: 'line', title: 'Line', numeric: true, width: 4, priority: ON_REQUEST, value: (row) => row.line },
    ...modelColumns(now, rows, text),
  ];
}

function Place({ row }: { row: ModelledRow }) {
  return (
    <span class="two-lines">
      <span class="ellipsis">
        <RowLink href={href('function', row.id)}>
          <Name text={row.name} columns={48} />
        </RowLink>{' '}
        {page.value.sourceIndex.has(row.file) && <Where row={row} />}
      </span>
      <InBrief row={row} />
      {page.value.sourceIndex.has(row.file) ? (
        <CellCode file={row.file} line={row.line} />
      ) : (
        <Where row={row} />
      )}
    </span>
  );
}

function Where({ row }: { row: ModelledRow }) {
  return (
    <span class="soft">
      <Name text={row.line > 0 ? `${row.file}:${row.line}` : row.file} columns={48} />
    </span>
  );
}
