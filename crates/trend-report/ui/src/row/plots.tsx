/** The best fit of a row, and its residuals on the same sizes. */

import { useMemo } from 'preact/hooks';

import * as number from '../format/number';
import type { Model } from '../data/types';
import { shorten, visible } from '../format/text';
import { Plot } from '../plot/plot';
import { useParam } from '../plot/state';
import { ratioText, ratioTicks } from '../plot/ticks';
import type { AxisProps, Guide } from '../plot/types';
import { setParams } from '../state/route';
import { page } from '../state/store';
import { fitSeries, residualSeries, type Figure } from './figures';
import { useServedCosts } from './served';
import { ghosts } from './shown';

/** Other clusters in the fit plot; more lines could not be told apart. */
const MOST_GHOSTS = 5;

/** Residuals nearer to 1 than this are drawn flat: a page carries its laws with five digits. */
const RESIDUAL_FLOOR = 1.001;

interface FitProps {
  figure: Figure;
  name: string;
  locations: string[];
}

export function FitPlot({ figure, name, locations }: FitProps) {
  const withGhosts = useParam('ghosts') !== null;
  const slopes = useParam('slopes') !== null;
  const power = useParam('power') !== null;
  const member = useParam('member');
  const memberCosts = useServedCosts(member === null ? null : { location: member });
  const { model, law, outlooks } = figure;
  const series = useMemo(
    () =>
      fitSeries(figure, {
        ghosts: withGhosts ? ghosts(page.value, model.feature, name, MOST_GHOSTS) : [],
        slopes,
        power,
        member: member !== null && memberCosts ? { name: member, costs: memberCosts } : null,
      }),
    [figure, withGhosts, slopes, power, member, memberCosts],
  );
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
      controls={
        <>
          <Toggle name="ghosts" on={withGhosts} label="Others" title="the costliest other clusters" />
          <Toggle name="slopes" on={slopes} label="Slopes" title="plain growth: n, n log n, n²" />
          {law && model.source !== 'power_law' && model.power_law && (
            <Toggle
              name="power"
              on={power}
              label="Power law"
              title="the power law besides the growth class"
            />
          )}
          {page.value.data.served && locations.length > 1 && (
            <MemberChoice locations={locations} chosen={member} />
          )}
        </>
      }
    />
  );
}

/** More would be no menu. */
const MOST_LOCATIONS = 300;

/** Which location's own points are drawn besides: only who serves the page has those. */
function MemberChoice({ locations, chosen }: { locations: string[]; chosen: string | null }) {
  return (
    <select
      aria-label="points of one location"
      value={chosen ?? ''}
      onChange={(e) => setParams({ member: e.currentTarget.value }, 'push')}
    >
      <option value="">one location…</option>
      {locations.slice(0, MOST_LOCATIONS).map((name) => (
        <option key={name} value={name}>
          {shorten(name, 40)}
        </option>
      ))}
    </select>
  );
}

function Toggle({ name, on, label, title }: { name: string; on: boolean; label: string; title: string }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      title={title}
      onClick={() => setParams({ [name]: on ? null : 1 })}
    >
      {label}
    </button>
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
    last?.estimate && isOfRow
      ? `, and what it says at ${last.where}: ${number.cost(last.estimate.cost)}`
      : '';
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
