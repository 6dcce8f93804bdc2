/** The costliest functions at the target, and all others as one: parts that add up to the whole. */

import { computed } from '@preact/signals';

import { rowEstimate, shown, type Shown } from '../data/predict';
import { functionId, NO_EXTRA } from '../data/page';
import type { Estimate } from '../data/models';
import type { RowExtra } from '../data/types';
import { grouped } from '../format/number';
import { functionRows } from '../listing/rows';
import { page } from '../state/store';
import { target, usualTarget, type Place } from '../state/target';
import { answer, shareOf, wholeThen } from './answer';

/** As many as can be told apart. */
const MOST = 5;

export interface Part {
  /** Of the function; empty for all others. */
  id: string;
  name: string;
  file: string;
  line: number;
  /** Which mark and colour it has, 1 to 5; 0 for all others. */
  mark: number;
  /** How it grows, of a function. */
  outlook: Shown | null;
  extra: RowExtra;
  /** In the costliest run. */
  now: number;
  shareNow: number;
  then: Estimate | null;
  shareThen: number | null;
  /** Whether its growth is decided: of what is not, intervals are said. */
  decided: boolean;
  /** What it costs at a point. */
  at: (point: readonly Place[]) => Estimate | null;
  /** `[workloads]`; `null` where the page does not carry them. */
  costs: readonly number[] | null;
}

const rowsOf = computed(() => functionRows(page.value));

/** By falling cost at a point. */
function ranked(point: readonly Place[]): number[] {
  const rows = rowsOf.value;
  const costs = rows.map(({ row, extra }) => rowEstimate(row, extra, point)?.cost ?? -1);
  const known = rows.map((_, i) => i).filter((i) => (costs[i] ?? 0) > 0);
  return known.sort((a, b) => (costs[b] ?? 0) - (costs[a] ?? 0) || a - b);
}

/** Marks stay with the functions that have them when the page opens. */
const usual = computed(() => ranked(usualTarget.value).slice(0, MOST));

/** The five, by falling cost at the target; the one that the answer names is among them. */
const chosen = computed(() => {
  const all = ranked(target.value);
  const five = all.slice(0, MOST);
  const named = answer.value?.named?.candidate.function;
  if (named !== undefined && !five.includes(named)) five.splice(-1, 1, named);
  return five;
});

export const parts = computed<Part[]>(() => {
  const { findings, data } = page.value;
  const free = [1, 2, 3, 4, 5].filter((mark) => !chosen.value.includes(usual.value[mark - 1] ?? -1));
  const whole = wholeThen.value;
  const share = (estimate: Estimate | null) =>
    estimate && whole && shareOf(estimate.cost, estimate.cost, whole.cost);
  const named = chosen.value.flatMap((i): Part[] => {
    const row = findings.functions[i];
    const plain = rowsOf.value[i];
    if (!row || !plain) return [];
    const extra = data.functions[i] ?? NO_EXTRA;
    const then = rowEstimate(row, extra, target.value);
    const outlook = shown(row, extra);
    const candidate = data.answer.candidates?.functions.find((c) => c.function === i);
    return [
      {
        id: functionId(row),
        name: plain.name,
        file: row.file,
        line: candidate?.line ?? row.line,
        mark: usual.value.indexOf(i) + 1 || (free.shift() ?? 0),
        outlook,
        extra,
        now: row.share_of_largest * findings.total.max_cost,
        shareNow: row.share_of_largest,
        then,
        shareThen: share(then),
        decided: outlook?.joint?.law.decided ?? row.law?.decided ?? true,
        at: (point) => rowEstimate(row, extra, point),
        costs: extra.costs,
      },
    ];
  });
  const others = findings.functions.length - named.length;
  if (others <= 0) return named;
  const shareNow = Math.max(1 - named.reduce((sum, part) => sum + part.shareNow, 0), 0);
  const at = (point: readonly Place[]): Estimate | null => {
    const costs = named.map((part) => part.at(point)?.cost ?? NaN);
    const all = point === target.value ? whole : wholeOf(point, costs);
    const cost = all ? costs.reduce((rest, cost) => rest - cost, all.cost) : 0;
    return all && cost > 0 ? { cost, ci: null, source: all.source } : null;
  };
  const costs = data.total.costs?.map((cost, w) =>
    named.reduce((rest, part) => rest - (part.costs?.[w] ?? NaN), cost),
  );
  const then = at(target.value);
  const rest: Part = {
    id: '',
    name: others === 1 ? '1 other function' : `${grouped(others)} other functions`,
    file: '',
    line: 0,
    mark: 0,
    outlook: null,
    extra: NO_EXTRA,
    now: shareNow * findings.total.max_cost,
    shareNow,
    then,
    shareThen: then && whole ? then.cost / whole.cost : null,
    decided: true,
    at,
    costs: costs ?? null,
  };
  return [...named, rest];
});

/** How much more, or less, the laws of the parts add up to than that of the whole; about 0 where all others make up the difference. */
export const gap = computed(() => {
  const whole = wholeThen.value?.cost ?? 0;
  const sum = parts.value.reduce((sum, part) => sum + (part.then?.cost ?? 0), 0);
  return whole > 0 ? sum / whole - 1 : 0;
});

/** The whole program at a point that a chart is drawn at: at least what each of the functions in sight costs. */
export function wholeAt(point: readonly Place[]): Estimate | null {
  const named = parts.value.filter((part) => part.id !== '');
  return point === target.value
    ? wholeThen.value
    : wholeOf(
        point,
        named.map((part) => part.at(point)?.cost ?? 0),
      );
}

function wholeOf(point: readonly Place[], costs: readonly number[]): Estimate | null {
  const { findings, data } = page.value;
  const whole = rowEstimate(findings.total, data.total, point);
  return whole && { ...whole, cost: costs.reduce((most, cost) => Math.max(most, cost), whole.cost) };
}
