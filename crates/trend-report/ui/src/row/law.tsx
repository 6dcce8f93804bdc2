/** The law of a row over what was measured, and how far each run is from it, on the same sizes. */

import { useMemo } from 'preact/hooks';

import { lawOf } from '../data/line';
import { isOfRow } from '../data/models';
import type { Model } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { FigureSet } from '../plot/figure-set';
import type { AxisProps, Figure } from '../plot/types';
import { href } from '../state/route';
import { page } from '../state/store';
import { target } from '../state/target';
import { predictedCost } from '../view/parts';
import { fitSeries, ranges, RATIO, residualSeries, type RowFigure } from './figures';
import { useServedCosts } from './served';
import { outlooks, type RowFacts } from './shown';

/** What the drawings are made from. */
export function useFigure(row: RowFacts, shown: number, model: Model): RowFigure {
  const { data } = page.value;
  const point = target.value;
  // What the page carries is exact for costly rows; `serve` has more of the others.
  const served = useServedCosts(row.extra.costs && row.extra.exact ? null : row.of);
  return useMemo(() => {
    const costs = served ?? row.extra.costs ?? [];
    const x = page.value.featureValues(model.feature);
    const at = point.find((p) => p.feature === model.feature)?.at ?? null;
    const isOwn = isOfRow(row, model);
    const extra = row.extra.models[shown];
    const here = outlooks(row).find((o) => o.asked);
    return {
      model,
      law: lawOf(model, isOwn && extra ? { ...extra, band: row.extra.band } : extra, row.law),
      x,
      costs,
      ...ranges(x, costs, at),
      then: isOwn && here && at !== null ? { ...here, at } : null,
      approximate: !served && !row.extra.exact,
      names: (i) => data.workloads[i]?.name ?? '',
      open: (i) => href('workloads', '', { selected: data.workloads[i]?.name ?? '' }),
    };
  }, [row, served, shown, model, data, point]);
}

export function LawFigures({ figure }: { figure: RowFigure }) {
  const { model, drawn, data, costs, law } = figure;
  const x = useMemo(
    (): AxisProps => ({ label: model.feature, ...(drawn ? { include: drawn } : {}) }),
    [model, drawn],
  );
  const figures = useMemo((): Figure[] => {
    const fit = {
      id: 'fit',
      title: 'Law and measurements',
      summary: fitSummary(figure),
      y: { label: page.value.findings.unit },
      series: fitSeries(figure),
      height: 380,
    };
    const ratio = {
      id: 'res',
      title: 'Measured ÷ law',
      summary: `Measured ÷ law: above ×1 a run was slower than the law. ${diagnosis(model)}`,
      y: RATIO,
      series: residualSeries(figure),
      height: 170,
    };
    return costs.length > 0 && law ? [fit, ratio] : [fit];
  }, [figure]);
  return <FigureSet link="fit" x={x} figures={figures} more={data ? { ahead: data[1] } : {}} />;
}

function fitSummary({ model, law, costs, then, approximate }: RowFigure): string {
  const feature = visible(model.feature);
  const rounded = approximate ? ', rounded' : '';
  if (costs.length === 0) {
    return `The law (${law?.from ?? 'none'}) over ${feature}: the page carries no points of rows of so little cost.`;
  }
  const ran = costs.filter((c) => c > 0).length;
  const points = `${number.plural(ran, 'run')}${rounded}`;
  if (!law) return `${points}; no law describes them.`;
  const said = then?.estimate
    ? `; at ${feature} = ${number.size(then.at)}: ${predictedCost(then.estimate)}`
    : '';
  return `${points}, their law (${law.from}) and its interval${said}.`;
}

/** What the analysis found wrong with the model. */
function diagnosis({ doubts }: Model): string {
  const wrong = doubts.filter((d) => ABOUT_THE_FIT.has(d.kind)).map((d) => visible(d.message));
  return wrong.length === 0 ? 'No pattern is left.' : `${wrong.join('; ')}.`;
}

/** Doubts that residuals show; others are of what is missing. */
const ABOUT_THE_FIT = new Set(['bend', 'change_point', 'fan', 'unexplained', 'equal_runs', 'split']);
