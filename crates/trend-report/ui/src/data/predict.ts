/** Predicts the costs of the findings' rows at the page's target. */

import { effect } from '@preact/signals';

import { aimAt, begin, type Estimate, factorAt, lawAt, outlookOf, raised, sendRow, widened } from './law';
import { exports } from './module';
import { isOfRow, type LawLine, lawOf, modelIndex } from './models';
import type { Page } from './page';
import type { Joint, MayHide, Model, Predictable } from './types';
import { cost, featureSize, picoseconds, probability, share } from '../format/number';
import { shorten, visible } from '../format/text';
import { feature, givenText, page, type Place, target } from '../state/state';

export interface Shown {
  /** The law in several features that the row is shown by; `null` if it is shown by a model in one feature. */
  joint: Joint | null;
  model: Model;
  estimate: Estimate | null;
}

/** Returns the position of the model in the feature chosen on the page, or of the row's own law. */
export function modelShown(row: Pick<Predictable, 'models' | 'law'>): number {
  const asked = modelIndex(row, feature.value);
  return asked >= 0 ? asked : modelIndex(row, null);
}

/** Returns the model that a row is shown with, and its prediction at the target; `null` for a row without models. */
export function shown(row: Predictable): Shown | null {
  const model = row.models[modelShown(row)];
  if (!model) return null;
  return { model, joint: jointShown(row), estimate: rowEstimate(row, target.value) };
}

/** Returns the law in several features that a row is shown by; `null` while the reader looks at a single feature. */
export function jointShown(row: Pick<Predictable, 'joint'>): Joint | null {
  return feature.value === null ? (row.joint ?? null) : null;
}

/** Returns the formula shown for a row. For an undecided law, this is its likeliest class, marked `≈`. */
export function formulaShown(
  row: Pick<Predictable, 'law'>,
  { joint, model }: Omit<Shown, 'estimate'>,
): string {
  const growth = joint ? null : model.growth;
  const named = growth?.decided === false ? growth.classes.filter((c) => c.named) : [];
  const likeliest = named.reduce((best, c) => (c.support > (best?.support ?? 0) ? c : best), named[0]);
  if (likeliest) return `≈ ${likeliest.formula}`;
  // Takes the law in full. A power law has only the digits that its interval supports.
  const inWhole = joint?.law ?? (isOfRow(row, model) && model.source !== 'power_law' ? row.law : null);
  return inWhole?.formula ?? model.formula ?? '';
}

/** The x-axis that a row's costs are drawn over, with the row's law as a line over it. */
export interface Ground {
  /** A feature, or the cost predicted by a law in several features. */
  over: string;
  /** `[workloads]`: the position of each workload on the axis. */
  x: (number | null)[];
  law: LawLine | null;
}

/**
 * Returns the axis and the line of a row. For a law in several features, the axis is the cost by that law: points on
 * the line agree with it.
 */
export function groundOf(
  row: Pick<Predictable, 'law' | 'band'>,
  { model, joint }: Omit<Shown, 'estimate'>,
): Ground {
  if (joint) return groundOfJoint(joint);
  return { over: model.feature, x: page.value.featureValues(model.feature), law: lawOf(model, row) };
}

function groundOfJoint({ law, laws }: Joint): Ground {
  const values = law.features.map((feature) => page.value.featureValues(feature));
  const runs = Math.max(0, ...values.map((of) => of.length));
  const pointOf = (run: number) => values.map((of) => of[run] ?? NaN);
  const x = Array.from({ length: runs }, (_, i) => lawAt(law, pointOf(i)));
  const from = laws.length > 1 ? `average of ${laws.length} laws` : law.formula;
  return { over: 'cost by the law', x, law: { from, at: (cost) => ({ cost, ci: null }) } };
}

/** Returns the part that the row's law may hide at the target. */
export function hiddenAtTarget(row: Predictable, of?: string): Hidden | null {
  const found = shown(row);
  if (!found?.estimate || !isOfRow(row, found.model)) return null;
  const at = target.value.find((p) => p.feature === found.model.feature)?.at ?? NaN;
  return hiddenText(found.model, found.estimate, at, givenText(), of);
}

let begun: Page | undefined;
let aimed: readonly Place[] | undefined;
/** Position of the module's target among the points of the analysis, or -1. */
let known = -1;

/** Begins the page's study in the module, unless it has begun. */
function beginStudy(): void {
  if (begun === page.value) return;
  const { points } = page.value.findings;
  const places = points.map(({ values }) => values);
  begin([...page.value.featureIndex.keys()], places);
  [begun, aimed] = [page.value, undefined];
}

/** Sets the module's target. */
function aim(point: readonly Place[]): void {
  beginStudy();
  if (aimed !== point) [aimed, known] = [point, aimAt(point)];
}

/**
 * Sends the rows to the module while the page is idle. Without that, the first change of the target sends them all,
 * which takes 70 ms for 3,000 functions.
 */
export function sendRowsWhenIdle(): void {
  effect(() => {
    const { findings } = page.value;
    const rows = [findings.total, ...findings.functions, ...findings.clusters];
    const sendSome = (idle: IdleDeadline) => {
      if (page.peek().findings !== findings) return;
      beginStudy();
      while (rows.length > 0 && idle.timeRemaining() > 1) sendRow(rows.pop() as Predictable);
      if (rows.length > 0) requestIdleCallback(sendSome);
    };
    // Some browsers do not report that they are idle.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(sendSome);
  });
}

/**
 * Returns the prediction of a row's law at a point: as the analysis computed it, or else from the law itself. Some rows
 * have only the last of the points.
 */
export function rowEstimate(
  row: Omit<Predictable, 'models' | 'joint'>,
  point: readonly Place[],
): Estimate | null {
  aim(point);
  const found = known < 0 ? undefined : row.outlooks.at(known - page.value.findings.points.length);
  return found === undefined ? lawEstimate(row) : found;
}

/** Returns the prediction by the row's law. */
function lawEstimate(row: Omit<Predictable, 'models' | 'joint'>): Estimate | null {
  const own = outlookOf(row);
  if (!row.within) return own;
  const { functions } = page.value.findings;
  const within = row.within.flatMap((i) => functions[i] ?? []).map((of) => outlookOf(of));
  return widened(own, within);
}

/** Returns the prediction for the whole program. It is never below the prediction of a function that has a verdict. */
export function totalEstimate(point: readonly Place[]): Estimate | null {
  const { functions, total } = page.value.findings;
  const parts = functions.map((row) => rowEstimate(row, point));
  return raised(rowEstimate(total, point), parts);
}

/**
 * Returns the cost at a size with the largest hidden part; `null` if there is no such part or the cost stays within the
 * law's interval.
 */
export function hiddenCost(model: Model, law: Pick<Estimate, 'cost' | 'ci'>, at: number): number | null {
  const part = model.growth?.may_hide;
  if (!part) return null;
  const growth = (factorAt(part.term, at) ?? NaN) / (factorAt(part.term, part.size) ?? NaN);
  const most = exports.hidden(part.share, part.cost, growth, law.cost, ...(law.ci ?? ([NaN, NaN] as const)));
  return Number.isNaN(most) ? null : most;
}

const WORDS: Record<string, string> = { n: 'linear part', 'n^2': 'quadratic part', 'n^3': 'cubic part' };

/** Names the part: `a quadratic part`; for a class without a name, `a part that grows as n^2 log n`. */
function partText({ class: growth }: MayHide): string {
  return `a ${WORDS[growth] ?? `part that grows as ${growth}`}`;
}

/** A part that cannot be excluded, and the run that would show it. */
export interface Hidden {
  line: string;
  /** Empty if no affordable run would show it. */
  way: string;
}

/**
 * Describes the hidden part: `With a probability of 3 %, the cost has a quadratic part (at most 4.0 % of it now) and is
 * up to 1.4 G executions at n = 600,000.` Returns `null` if the law can hide no part that matters. `of` names the row if
 * the context does not.
 */
export function hiddenText(model: Model, law: Estimate, at: number, target: string, of = ''): Hidden | null {
  const part = model.growth?.may_hide;
  const most = hiddenCost(model, law, at);
  if (!part || most === null) return null;
  const { unit } = page.value.findings;
  const written = unit === 'ps' ? picoseconds(most) : `${cost(most, 2)} ${visible(unit)}`;
  const [row, its, costs] = of ? [of, 'its cost', 'costs'] : ['the cost', 'it', 'is'];
  const { rules_out: run } = part;
  return {
    line:
      `With a probability of ${probability(part.probability)}, ${row} has ${partText(part)} ` +
      `(at most ${share(part.share)} of ${its} now) and ${costs} up to ${written} at ${target}.`,
    way:
      run === null
        ? ''
        : `A run at ${shorten(model.feature, 40)} = ${featureSize(model.feature, run)} would show it.`,
  };
}
