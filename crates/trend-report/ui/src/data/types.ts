/**
 * The data of a page: `findings` is what `trend-prof show --format json` prints, the rest is what only a page needs. Both
 * are declared in Rust. All matrices are `[rows][workloads]` in the order of `workloads`; `null` = missing.
 */

import type { Cluster as Clustered, Row as Listed, WithLaw } from '../../generated/findings-types';
import type { SeriesExtra } from '../../generated/page-types';

export type * from '../../generated/findings-types';
export type * from '../../generated/page-types';

export type Cluster = WithLaw<Clustered>;
export type Row = WithLaw<Listed>;

export type Interval = [number, number];
export type Observation = SeriesExtra['observations'][number];
