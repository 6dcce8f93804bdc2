/**
 * The data of a page: `findings` is the output of `trend-prof show --format json`, with rows extended by fields that
 * only a page needs. All types are declared in Rust. Matrices are `[rows][workloads]` in the order of `workloads`;
 * `null` = missing.
 */

import type * as found from '../../generated/findings-types';
import type { ModelExtra, PageData as Written, RowExtra, SeriesExtra } from '../../generated/page-types';

export type * from '../../generated/findings-types';
export type * from '../../generated/page-types';

export type Model = found.Model & Partial<ModelExtra>;

type Known<R> = Omit<R, 'models'> & { models: Model[]; law: found.Law | null };
export type Cluster = Known<found.Cluster> & Partial<RowExtra>;
export type Row = Known<found.Row> & Partial<RowExtra>;
export type Total = Known<found.Total> & Partial<RowExtra>;

export type SeriesModel = Known<found.SeriesModel>;
type Costs = 'worst' | 'average' | 'best' | 'own' | 'runs' | 'own_runs';
export type SeriesRow = Omit<found.SeriesRow, Costs> &
  SeriesExtra &
  Record<'worst' | 'average' | 'best', SeriesModel> &
  Partial<Record<Costs, SeriesModel>>;

/** A loop with its notes. */
export type LoopRow = found.LoopRow & { notes?: string[] };

export interface Findings extends Omit<found.Findings, 'lines' | 'blocks' | 'loops'> {
  total: Total;
  clusters: Cluster[];
  functions: Row[];
  lines?: Row[];
  blocks?: Row[];
  series: SeriesRow[];
  loops?: LoopRow[];
}

export type PageData = Omit<Written, 'findings'> & { findings: Findings };

/** Fields that a page needs to predict a row that has a law. */
export type Predictable = Pick<Total, 'models' | 'joint' | 'outlooks' | 'law' | 'band' | 'ends' | 'within'>;

export type Interval = [number, number];
export type Observation = SeriesExtra['observations'][number];
