/** What the pages of a cluster and of a function share: the law, its plots, its doubts, what it predicts. */

import { useMemo } from 'preact/hooks';

import type { Model } from '../data/types';
import { visible } from '../format/text';
import { href } from '../state/route';
import { page } from '../state/store';
import { target } from '../state/target';
import { Doubts, GrowthBadge, LawText, Name } from '../view/parts';
import { BoundingPlot } from './bounding-plot';
import { ranges, type Figure } from './figures';
import { GrowthTable, PlainModels } from './growth';
import { lawOf } from '../data/line';
import { FitPlot, ResidualPlot } from './plots';
import { Predictions } from './predictions';
import { outlooks, type RowFacts } from './shown';
import { useServedCosts } from './served';
import { Factors, JointModel } from './structure';
import { FeatureTabs } from './tabs';
import { Words } from './words';

const PANEL = 'model-panel';

export function RowBody({ row, shown }: { row: RowFacts; shown: number }) {
  const model = row.models[shown];
  if (!model) return <p>No feature has a model of this row.</p>;
  return (
    <>
      {row.joint && <JointModel joint={row.joint} />}
      {row.models.length > 1 && <FeatureTabs models={row.models} shown={shown} panel={PANEL} />}
      <div
        id={PANEL}
        role={row.models.length > 1 ? 'tabpanel' : undefined}
        aria-label={visible(model.feature)}
      >
        <ModelPanel row={row} shown={shown} model={model} />
      </div>
      {row.decomposition && <Factors parts={row.decomposition} feature={model.feature} />}
    </>
  );
}

function ModelPanel({ row, shown, model }: { row: RowFacts; shown: number; model: Model }) {
  const figure = useFigure(row, shown, model);
  const sentences = row.extra.models[shown]?.sentences ?? [];
  const several = page.value.findings.features.length > 1;
  return (
    <>
      <div class="row-grid">
        <section class="law">
          <h2>
            Growth in <Name text={model.feature} columns={40} />{' '}
            {model.growth && <GrowthBadge growth={model.growth} />}
          </h2>
          <p class={model.growth && !model.growth.decided ? 'model undecided-text' : 'model'}>
            cost ={' '}
            <LawText text={(figure.isOfRow ? row.law?.formula : row.extra.models[shown]?.formula) ?? ''} />
          </p>
          <Words sentences={sentences} />
          <Doubts doubts={model.doubts} />
        </section>
        <div class="row-plots">
          <FitPlot figure={figure} />
          {figure.costs.length > 0 && (
            <>
              <ResidualPlot figure={figure} />
              <BoundingPlot figure={figure} />
            </>
          )}
        </div>
        <div class="row-side">
          <div>
            <h3>Predictions</h3>
            <Predictions outlooks={figure.outlooks} />
            {model.next && <Next next={model.next} />}
          </div>
          {model.growth && (
            <div>
              <h3>
                Growth verdict and its rivals
                {several && (
                  <>
                    , n = <Name text={model.feature} columns={30} />
                  </>
                )}
              </h3>
              <GrowthTable model={model} />
            </div>
          )}
          <PlainModels model={model} />
        </div>
      </div>
    </>
  );
}

/** What the plots are drawn from. */
function useFigure(row: RowFacts, shown: number, model: Model): Figure {
  const { data } = page.value;
  const point = target.value;
  // What the page carries is exact for costly rows; of others whoever serves it has more.
  const served = useServedCosts(row.extra.costs && row.extra.exact ? null : row.of);
  return useMemo(() => {
    const costs = served ?? row.extra.costs ?? [];
    const x = page.value.featureValues(model.feature);
    const sizes = outlooks(page.value, row, model.feature, point);
    const { data: ran, drawn } = ranges(x, costs, sizes);
    // What the row is predicted to cost is drawn beside the law that says it.
    const isOfRow = row.law?.features.length === 1 && row.law.features[0] === model.feature;
    return {
      model,
      law: lawOf(model, row.extra.models[shown], row.law),
      x,
      costs,
      data: ran,
      drawn,
      outlooks: sizes,
      isOfRow,
      approximate: !served && !row.extra.exact,
      names: (i) => data.workloads[i]?.name ?? '',
      open: (i) => href('workloads', '', { selected: data.workloads[i]?.name ?? '' }),
    };
  }, [row, served, shown, model, data, point]);
}

/** Which runs would tell more. */
function Next({ next }: { next: NonNullable<Model['next']> }) {
  return (
    <div class="next">
      <span class="label">Next:</span> <bdi>{visible(next.message)}</bdi>.
    </div>
  );
}
