/** The best fit of a row, and its residuals on the same sizes. */

import { useMemo } from 'preact/hooks';

import * as number from '../format/number';
import type { Model } from '../data/types';
import { visible } from '../format/text';
import { Plot } from '../plot/plot';
import { ratioText, ratioTicks } from '../plot/ticks';
import type { AxisProps, Guide } from '../plot/types';
import { page } from '../state/store';
import { predictedCost } from '../view/parts';
import { fitSeries, residualSeries, type Figure } from './figures';

/** Residuals nearer to 1 than this are drawn flat: a page carries its laws with five digits. */
const RESIDUAL_FLOOR = 1.001;

export function FitPlot({ figure }: { figure: Figure }) {
  const { outlooks } = figure;
  const series = useMemo(() => fitSeries(figure), [figure]);
  const x = useSizeAxis(figure);
  const y = useMemo(() => ({ label: `cost in ${page.value.findings.unit}` }), []);
  const guides = useMemo(
    () =>
      outlooks.flatMap(({ at, label }): Guide[] => {
        if (at === null) return [];
        return [{ axis: 'x', at, label: [label, number.size(at)].filter(Boolean).join(': ') }];
      }),
    [outlooks],
  );
  return (
    <Plot
      id="fit"
      title="Best fit"
      summary={fitSummary(figure)}
      x={x}
      y={y}
      series={series}
      guides={guides}
      height={380}
    />
  );
}

export function useSizeAxis({ model, drawn }: Figure): AxisProps {
  return useMemo(() => ({ label: model.feature, ...(drawn ? { include: drawn } : {}) }), [model, drawn]);
}

function fitSummary({ model, law, costs, outlooks, approximate, isOfRow }: Figure): string {
  const feature = visible(model.feature);
  const ran = costs.filter((c) => c > 0).length;
  const rounded = approximate ? ', rounded to four digits' : '';
  if (costs.length === 0) {
    return `The law (${law?.from ?? 'none'}) over ${feature}: the page carries no points of rows of so little cost.`;
  }
  const points = `The cost of ${number.plural(ran, 'workload')}${rounded} over ${feature}`;
  if (!law) return `${points}; no law describes them.`;
  const last = outlooks[outlooks.length - 1];
  const said =
    last?.estimate && isOfRow ? `, and what it says at ${last.where}: ${predictedCost(last.estimate)}` : '';
  return `${points}, with the law (${law.from}) through them, its interval${said}.`;
}

export function ResidualPlot({ figure }: { figure: Figure }) {
  const series = useMemo(() => residualSeries(figure), [figure]);
  const x = useSizeAxis(figure);
  const y = useMemo(
    (): AxisProps => ({
      label: 'measured ÷ law',
      switchable: false,
      ticks: ratioTicks,
      tick: ratioText,
      format: ratioText,
      include: [1 / RESIDUAL_FLOOR, RESIDUAL_FLOOR],
    }),
    [],
  );
  if (!figure.law) return null;
  return (
    <Plot
      id="res"
      link="fit"
      title="Residuals"
      summary={`The measured cost as a multiple of the law’s: above ×1 it costs more than the law says, below less. ${diagnosis(figure.model)}`}
      x={{ ...x, switchable: false }}
      y={y}
      series={series}
      guides={LEVEL}
      height={210}
    />
  );
}

/** What the analysis found wrong with the model, as the caption of what shows it. */
function diagnosis({ doubts }: Model): string {
  const wrong = doubts.filter((d) => ABOUT_THE_FIT.has(d.kind)).map((d) => visible(d.message));
  return wrong.length === 0 ? 'The analysis finds no pattern in them.' : `Diagnosis: ${wrong.join('; ')}.`;
}

/** Warnings that residuals show; others are of what is missing. */
const ABOUT_THE_FIT = new Set(['bend', 'change_point', 'fan', 'unexplained', 'equal_runs', 'split']);

const LEVEL: Guide[] = [{ axis: 'y', at: 1, label: '' }];
