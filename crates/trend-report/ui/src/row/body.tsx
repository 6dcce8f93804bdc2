/** What the pages of a cluster and of a function share: the law, its plots, its doubts, what it predicts. */

import { useMemo } from 'preact/hooks';

import type { Model } from '../data/types';
import { visible } from '../format/text';
import { href } from '../state/route';
import { page, target } from '../state/store';
import { Doubts, GrowthBadge, LawText, Name } from '../view/parts';
import { BoundingPlot } from './bounding-plot';
import { ranges, type Figure } from './figures';
import { GrowthTable, ModelTable } from './growth';
import { lawOf } from './law';
import { OtherModels } from './others';
import { FitPlot, ResidualPlot } from './plots';
import { Predictions } from './predictions';
import { outlooks, type RowFacts } from './shown';
import { useServedCosts } from './served';
import { Factors, JointModel, Trends } from './structure';
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
      <OtherModels models={row.models} extra={row.extra} shown={shown} />
    </>
  );
}

function ModelPanel({ row, shown, model }: { row: RowFacts; shown: number; model: Model }) {
  const figure = useFigure(row, shown, model);
  const sentences = row.extra.models[shown]?.sentences ?? [];
  return (
    <>
      <div class="row-grid">
        <section class="law">
          <h2>
            Growth in <Name text={model.feature} columns={40} />{' '}
            {model.growth && <GrowthBadge growth={model.growth} />}
          </h2>
          <p class={model.growth && !model.growth.decided ? 'model undecided-text' : 'model'}>
            cost = <LawText text={row.extra.models[shown]?.formula ?? ''} />
          </p>
          <Words sentences={sentences} />
          <Doubts doubts={model.doubts} />
        </section>
        <div class="row-plots">
          <FitPlot figure={figure} name={row.name} locations={row.locations} />
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
            <PredictionsOf row={row} shown={shown} model={model} />
            {model.next && <Next next={model.next} />}
          </div>
          {model.growth && (
            <div>
              <h3>Growth verdict and its rivals</h3>
              <GrowthTable model={model} />
            </div>
          )}
          <div>
            <h3>Power law and line</h3>
            <ModelTable model={model} />
          </div>
        </div>
      </div>
      {model.split && <Trends split={model.split} feature={model.feature} />}
    </>
  );
}

/** What the plots are drawn from. */
function useFigure(row: RowFacts, shown: number, model: Model): Figure {
  const { data } = page.value;
  const at = target.value;
  // What the page carries is exact for costly rows; of others whoever serves it has more.
  const served = useServedCosts(row.extra.costs && row.extra.exact ? null : row.of);
  return useMemo(() => {
    const costs = served ?? row.extra.costs ?? [];
    const x = page.value.featureValues(model.feature);
    const sizes = outlooksOf(row, shown, model);
    const { data: ran, drawn } = ranges(x, costs, sizes);
    return {
      model,
      law: lawOf(model, row.extra.models[shown], drawn),
      x,
      costs,
      data: ran,
      drawn,
      outlooks: sizes,
      approximate: !served && !row.extra.exact,
      names: (i) => data.workloads[i]?.name ?? '',
      open: (i) => href('workloads', '', { selected: data.workloads[i]?.name ?? '' }),
    };
  }, [row.extra, served, shown, model, data, at]);
}

function outlooksOf(row: RowFacts, shown: number, model: Model) {
  const i = page.value.featureIndex.get(model.feature);
  const p95 = i === undefined ? null : (page.value.findings.features[i]?.p95 ?? null);
  const asked = target.value?.feature === model.feature ? target.value.at : null;
  return outlooks(model, row.extra.models[shown], p95, asked);
}

function PredictionsOf({ row, shown, model }: { row: RowFacts; shown: number; model: Model }) {
  return <Predictions model={model} outlooks={outlooksOf(row, shown, model)} />;
}

/** Which runs would tell more. */
function Next({ next }: { next: NonNullable<Model['next']> }) {
  return (
    <div class="next">
      <span class="label">Next:</span> <bdi>{visible(next.message)}</bdi>.
    </div>
  );
}
