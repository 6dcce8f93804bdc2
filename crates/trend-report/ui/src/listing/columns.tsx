/** The columns that clusters and functions share: costs, growth, law, exponent, prediction, doubts. */

import * as number from '../format/number';
import { Mini } from '../plot/mini';
import type { Page } from '../data/page';
import type { Model, PowerLawModel } from '../data/types';
import { numbers, type Column } from '../table/column';
import { GrowthBadge, GrowthText, LawText, Name } from '../view/parts';
import { Flags, Predicted, Share } from './cells';
import { lawOf as lineOf } from '../data/line';
import { growthOrder } from '../data/growth-class';
import { exponentScale, IntervalCell, type Scale } from './interval-cell';
import { flagsOf, growthOf, lawOf, modelOf, type ModelledRow } from './modelled';

type C = Column<ModelledRow>;

export function modelColumns(page: Page, rows: readonly ModelledRow[], target: string): C[] {
  return [
    ...costColumns(page),
    ...lawColumns(rows, page.findings.features.length > 1),
    predictedColumn(target),
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
            law={lineOf(row.outlook.model, row.outlook.extra, row.row.law)}
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
  ];
}

function lawColumns(rows: readonly ModelledRow[], severalFeatures: boolean): C[] {
  const scale = exponentScale(rows.map(lawOf));
  return [
    {
      ...growthColumn(modelOf, 8.4),
      grow: 0.2,
      value: (row) => (row.outlook?.joint ? row.extra.growth : (growthOf(row)?.verdict ?? null)),
      render: (row) => <GrowthText row={row} />,
    },
    ...(severalFeatures ? [featureColumn()] : []),
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
    exponentColumn(lawOf, scale, 7.2),
    numbers('r2', 'R²', (row) => lawOf(row)?.r2, number.r2, {
      hint: 'how much of the cost the power law explains',
      width: 3.2,
      priority: 8,
    }),
    numbers('points', 'Points', (row) => lawOf(row)?.points, number.size, {
      hint: 'workloads that the law was fitted to',
      width: 3.8,
      priority: 11,
    }),
  ];
}

function featureColumn(): C {
  return {
    key: 'feature',
    title: 'Feature',
    hint: 'what the model is in: the feature that was chosen, or the one that explains the row best',
    width: 5,
    priority: 7,
    value: (row) => modelOf(row)?.feature ?? null,
    render: (row) => <Name text={modelOf(row)?.feature ?? '–'} columns={14} />,
  };
}

function predictedColumn(target: string): C {
  return {
    key: 'predicted',
    title: `At ${target}`,
    hint: `the cost that is predicted at ${target}, with its interval, and the rank then`,
    numeric: true,
    width: 10,
    priority: 3.5,
    value: (row) => row.outlook?.estimate?.cost ?? null,
    render: (row) => <Predicted row={row} />,
  };
}

function lawText(row: ModelledRow): string {
  return (row.outlook?.joint ? row.extra.formula : row.outlook?.extra?.formula) ?? '';
}

/** The class of growth of what a row is shown with. */
export function growthColumn<T>(model: (row: T) => Model | undefined, width: number): Column<T> {
  return {
    key: 'growth',
    title: 'Growth',
    hint: 'the class of growth; dashed where it is undecided; sorted from slow to fast',
    width,
    priority: 2,
    value: (row) => model(row)?.growth?.verdict ?? null,
    sort: (row) => growthOrder(model(row)?.growth),
    render: (row) => <GrowthBadge growth={model(row)?.growth} />,
  };
}

/** The exponent of a power law with its interval. */
export function exponentColumn<T>(
  law: (row: T) => PowerLawModel | null,
  scale: Scale,
  width: number,
): Column<T> {
  return {
    key: 'exponent',
    title: 'Exponent',
    hint: `of the power law, with its interval, drawn from ${scale.lo} to ${scale.hi} with a tick at each whole number`,
    numeric: true,
    width,
    priority: 3,
    value: (row) => law(row)?.b ?? null,
    render: (row) => <IntervalCell law={law(row)} scale={scale} oneLine={width > 10} />,
  };
}

/** Where a row stands by its maximum cost. */
export function rankColumn<T extends { rank: number }>(): Column<T> {
  return numbers('rank', '#', (row) => row.rank, String, {
    hint: 'rank by maximum cost',
    width: 2.6,
    priority: 3.2,
  });
}

/** The greatest cost of a run. */
export function maxCostColumn<T extends { maxCost: number }>(): Column<T> {
  return numbers('cost', 'Max cost', (row) => row.maxCost, number.cost, {
    hint: 'the most that a run executed it',
    width: 5,
    priority: 1,
  });
}
