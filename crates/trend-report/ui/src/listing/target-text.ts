/** What the heading of a prediction says: `bytes = 128 M`, or that every feature has its own size. */

import { outlookFeature } from '../data/predict';
import * as number from '../format/number';
import { visible } from '../format/text';
import { page, targetOf } from '../state/store';

export function targetText(): string {
  const { features } = page.value.findings;
  const name = outlookFeature() ?? (features.length === 1 ? (features[0]?.name ?? null) : null);
  if (name === null) return '10 × p95';
  const at = targetOf(name);
  return `${visible(name).slice(0, 16)} = ${at === null ? '?' : number.size(at)}`;
}
