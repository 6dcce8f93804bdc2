/**
 * Selects the series that the workspace shows: one of each place, in the chosen variable and unit. Also holds the
 * options that the toolbar sets for all charts. All of this is in the address.
 */

import { computed } from '@preact/signals';

import { lawAt } from '../data/law';
import type { Page } from '../data/page';
import { totalEstimate } from '../data/predict';
import type { CallTree, SeriesRow } from '../data/types';
import { costsOf, wholeOf } from '../plot/boxes';
import type { Kind } from '../plot/scale';
import { page, param, type Place, setParams, valuesOf } from '../state/state';

/** Returns a place's cost with its callees. If the callees' cost `called` is given, adds it to the place's own cost. */
export type CostOf = (row: SeriesRow, called?: number) => number;

/** A series with its id in addresses. */
export interface Entry {
  id: string;
  /** Position in the findings. */
  index: number;
  row: SeriesRow;
}

/** The input metrics and the cost units of the study's series. */
interface Measures {
  /** Metrics such as `rms` and `drms`; one that sees more input comes later. */
  metrics: string[];
  /** Cost units, the study's own unit first. */
  units: string[];
}

/** Returns an id of the series' place. It is the same for all metrics and units. */
export function placeId(row: SeriesRow, withContext = true): string {
  return [row.kind, row.name, row.object, (withContext && row.context) || ''].join('|');
}

export function metricOf(row: SeriesRow): string {
  return row.variables.join(', ');
}

function measuresOf({ findings }: Page): Measures {
  const rows = findings.series;
  const units = new Set(rows.map((row) => row.unit));
  return {
    metrics: [...new Set(rows.map(metricOf))].sort().reverse(),
    units: [findings.unit, ...units].filter((unit, i, all) => units.has(unit) && all.indexOf(unit) === i),
  };
}

/**
 * Returns one series of each place, by falling cost. If a place has none in the chosen metric and unit, returns its
 * best match.
 */
export function entriesOf({ findings }: Page, metric: string, unit: string): Entry[] {
  const fits = (row: SeriesRow) => Number(row.unit === unit) * 2 + Number(metricOf(row) === metric);
  const best = new Map<string, Entry>();
  findings.series.forEach((row, index) => {
    const id = placeId(row);
    const known = best.get(id);
    if (!known || fits(row) > fits(known.row)) best.set(id, { id, index, row });
  });
  return [...best.values()].sort((a, b) => a.index - b.index);
}

/** Returns the tree that a series belongs to; `undefined` if its contexts were not recorded. */
export function treeOf({ data }: Page, row: SeriesRow): CallTree | undefined {
  const key = ({ kind, unit, variables }: CallTree | SeriesRow) => [kind, unit, ...variables].join();
  return data.call_trees.find((tree) => key(tree) === key(row));
}

/** Returns the measured cost in all runs together. */
export const measured: CostOf = (row, called) =>
  sumOf(row.self_sum ?? null, row.outermost_sum ?? row.sum, called);

/** Returns self cost plus callees. If the self cost is unknown, returns all cost, or the callees if they cost more. */
function sumOf(own: number | null, all: number, called: number | undefined): number {
  return own !== null && called !== undefined ? own + called : Math.max(all, called ?? 0);
}

/**
 * Returns a function for the cost in one run at a point: own cost plus callees, or else everything by the law of its
 * runs. For a row without a law it takes the mean of the runs. Returns `null` if no row has such a law.
 */
export function costAt({ findings }: Page, point: readonly Place[]): CostOf | null {
  const at = (model: SeriesRow['runs']) => {
    const values = model?.law && valuesOf(point, model.law.features);
    return model?.law && values ? lawAt(model.law, values) : null;
  };
  if (!findings.series.some(({ runs }) => at(runs) !== null)) return null;
  const mean = (row: SeriesRow) => measured(row) / Math.max(findings.workloads.count, 1);
  return (row, called) => sumOf(at(row.own_runs), at(row.runs) ?? mean(row), called);
}

/**
 * Returns `[nodes]`: the cost of each context with its callees. A context that was not profiled costs as much as its
 * callees.
 */
export function costsOfContexts(tree: CallTree, rows: readonly SeriesRow[], cost: CostOf): Float64Array {
  return costsOf(tree, (node, called) => {
    const row = rows[tree.nodes[node]?.series ?? -1];
    return row ? cost(row, called) : called;
  });
}

/**
 * Returns the cost of each place: the sum over its outermost contexts, so that recursion counts once. `places` is
 * `[nodes]`; an empty text means no place.
 */
export function costsOfPlaces(
  { nodes }: CallTree,
  costs: Float64Array,
  places: readonly string[],
): Map<string, number> {
  const found = new Map<string, number>();
  nodes.forEach((node, i) => {
    const place = places[i] ?? '';
    for (let at = node.caller; at !== undefined; at = nodes[at]?.caller) if (places[at] === place) return;
    if (place !== '') found.set(place, (found.get(place) ?? 0) + (costs[i] ?? 0));
  });
  return found;
}

/**
 * Returns the share of the program that each place takes at the target, or took in the measured runs. If contexts are
 * known, a routine is the sum of its contexts, as they are drawn.
 */
export function sharesOf(page: Page, entries: readonly Entry[], point: readonly Place[]): number[] {
  const cost = costAt(page, point);
  const [first] = entries;
  if (!cost || !first) return entries.map(({ row }) => row.share);
  const tree = treeOf(page, first.row);
  if (tree) {
    const rows = page.findings.series;
    const costs = costsOfContexts(tree, rows, cost);
    const whole = wholeOf(tree, costs);
    const ids = (withContext: boolean) =>
      tree.nodes.map(({ series }) => {
        const row = series === undefined ? undefined : rows[series];
        return row ? placeId(row, withContext) : '';
      });
    const [wholes, contexts] = [false, true].map((of) => costsOfPlaces(tree, costs, ids(of)));
    return entries.map(
      ({ id, row }) => ((row.context === undefined ? wholes : contexts)?.get(id) ?? 0) / whole,
    );
  }
  const costs = entries.map(({ row }) => cost(row));
  const isProgram = entries.every(({ row }) => row.self_sum !== undefined);
  const program = isProgram ? (totalEstimate(point)?.cost ?? 0) : 0;
  const whole = costs.reduce((most, c) => Math.max(most, c), program);
  return costs.map((c) => (whole > 0 ? c / whole : 0));
}

/** Costs of a call that the charts can show; `own` is the cost without callees. */
export const COSTS = ['worst', 'average', 'best'] as const;
export type Cost = (typeof COSTS)[number] | 'own';

/** Returns the value that a parameter of the address chooses. */
function choice<T>(key: string, read: (text: string | null) => T) {
  const chosen = param(key);
  return computed(() => read(chosen.value));
}

const whole = (text: string | null): number => {
  const value = Number(text ?? '1');
  return Number.isInteger(value) && value >= 1 && value <= 100_000 ? value : 1;
};

/** Returns the chosen value if it is one of `all`, else the default. */
const oneOf = (chosen: string | null, all: readonly string[], usual = '') =>
  all.find((one) => one === chosen) ?? usual;

export const measures = computed(() => measuresOf(page.value));

/** The metric of input size. The default is `drms`, which covers all input. */
export const metric = choice('metric', (text) => {
  const { metrics } = measures.value;
  return oneOf(text, metrics, metrics.at(-1));
});
export const unit = choice('unit', (text) => oneOf(text, measures.value.units, measures.value.units[0]));
/** The cost that is drawn; `null` draws all together. */
export const oneCost = choice('cost', (text) => COSTS.find((c) => c === text) ?? null);
export const isSelf = choice('of', (text) => text === 'self');
export const xScale = choice('axes', (text): Kind => (/x|both/.test(text ?? '') ? 'linear' : 'log'));
export const yScale = choice('axes', (text): Kind => (/y|both/.test(text ?? '') ? 'linear' : 'log'));
export const smoothing = choice('w', whole);
export const aggregation = choice('d', whole);
const isOn = (text: string | null) => text === '1';
export const byCalls = choice('calls', isOn);
/** True if the list takes the whole width with all columns, above the routine. */
export const isWide = choice('wide', isOn);
export const withContexts = choice('contexts', isOn);

/** Switches one of the axes between linear and logarithmic. */
export function toggleAxis(axis: 'x' | 'y'): void {
  const linear = { x: xScale.value === 'linear', y: yScale.value === 'linear' };
  linear[axis] = !linear[axis];
  setParams({ axes: linear.x ? (linear.y ? 'both' : 'x') : linear.y ? 'y' : null }, 'push');
}
