/** Rows of the tables of clusters and functions: what the findings say of them at the size that is predicted for. */

import { shown, type Predictable, type Shown } from '../data/predict';
import { ranksOf } from './ranks';
import type { Model, Overtaking, RowExtra } from '../data/types';

export interface ModelledRow {
  id: string;
  /** As it is called: of a cluster its representative. */
  name: string;
  /** Where it is; of a cluster its representative or, where that is a feature, its costliest location. */
  file: string;
  line: number;
  function: string;
  /** By maximum cost, from 1. */
  rank: number;
  costly: boolean;
  maxCost: number;
  /** Of the run that costs most. */
  shareOfLargest: number;
  /** Of any run, at most. */
  maxShare: number;
  /** Of the locations in it, with whether one of them is not deterministic; `null` where that is not known. */
  locations: number | null;
  unstable: boolean;
  overtakes: readonly Overtaking[];
  extra: RowExtra;
  outlook: Shown | null;
  row: Predictable;
  /** Among rows with a prediction, by its cost; `null` for one without. */
  rankThen: number | null;
}

/** What a row is before it is known what it is shown with. */
export type PlainRow = Omit<ModelledRow, 'outlook' | 'rankThen'>;

/** The rows with the model that each is shown with, and their rank at the target. */
export function modelled(rows: readonly PlainRow[]): ModelledRow[] {
  const known = rows.map((plain) => ({ ...plain, outlook: shown(plain.row, plain.extra) }));
  const ranks = ranksOf(known.map((row) => row.outlook?.estimate?.cost ?? -1));
  return known.map((row, i) => ({ ...row, rankThen: row.outlook?.estimate ? (ranks[i] ?? null) : null }));
}

export const modelOf = (row: ModelledRow): Model | undefined => row.outlook?.model;

export interface Flag {
  /** In exports and filters. */
  key: string;
  text: string;
  hint: string;
  tone: 'steep' | 'doubt' | 'soft';
}

/** Kinds of warnings that another flag says, or that explain a model without casting doubt on it. */
const TOLD = new Set(['unexplained', 'no_model', 'split', 'ignored_zeros', 'no_growth']);

/** Scatter at equal sizes: to be known, but a model that fits in spite of it is to be relied on. */
const SCATTER = 'equal_runs';

/** What is to be known of a row besides its numbers, the gravest first. */
export function flagsOf(row: ModelledRow): Flag[] {
  const model = modelOf(row);
  const flags: Flag[] = [];
  const [over] = row.overtakes;
  if (over) {
    const hint = `will cost more than ${over.cluster}, rank ${over.rank}, from ${over.feature} = ${over.at.toPrecision(3)} on`;
    flags.push({ key: 'overtakes', text: `overtakes ${row.overtakes.length}`, hint, tone: 'steep' });
  }
  if (row.outlook?.extra?.poor === true && !row.outlook?.joint) {
    flags.push({ key: 'poor', text: 'poor', hint: 'the model describes the costs poorly', tone: 'doubt' });
  }
  if (row.unstable) {
    const hint = 'repeated runs of one workload gave different counts';
    flags.push({ key: 'unstable', text: 'unstable', hint, tone: 'doubt' });
  }
  if (model?.split) {
    const hint = `the workloads follow ${model.split.trends.length} trends`;
    flags.push({ key: 'trends', text: `${model.split.trends.length} trends`, hint, tone: 'doubt' });
  }
  const doubts = row.outlook?.joint ? [] : (model?.doubts.filter((d) => !TOLD.has(d.kind)) ?? []);
  if (doubts.length > 0) {
    const hint = doubts.map((d) => d.message).join('; ');
    const text = doubts.length === 1 ? '1 warning' : `${doubts.length} warnings`;
    flags.push({ key: 'warnings', text, hint, tone: 'soft' });
  }
  return flags;
}

/** Whether the model is not to be relied on. */
export function isDubious(row: ModelledRow): boolean {
  const warned =
    !row.outlook?.joint &&
    (modelOf(row)?.doubts.some((d) => !TOLD.has(d.kind) && d.kind !== SCATTER) ?? false);
  return warned || flagsOf(row).some((f) => f.tone === 'doubt');
}
