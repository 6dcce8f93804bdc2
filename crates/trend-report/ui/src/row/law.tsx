/** Draws the law of a row over the measurements, and below it the deviation of each run, on the same sizes. */

import type { ComponentChildren } from 'preact';
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
import { besideSeries, fitSeries, ranges, RATIO, residualSeries, type RowFigure } from './figures';
import { outlooks } from './shown';
import { givenText, href, page, target } from '../state/state';

/** Returns the source of the drawings: the law in several features if there is one, else the model. */
export function useFigure(
  subject: Subject,
  model: Model,
  joint: Joint | null = null,
  isDrawn = true,
): RowFigure {
  const { row } = subject;
  const { data } = page.value;
  const point = target.value;
  // The page carries exact costs of expensive rows only; a server has the exact costs of all rows.
  const served = useServedCosts((row.costs && row.exact) || !isDrawn ? null : subject);
  return useMemo(() => {
    const costs = served ?? row.costs ?? [];
    const ground = groundOf(row, { model, joint });
    const here = outlooks(row).find((o) => o.asked);
    const size = point.find((p) => p.feature === model.feature)?.at ?? null;
    const at = joint ? (here?.estimate?.cost ?? null) : size;
    const isOwn = joint !== null || isOfRow(row, model);
    return {
      ...ground,
      // Trends, doubts and hidden parts belong to a single feature.
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

interface LawFiguresProps {
  figure: RowFigure;
  /** Another row, drawn in the same chart. */
  beside: { name: string; figure: RowFigure; tone: 'other' | 'third' } | null;
  controls: ComponentChildren;
}

export function LawFigures({ figure, beside, controls }: LawFiguresProps) {
  const { model, over, drawn, data, costs, law } = figure;
  const x = useMemo((): AxisProps => ({ label: over, include: drawn ?? [] }), [over, drawn]);
  const figures = useMemo((): Figure[] => {
    const fit = {
      id: 'fit',
      title: 'Law and measurements',
      summary: fitSummary(figure),
      y: { label: page.value.findings.unit },
      series: [
        ...fitSeries(figure),
        ...(beside ? besideSeries(beside.figure, beside.name, beside.tone) : []),
      ],
      height: 380,
    };
    const ratio = {
      id: 'res',
      title: 'Measured ÷ law',
      summary: `Measured ÷ law: a run above ×1 cost more than the law predicts. ${diagnosis(model)}`,
      y: RATIO,
      series: residualSeries(figure),
      height: 170,
    };
    return costs.length > 0 && law ? [fit, ratio] : [fit];
  }, [figure, beside?.figure, beside?.name, beside?.tone]);
  return <FigureSet link="fit" x={x} figures={figures} controls={controls} more={{ ahead: data?.[1] }} />;
}

function fitSummary({ over, law, costs, then, approximate }: RowFigure): string {
  const feature = visible(over);
  const rounded = approximate ? ', rounded' : '';
  if (costs.length === 0) {
    return `The law (${law?.from ?? 'none'}) over ${feature}: the page has no points for rows that cost so little.`;
  }
  const ran = costs.filter((c) => c > 0).length;
  const points = `${number.plural(ran, 'run')}${rounded}`;
  if (!law) return `${points}; no law fits them.`;
  const said = then?.estimate ? `; at ${givenText()}: ${number.predicted(then.estimate)}` : '';
  return `${points} with the fitted law (${law.from}) and its interval${said}.`;
}

/** Describes the problems that the analysis found in the model's fit. */
function diagnosis({ doubts }: Model): string {
  const wrong = doubts.filter((d) => ABOUT_THE_FIT.has(d.kind)).map((d) => visible(d.message));
  return wrong.length === 0 ? 'No pattern was found in the ratios.' : `${wrong.join('; ')}.`;
}

/** Kinds of doubts that residuals show; the other kinds are about missing data. */
const ABOUT_THE_FIT = new Set(['bend', 'change_point', 'fan', 'unexplained', 'equal_runs', 'split']);

/** Returns `[workloads]` costs; `null` until they arrive, without a server, and if the server has none. */
function useServedCosts(of: Subject | null): number[] | null {
  const { served, revision } = page.value.data;
  const query = of && served ? queryOf(of) : null;
  const [answer, setAnswer] = useState<{ query: string; costs: number[] | null }>();
  useEffect(() => {
    if (query === null) return;
    const asking = new AbortController();
    load(revision, query, asking.signal).then(
      (costs) => setAnswer({ query, costs }),
      // The request was aborted, or the server is gone: the page continues without the exact costs.
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
  // If the study has grown since, its workloads may differ.
  const { data } = page.peek();
  const fits = said.revision === revision && data.revision === revision;
  return fits && said.costs.length === data.workloads.length ? said.costs : null;
}
