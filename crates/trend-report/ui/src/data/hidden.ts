/** What a faster part could add that is too small to be seen in what was run. */

import { cost, share, size } from '../format/number';
import { capitalized, shorten } from '../format/text';
import { factorAt } from './law';
import type { Estimate } from './models';
import type { MayHide, Model } from './types';

/** What a law's cost at a size becomes with as large a part as the runs allow. */
export function withPart({ term, size, cost, share }: MayHide, law: number, at: number): number {
  return (1 - share) * law + (cost * factorAt(term, [at])) / factorAt(term, [size]);
}

/** The same at one size; `null` where there can be no such part, or what it adds lies within the law's interval. */
export function hiddenCost(model: Model, law: Pick<Estimate, 'cost' | 'ci'>, at: number): number | null {
  const part = model.growth?.may_hide;
  const most = part ? withPart(part, law.cost, at) : NaN;
  return most > (law.ci?.[1] ?? law.cost) && most < Infinity ? most : null;
}

const WORDS: Record<string, string> = { n: 'linear part', 'n^2': 'quadratic part', 'n^3': 'cubic part' };

/** `a quadratic part`; of a class without a name `a part that grows as n^2 log n`. */
function partText({ class: growth }: MayHide): string {
  return `a ${WORDS[growth] ?? `part that grows as ${growth}`}`;
}

/** What cannot be excluded, and which run would show it. */
export interface Hidden {
  line: string;
  /** Empty where no run that can be afforded would. */
  way: string;
}

/**
 * `A quadratic part of up to 4.0 % today cannot be excluded: it would make 1.4 G at n = 600,000.`; `null` where the law says it
 * all. `of`: whose part it is, where that is not clear.
 */
export function hiddenText(model: Model, law: Estimate, at: number, target: string, of = ''): Hidden | null {
  const part = model.growth?.may_hide;
  const most = hiddenCost(model, law, at);
  if (!part || most === null) return null;
  const what = `${capitalized(partText(part))} of up to ${share(part.share)}${of && ` of ${of}`} today`;
  const { rules_out: run } = part;
  return {
    line: `${what} cannot be excluded: it would make ${cost(most, 2)} at ${target}.`,
    way: run === null ? '' : `A run of ${shorten(model.feature, 40)} = ${size(run)} would show it.`,
  };
}
