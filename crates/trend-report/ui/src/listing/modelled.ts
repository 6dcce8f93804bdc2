/** Rows of the tables of clusters and functions, with their prediction at the target. */

import type { Subject } from '../data/page';
import type { Model } from '../data/types';
import { plural } from '../format/number';
import { type Numbers, numbersOf, parts } from '../overview/views';

export interface ModelledRow extends Subject, Numbers {}

/** Adds to each row its numbers. Functions that the overview marks keep their marks. */
export function modelled(rows: readonly Subject[]): ModelledRow[] {
  const marks = new Map(parts.value.map(({ subject, mark }) => [subject, mark]));
  return rows.map((row) => ({ ...row, ...numbersOf(row.row, marks.get(row) ?? 0) }));
}

export const modelOf = (row: ModelledRow): Model | undefined => row.outlook?.model;

interface Flag {
  /** Name of the flag in exports and filters. */
  key: string;
  text: string;
  hint: string;
  tone: 'steep' | 'doubt' | 'soft';
}

/** Kinds of warnings that another flag already shows, or that explain a model without casting doubt on it. */
const TOLD = new Set(['unexplained', 'no_model', 'split', 'ignored_zeros', 'no_growth']);

/** Scatter at equal sizes. It is worth a warning, but a model that fits in spite of it is reliable. */
const SCATTER = 'equal_runs';

const doubtsOf = ({ outlook }: ModelledRow) =>
  outlook && !outlook.joint ? outlook.model.doubts.filter((d) => !TOLD.has(d.kind)) : [];

/** Returns the row's flags, the most serious first. */
export function flagsOf(row: ModelledRow): Flag[] {
  const { outlook } = row;
  const { overtakes, members } = 'members' in row.row ? row.row : { overtakes: [], members: [] };
  const flags: Flag[] = [];
  const add = (key: string, text: string, hint: string, tone: Flag['tone'] = 'doubt') =>
    flags.push({ key, text, hint, tone });
  const [over] = overtakes;
  if (over) {
    const hint = `will overtake ${over.cluster} at ${over.feature} ≈ ${over.at.toPrecision(3)}`;
    add('overtakes', `overtakes ${overtakes.length}`, hint, 'steep');
  }
  if (outlook?.model.poor === true && !outlook.joint) add('poor', 'poor', 'the model fits the costs poorly');
  if (members.some((m) => m.unstable === true)) add('unstable', 'unstable', 'repeated runs differ in counts');
  const trends = outlook?.model.split?.trends.length;
  if (trends !== undefined) add('trends', `${trends} trends`, `the workloads follow ${trends} trends`);
  const doubts = doubtsOf(row).map((d) => d.message);
  if (doubts.length > 0) add('warnings', plural(doubts.length, 'warning'), doubts.join('; '), 'soft');
  return flags;
}

/** Returns true if the model is unreliable. */
export function isDubious(row: ModelledRow): boolean {
  return doubtsOf(row).some((d) => d.kind !== SCATTER) || flagsOf(row).some((f) => f.tone === 'doubt');
}
