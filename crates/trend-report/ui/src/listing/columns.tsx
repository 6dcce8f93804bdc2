/** The columns, filters and choices that clusters and functions share: cost, growth, law, prediction and doubts. */

import { isOpen, sourceText } from '../data/models';
import type { Page } from '../data/page';
import { formulaShown } from '../data/predict';
import type { Model } from '../data/types';
import * as number from '../format/number';
import { shorten, visible } from '../format/text';
import { RowPlot, Share } from './cells';
import { flagsOf, isDubious, type ModelledRow, modelOf } from './modelled';
import { sizeNow, sizeThen } from '../overview/views';
import { feature, page, setParams } from '../state/state';
import { type Column, column, numbers, UNSHOWN } from '../table/column';
import type { Chip, Filter } from '../table/narrow';
import { Select } from '../view/choice';
import { GrowthBadge, GrowthText, LawText, Name } from '../view/parts';

/** Number of characters of a law that three lines of its column hold. */
const LAW_LENGTH = 72;

/** Returns the columns: growth and cost at the target first, then what explains them. */
export function modelColumns(page: Page, rows: readonly ModelledRow[]): Column<ModelledRow>[] {
  const lawText = ({ outlook, row }: ModelledRow) => (outlook ? formulaShown(row, outlook) : '');
  const then = `at ${sizeThen()}`;
  const flags = rows.some((row) => flagsOf(row).length > 0) ? [FLAGS] : [];
  return [
    {
      ...growthColumn(modelOf, 8.6),
      value: ({ outlook, row }) => (outlook?.joint ? row.growth : outlook?.model.growth?.verdict) ?? null,
      render: ({ outlook, row }) => <GrowthText row={row} outlook={outlook} />,
    },
    ...(page.findings.features.length > 1 ? [FEATURE] : []),
    column('law', 'law', [13.5, 5, 1], {
      hint: 'the law used for predictions; if undecided, its likeliest class',
      value: lawText,
      sort: null,
      render: (row) => <LawText text={lawText(row)} most={LAW_LENGTH} />,
    }),
    numbers('cost', 'max cost', 'most executions in a run', UNSHOWN, ({ row }) => row.max_cost, number.cost),
    numbers('now', sizeNow(), 'in the largest run, by the law', [5, 3], (row) => row.now, number.cost),
    column('predicted', shorten(then, 26), [5, 1], {
      hint: `the cost that the law predicts ${then}`,
      numeric: true,
      value: ({ then }) => then?.cost ?? null,
      render: ({ then }) => then && <b title={`from ${sourceText(then.source)}`}>{number.predicted(then)}</b>,
    }),
    column('interval', 'interval', [5.8, 4], {
      hint: `of the cost ${then}`,
      value: ({ then }) => (then?.ci ? number.costInterval(then.ci) : null),
      sort: null,
      drawn: true,
      render: ({ then }) => <span class="soft">{number.costEnds(then?.ci ?? null)}</span>,
    }),
    column('share', 'share now → then', [7.8, 3.5], {
      hint: `of the whole program, in the largest run and ${then}`,
      numeric: true,
      value: ({ shareNow }) => shareNow,
      sort: ({ shareThen }) => shareThen,
      render: (row) => <Share row={row} drawn={false} />,
    }),
    column('plot', 'measured, law', [6, 7], {
      hint: 'costs and law over the feature, both axes logarithmic',
      drawn: true,
      value: () => null,
      sort: null,
      render: (row) => <RowPlot {...row} none={<span class="soft">–</span>} />,
    }),
    ...flags,
  ];
}

const FEATURE: Column<ModelledRow> = column('feature', 'feature', [5, 9], {
  hint: 'feature of the model: the chosen one, or the best for the row',
  value: (row) => modelOf(row)?.feature ?? null,
  render: (row) => <Name text={modelOf(row)?.feature ?? '–'} columns={14} />,
});

const FLAGS: Column<ModelledRow> = column('flags', 'flags', [6.4, 6, 0.2], {
  hint: 'remarks on the row; sorted by how many there are',
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
});

/** Returns a column with the growth class of each row's model. */
export function growthColumn<T>(model: (row: T) => Model | undefined, width: number): Column<T> {
  return column('growth', 'growth', [width, 2], {
    hint: 'growth class; dashed if undecided; sorted from slow to fast',
    value: (row) => model(row)?.growth?.verdict ?? null,
    sort: (row) => model(row)?.order ?? null,
    render: (row) => <GrowthBadge model={model(row)} />,
  });
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
    keeps: (row) => isOpen(modelOf(row)?.growth),
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
