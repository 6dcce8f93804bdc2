/** The columns, filters and choices that clusters and functions share: cost, growth, law, prediction and doubts. */

import { isOpen, sourceText } from '../data/models';
import type { Page } from '../data/page';
import { groundOf, type Shown } from '../data/predict';
import type { Cluster, Model, Row } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { flagsOf, isDubious, type ModelledRow, modelOf } from './modelled';
import { Mini } from '../plot/series';
import { feature, page, setParams } from '../state/state';
import { type Column, numbers } from '../table/column';
import type { Chip, Filter } from '../table/narrow';
import { Select } from '../view/choice';
import { GrowthBadge, GrowthText, LawText, Name, predictedCost } from '../view/parts';

function Small({ row, outlook }: { row: Row | Cluster; outlook: Shown }) {
  const { x, law } = groundOf(row, outlook);
  return <Mini x={x} y={row.costs ?? []} law={law} />;
}

/** Returns the columns. `target` is the predicted point in words. */
export function modelColumns(page: Page, target: string): Column<ModelledRow>[] {
  const lawText = ({ outlook, row }: ModelledRow) =>
    (outlook?.joint ? row.formula : outlook?.model.formula) ?? '';
  return [
    {
      key: 'plot',
      title: 'Plot',
      hint: 'costs and law over the feature, both axes logarithmic',
      width: 6,
      priority: 5,
      drawn: true,
      value: () => null,
      sort: null,
      render: ({ outlook, row }) =>
        outlook && row.costs ? <Small row={row} outlook={outlook} /> : <span class="soft">–</span>,
    },
    numbers('cost', 'Max cost', 'most executions in a run', [5, 1], (r) => r.row.max_cost, number.cost),
    {
      key: 'share',
      title: 'Share',
      hint: 'of the most expensive run; below it the share of other runs, if far larger',
      width: 4.6,
      priority: 4,
      numeric: true,
      value: ({ row }) => row.share_now,
      render: ({ row: { share_now: share, share_of_others: others } }) => (
        <span class="two-lines">
          <span>{number.share(share)}</span>
          {others !== undefined && <small class="soft">up to {number.share(others)}</small>}
        </span>
      ),
    },
    {
      ...growthColumn(modelOf, 8.4),
      grow: 0.2,
      value: ({ outlook, row }) => (outlook?.joint ? row.growth : outlook?.model.growth?.verdict) ?? null,
      render: ({ outlook, row }) => <GrowthText row={row} outlook={outlook} />,
    },
    ...(page.findings.features.length > 1 ? [FEATURE] : []),
    {
      key: 'law',
      title: 'Law',
      hint: 'the law used for predictions; if undecided, the slowest and the fastest class',
      width: 8.2,
      priority: 10,
      value: lawText,
      sort: null,
      render: (row) => <LawText text={lawText(row)} />,
    },
    {
      key: 'predicted',
      title: `At ${target}`,
      hint: `the cost that is predicted at ${target}, with its interval, and the rank then`,
      numeric: true,
      width: 10,
      priority: 3.5,
      value: (row) => row.outlook?.estimate?.cost ?? null,
      render: (row) => <Predicted row={row} />,
    },
    {
      key: 'flags',
      title: 'Flags',
      hint: 'remarks besides the numbers; sorted by their number',
      width: 8,
      grow: 0.2,
      priority: 6,
      value: (row) =>
        flagsOf(row)
          .map((f) => f.key)
          .join(' '),
      sort: (row) => flagsOf(row).length,
      render: (row) =>
        flagsOf(row).map((flag) => (
          <span key={flag.key} class={`flag ${flag.tone}`} title={visible(flag.hint.slice(0, 1000))}>
            {flag.text}
          </span>
        )),
    },
  ];
}

const FEATURE: Column<ModelledRow> = {
  key: 'feature',
  title: 'Feature',
  hint: 'feature of the model: the chosen one, or the best for the row',
  width: 5,
  priority: 7,
  value: (row) => modelOf(row)?.feature ?? null,
  render: (row) => <Name text={modelOf(row)?.feature ?? '–'} columns={14} />,
};

function Predicted({ row: { outlook, rank, rankThen } }: { row: ModelledRow }) {
  const estimate = outlook?.estimate;
  if (!estimate) return <span class="soft">–</span>;
  return (
    <span class="two-lines" title={`from ${sourceText(estimate.source)}`}>
      <span>
        {predictedCost(estimate)}{' '}
        <small class="soft">{estimate.ci ? number.costInterval(estimate.ci) : 'no interval'}</small>
      </span>
      {rankThen !== null && rankThen !== rank && (
        <span class={rankThen < rank ? 'steep' : 'soft'}>
          rank {rank} → {rankThen} {rankThen < rank ? '▲' : '▼'}
        </span>
      )}
    </span>
  );
}

/** Returns a column with the growth class of each row's model. */
export function growthColumn<T>(model: (row: T) => Model | undefined, width: number): Column<T> {
  return {
    key: 'growth',
    title: 'Growth',
    hint: 'growth class; dashed if undecided; sorted from slow to fast',
    width,
    priority: 2,
    value: (row) => model(row)?.growth?.verdict ?? null,
    sort: (row) => model(row)?.order ?? null,
    render: (row) => <GrowthBadge model={model(row)} />,
  };
}

export const MODEL_FILTERS: readonly Filter<ModelledRow>[] = [
  { key: 'path', label: 'Path', kind: 'text', value: (row) => row.file },
  { key: 'minshare', label: 'Share', kind: 'range', percent: true, value: ({ row }) => row.max_share },
];

export const MODEL_CHIPS: readonly Chip<ModelledRow>[] = [
  { key: 'costly', label: 'costly', hint: 'over 2 % of some run', keeps: (row) => row.costly },
  {
    key: 'superlinear',
    label: 'superlinear',
    hint: 'certainly faster than linear',
    keeps: (row) => modelOf(row)?.superlinear === true,
  },
  { key: 'dubious', label: 'dubious', hint: 'models with doubts', keeps: isDubious },
  {
    key: 'undecided',
    label: 'undecided',
    hint: 'growth undecided',
    keeps: (row) => {
      const growth = modelOf(row)?.growth;
      return growth ? isOpen(growth) : false;
    },
  },
];

export function FeatureChoice() {
  const { features } = page.value.findings;
  if (features.length < 2) return null;
  const names = features.map(({ name }) => ({ key: name, text: visible(name).slice(0, 60) }));
  return (
    <label class="feature-choice">
      Model by{' '}
      <Select
        label="feature of the models"
        of={[{ key: '', text: 'best feature per row' }, ...names]}
        chosen={feature.value ?? ''}
        choose={(feature) => setParams({ feature }, 'push')}
      />
    </label>
  );
}
