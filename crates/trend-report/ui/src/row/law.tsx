/** The law of a row over what was measured, and how far each run is from it, on the same sizes. */

import { useEffect, useMemo, useState } from 'preact/hooks';

import { extended } from '../data/columns';
import type { PointsAnswer } from '../data/exact';
import { isOfRow } from '../data/models';
import type { Subject } from '../data/page';
import { groundOf } from '../data/predict';
import type { Joint, Model } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { FigureSet } from '../plot/figure-set';
import type { AxisProps, Figure } from '../plot/types';
import { fitSeries, ranges, RATIO, residualSeries, type RowFigure } from './figures';
import { outlooks } from './shown';
import { href, page, target } from '../state/state';
import { predictedCost } from '../view/parts';

/** The source of the drawings: the law in several features if there is one, else the model. */
export function useFigure(subject: Subject, model: Model, joint: Joint | null = null): RowFigure {
  const { row } = subject;
  const { data } = page.value;
  const point = target.value;
  // What the page carries is exact for costly rows; `serve` has more of the others.
  const served = useServedCosts(row.costs && row.exact ? null : subject);
  return useMemo(() => {
    const costs = served ?? row.costs ?? [];
    const ground = groundOf(row, { model, joint });
    const here = outlooks(row).find((o) => o.asked);
    const size = point.find((p) => p.feature === model.feature)?.at ?? null;
    const at = joint ? (here?.estimate?.cost ?? null) : size;
    const isOwn = joint !== null || isOfRow(row, model);
    return {
      ...ground,
      // Trends, doubts and what may hide are of one feature.
      model: joint ? extended(model, { split: undefined, growth: null, doubts: [] }) : model,
      costs,
      ...ranges(ground.x, costs, at),
      then: isOwn && here && at !== null ? { ...here, at } : null,
      approximate: !served && row.exact !== true,
      names: (i) => data.workloads[i]?.name ?? '',
      open: (i) => href('workloads', '', { selected: data.workloads[i]?.name ?? '' }),
    };
  }, [row, served, model, joint, data, point]);
}

export function LawFigures({ figure }: { figure: RowFigure }) {
  const { model, over, drawn, data, costs, law } = figure;
  const x = useMemo((): AxisProps => ({ label: over, include: drawn ?? [] }), [over, drawn]);
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
  return <FigureSet link="fit" x={x} figures={figures} more={{ ahead: data?.[1] }} />;
}

function fitSummary({ over, law, costs, then, approximate }: RowFigure): string {
  const feature = visible(over);
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

/** `[workloads]` costs; `null` until they come, where nobody serves the page, and where the server has none. */
function useServedCosts(of: Subject | null): number[] | null {
  const { served, revision } = page.value.data;
  const query = of && served ? queryOf(of) : null;
  const [answer, setAnswer] = useState<{ query: string; costs: number[] | null }>();
  useEffect(() => {
    if (query === null) return;
    const asking = new AbortController();
    load(revision, query, asking.signal).then(
      (costs) => setAnswer({ query, costs }),
      // Nobody wants it any more, or the server has gone: the page goes on as one from a file.
      () => undefined,
    );
    return () => asking.abort();
  }, [query, revision]);
  return answer?.query === query ? answer.costs : null;
}

function queryOf({ kind, name, file }: Subject): string {
  return new URLSearchParams(kind === 'cluster' ? { cluster: name } : { location: name, file }).toString();
}

async function load(revision: string, query: string, signal: AbortSignal): Promise<number[] | null> {
  const answer = await fetch(`/api/points?${query}`, { signal });
  if (!answer.ok) return null;
  const said = (await answer.json()) as PointsAnswer;
  // Of a study that has grown since, the workloads may be others.
  const { data } = page.peek();
  const fits = said.revision === revision && data.revision === revision;
  return fits && said.costs.length === data.workloads.length ? said.costs : null;
}
