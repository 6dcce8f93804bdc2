/** The columns that clusters and functions share: costs, growth, law, exponent, prediction, doubts. */

import * as number from '../format/number';
import { Mini } from '../plot/mini';
import type { Page } from '../data/page';
import { ON_REQUEST, type Column } from '../table/column';
import { ClassText, GrowthBadge, LawText, Name } from '../view/parts';
import { Flags, Predicted, riseOf, Share } from './cells';
import { growthOrder } from './growth-order';
import { exponentScale, IntervalCell } from './interval-cell';
import { flagsOf, growthOf, lawOf, modelOf, type ModelledRow } from './modelled';

type C = Column<ModelledRow>;

export function modelColumns(page: Page, rows: readonly ModelledRow[], target: string): C[] {
  return [
    ...costColumns(page),
    ...lawColumns(rows, page.findings.features.length > 1),
    ...predictionColumns(target),
    {
      key: 'flags',
      title: 'Flags',
      hint: 'what is to be known besides the numbers; sorted by how many',
      width: 8,
      grow: 0.2,
      priority: 6,
      value: (row) =>
        flagsOf(row)
          .map((f) => f.key)
          .join(' '),
      sort: (row) => flagsOf(row).length,
      render: (row) => <Flags row={row} />,
    },
  ];
}

function costColumns(page: Page): C[] {
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
      render: (row) =>
        row.outlook && row.extra.costs ? (
          <Mini
            x={page.featureValues(row.outlook.model.feature)}
            y={row.extra.costs}
            curve={row.outlook.extra?.curve ?? []}
            label=""
          />
        ) : (
          <span class="soft">–</span>
        ),
    },
    maxCostColumn(),
    {
      key: 'share',
      title: 'Share',
      hint: 'of the costliest run; below it what it takes of others, where that is far more',
      numeric: true,
      width: 4.6,
      priority: 4,
      value: (row) => row.shareOfLargest,
      render: (row) => <Share row={row} />,
    },
    {
      key: 'maxshare',
      title: 'Up to',
      hint: 'the greatest share of any run',
      numeric: true,
      width: 3.8,
      priority: ON_REQUEST,
      value: (row) => row.maxShare,
      render: (row) => number.share(row.maxShare),
    },
  ];
}

function lawColumns(rows: readonly ModelledRow[], severalFeatures: boolean): C[] {
  const scale = exponentScale(rows.map(lawOf));
  const numberOf = (key: string, title: string, hint: string, value: C['value']): C => {
    const common = { key, title, hint, value, numeric: true, width: 6, priority: ON_REQUEST };
    return { ...common, render: (row) => shortNumber(value(row)) };
  };
  return [
    {
      key: 'growth',
      title: 'Growth',
      hint: 'the class of growth; dashed where it is undecided; sorted from slow to fast',
      width: 8.4,
      grow: 0.2,
      priority: 2,
      value: (row) => (row.outlook?.joint ? row.extra.growth : (growthOf(row)?.verdict ?? null)),
      sort: (row) => growthOrder(growthOf(row)),
      render: (row) =>
        row.outlook?.joint ? <ClassText text={row.extra.growth} /> : <GrowthBadge growth={growthOf(row)} />,
    },
    {
      key: 'feature',
      title: 'Feature',
      hint: 'what the model is in: the feature that was chosen, or the one that explains the row best',
      width: 5,
      priority: severalFeatures ? 7 : ON_REQUEST,
      value: (row) => modelOf(row)?.feature ?? null,
      render: (row) => <Name text={modelOf(row)?.feature ?? '–'} columns={14} />,
    },
    {
      key: 'law',
      title: 'Law',
      hint: 'the law that predictions come from; of an undecided one the slowest and the fastest class',
      width: 8.2,
      priority: 10,
      value: (row) => lawText(row),
      sort: null,
      render: (row) => <LawText text={lawText(row)} />,
    },
    {
      key: 'exponent',
      title: 'Exponent',
      hint: `of the power law, where that is the law; with its interval, drawn from ${scale.lo} to ${scale.hi} with a tick at each whole number`,
      numeric: true,
      width: 7.2,
      priority: 3,
      value: (row) => lawOf(row)?.b ?? null,
      render: (row) => <IntervalCell law={lawOf(row)} scale={scale} />,
    },
    numberOf(
      'exponent_low',
      'Exponent, lower end',
      'what growth is at least',
      (row) => lawOf(row)?.b_ci?.[0] ?? null,
    ),
    numberOf(
      'exponent_high',
      'Exponent, upper end',
      'what growth is at most',
      (row) => lawOf(row)?.b_ci?.[1] ?? null,
    ),
    numberOf('coefficient', 'Coefficient', 'a of a·f^b', (row) => lawOf(row)?.a ?? null),
    {
      key: 'r2',
      title: 'R²',
      hint: 'how much of the cost the power law explains',
      numeric: true,
      width: 3.2,
      priority: 8,
      value: (row) => lawOf(row)?.r2 ?? null,
      render: (row) => number.r2(lawOf(row)?.r2 ?? null),
    },
    {
      key: 'points',
      title: 'Points',
      hint: 'workloads that the law was fitted to',
      numeric: true,
      width: 3.8,
      priority: 11,
      value: (row) => lawOf(row)?.points ?? null,
      render: (row) => lawOf(row)?.points.toLocaleString('en-US') ?? '–',
    },
  ];
}

function predictionColumns(target: string): C[] {
  return [
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
      key: 'predicted_at',
      title: 'Predicted at',
      hint: 'the size of the feature that the prediction is for',
      numeric: true,
      width: 6,
      priority: ON_REQUEST,
      value: (row) => row.outlook?.at ?? null,
      render: (row) => (row.outlook?.at ? number.size(row.outlook.at) : '–'),
    },
    {
      key: 'predicted_low',
      title: 'Predicted, at least',
      numeric: true,
      width: 6,
      priority: ON_REQUEST,
      value: (row) => row.outlook?.estimate?.ci?.[0] ?? null,
      render: (row) => costOf(row.outlook?.estimate?.ci?.[0]),
    },
    {
      key: 'predicted_high',
      title: 'Predicted, at most',
      numeric: true,
      width: 6,
      priority: ON_REQUEST,
      value: (row) => row.outlook?.estimate?.ci?.[1] ?? null,
      render: (row) => costOf(row.outlook?.estimate?.ci?.[1]),
    },
    {
      key: 'rank_then',
      title: 'Rank then',
      hint: 'by predicted cost',
      numeric: true,
      width: 5,
      priority: ON_REQUEST,
      value: (row) => row.rankThen,
      sort: (row) => (row.rankThen === null ? null : -row.rankThen),
    },
    {
      key: 'rise',
      title: 'Rise in rank',
      hint: 'rank now less rank then',
      numeric: true,
      width: 5,
      priority: ON_REQUEST,
      value: (row) => riseOf(row),
    },
  ];
}

function lawText(row: ModelledRow): string {
  return (row.outlook?.joint ? row.extra.formula : row.outlook?.extra?.formula) ?? '';
}

function costOf(value: number | undefined): string {
  return value === undefined ? '–' : number.cost(value);
}

function shortNumber(value: unknown): string {
  return typeof value === 'number' ? number.significant(value, 3) : '–';
}

/** Where a row stands by its maximum cost. */
export function rankColumn<T extends { rank: number }>(): Column<T> {
  return {
    key: 'rank',
    title: '#',
    hint: 'rank by maximum cost',
    numeric: true,
    width: 2.6,
    priority: 3.2,
    value: (row) => row.rank,
  };
}

/** The greatest cost of a run. */
export function maxCostColumn<T extends { maxCost: number }>(): Column<T> {
  return {
    key: 'cost',
    title: 'Max cost',
    hint: 'the most that a run executed it',
    numeric: true,
    width: 5,
    priority: 1,
    value: (row) => row.maxCost,
    render: (row) => number.cost(row.maxCost),
  };
}
