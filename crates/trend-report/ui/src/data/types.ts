/**
 * The data of a page. `findings` is what `trend-prof show --format json` prints; the rest is what only a page needs.
 * All matrices are `[rows][workloads]` in the order of `workloads`; `null` = missing.
 */

/** The data block of a page: gzip of this as JSON. */
export interface PageData {
  schema: 'trend-prof/page/1';
  /** The tool and its version. */
  generated_by: string;
  /** The study's file name, for command lines. */
  study: string;
  /** The folder that source paths start from; empty where unknown. */
  root: string;
  /** Whether a trend-prof serves this page: then the API answers. */
  served: boolean;
  /** Digest of the study's content: changes when the study does. */
  revision: string;
  findings: Findings;
  /** The sentences at the top, in order. */
  verdict: Statement[];
  /** What suffixes mean: `k = 10³, …`, or of times `k = ns, …`. */
  legend: string;
  /** How intervals are made, in words. */
  method: string;
  workloads: WorkloadInfo[];
  /** `[features][workloads]`, in the order of `findings.features`. */
  feature_values: (number | null)[][];
  total: RowExtra;
  /** In the order of `findings.clusters`. */
  clusters: RowExtra[];
  /** In the order of `findings.functions`. */
  functions: RowExtra[];
  /** In the order of `findings.routines`. */
  routines: RoutineExtra[];
  /** Locations that no cluster has: those whose cost hardly varies. With the clusters' members these are all. */
  constant: ConstantLocations;
  /** Source files that the page carries, in the order of their `<template class="source">`. */
  sources: SourceFile[];
  /** Source files of the study that are too large to be carried. */
  sources_left_out: string[];
}

export type StatementKind = 'dominates' | 'grows' | 'steady' | 'overtakes' | 'doubtful';

export interface Statement {
  kind: StatementKind;
  /** The representative's name of the cluster that it is about. */
  cluster: string | null;
  /** The routine that it is about, by its position. */
  routine?: number;
  text: string;
}

export interface WorkloadInfo {
  name: string;
  /** The command line; empty for imported counts. */
  command: string;
  repetitions: number;
  /** Of the run; `null` for imported counts. */
  wall_s: number | null;
  cpu_s: number | null;
  peak_rss_bytes: number | null;
}

/** What a page needs of a row besides the findings. */
export interface RowExtra {
  /**
   * Cost per workload, 0 = not executed; `null` where the page carries none: functions that never take 0.1 % of a run,
   * and where a study is large the rows of least share.
   */
  costs: number[] | null;
  /** Whether `costs` are exact; else they are rounded to four digits (three in large studies), and shown with `≈`. */
  exact: boolean;
  /** What the row is called in short, without the arguments of generics; absent where that is its whole name. */
  name?: string;
  /** The row's law in short: `n^2`, `x·y ?`. */
  growth: string;
  /** The row's law as a formula; of an undecided one the slowest and the fastest. */
  formula: string;
  /** Per model of the row, in the same order. */
  models: ModelExtra[];
}

export interface ModelExtra {
  /**
   * The law that predictions come from, at ascending feature values far beyond the data; empty where it is a power law
   * of a row that costs little. Without intervals for rows that are not costly.
   */
  curve: CurvePoint[];
  /** What that law is called: `n^2: 1.5·n^2`; empty where there is no curve. */
  law: string;
  /** The class in short, `n or n log n ?`, or how many trends there are. */
  growth: string;
  /** The law in this feature as a formula. */
  formula: string;
  /** The model and its doubts in whole sentences; empty for rows that cost little. */
  sentences: string[];
}

/** `[at, cost, lo, hi]`; `lo` and `hi` are `null` where there is no interval. */
export type CurvePoint = [number, number, number | null, number | null];

export interface RoutineExtra {
  /** Merged over the workloads, by ascending size. */
  tuples: RoutineTuple[];
  /** Of worst, average and best cost. */
  worst: ModelExtra;
  average: ModelExtra;
  best: ModelExtra;
  /** Where the routine is, if the study has a function of that name; else empty. */
  file: string;
  line: number;
}

/** `[size, calls, min, max, sum, sum of squares]`; the last is 0 where it is not known. */
export type RoutineTuple = [number, number, number, number, number, number];

/** Columns of one length. */
export interface ConstantLocations {
  name: string[];
  /** Index into `files`. */
  file: number[];
  line: number[];
  /** Lines besides `line`; most blocks have none. */
  lines: number[][];
  /** Index into `functions`. */
  function: number[];
  max_cost: number[];
  files: string[];
  functions: string[];
}

export interface SourceFile {
  file: string;
  lines: number;
  /** Of the text, uncompressed. */
  bytes: number;
}

// What follows is the published format of `show --format json`.

export interface Findings {
  schema: string;
  program: { name: string };
  unit: string;
  seed: number;
  alpha: number;
  level: number;
  intervals: string;
  resamples: number;
  workloads: { count: number; failed: number; failures: Failure[] };
  features: FeatureSummary[];
  locations: { total: number; varying: number; unstable: number };
  /** Where `outlooks` are for. */
  points: Point[];
  /** Where a feature stands that is not given; absent where there is one feature. */
  fillings?: Filling[];
  total: {
    max_cost: number;
    models: Model[];
    outlooks: (RowOutlook | null)[];
    parts?: Parts[];
    joint?: Joint;
    law: Law | null;
  };
  clusters: Cluster[];
  functions: Row[];
  /** Only where the analysis was asked for them. */
  lines?: Row[];
  blocks?: Row[];
  routines?: RoutineRow[];
  doubts: Doubt[];
}

/** Where costs are predicted: a value of every feature. */
export interface Point {
  values: { feature: string; at: number }[];
  /** Whether somebody asked for it. */
  asked: boolean;
  /** Not in the findings: the server was asked for it later, for a target size. */
  served?: boolean;
}

/** A feature that is not given goes along with one that is, as `a·leader^b`, or stands where the costliest run had it. */
export interface Filling {
  feature: string;
  costliest: number | null;
  along: { leader: string; a: number; b: number; r2: number }[];
}

/** What a row costs at a point, by its law. */
export interface RowOutlook {
  cost: number;
  ci: Interval | null;
  source: Source;
}

/** What laws and predictions come from. */
export type Source = 'class' | 'classes' | 'power_law' | 'joint' | 'sum_of_parts' | 'largest_part';

/** How a cost follows from features. */
export interface Law {
  source: Source;
  decided: boolean;
  features: string[];
  formula: string;
  /** What it is a sum of: one part without a name, or of the whole its parts. */
  parts: { part?: string; sums: LawSum[] }[];
}

/** A part is the geometric mean of its sums by weight; where the law is decided there is one. */
export interface LawSum {
  weight: number;
  class?: string;
  /** The least size that it is of. */
  from?: number;
  terms: { coefficient: number; factors: Factor[] }[];
}

/** Features by their positions in the law's. */
export type Factor =
  | { kind: 'power'; feature: number; exponent: number; log: boolean }
  | { kind: 'exponential' | 'times_exponential'; feature: number; base: number }
  | { kind: 'factorial' | 'inverse'; feature: number }
  | { kind: 'least'; features: [number, number] };

/** A feature in which the whole is predicted as the sum of these functions and of the rest. */
export interface Parts {
  feature: string;
  functions: string[];
  /** The files that these are in. */
  files: string[];
}

/** Why something may be misleading; the message is made of the rest and read by nobody. */
export interface Doubt {
  kind: string;
  feature?: string;
  numbers?: Record<string, number | null>;
  message: string;
}

export interface FeatureSummary {
  name: string;
  min: number | null;
  p95: number | null;
  max: number | null;
  missing: number;
  not_positive: number;
  joins?: string;
}

/** A workload without counts. */
export interface Failure {
  name: string;
  reason: string;
  /** The end of what it wrote to stderr. */
  stderr_tail?: string;
  /** In the order of the features. */
  values: (number | null)[];
}

export interface Cluster {
  rank: number;
  /** `file:line in function`, unique; of the user's own code where it has some. */
  title: string;
  /** The member that is its title. */
  named_by: string;
  /** What its members are compared with; the name is the cluster's id. */
  representative: { kind: 'feature' | 'location'; name: string };
  costly: boolean;
  max_cost: number;
  max_share: number;
  share_of_largest: number;
  members: Member[];
  features: string[];
  models: Model[];
  outlooks: (RowOutlook | null)[];
  joint?: Joint;
  law: Law | null;
  decomposition?: Decomposition;
  overtakes: Overtaking[];
}

export interface Member {
  name: string;
  function: string;
  file: string;
  /** Whether the file is the user's own: below the study's root. */
  own: boolean;
  line: number;
  lines: number[];
  block: number;
  r2: number;
  max_cost: number;
  unstable?: boolean;
}

export interface Overtaking {
  cluster: string;
  rank: number;
  feature: string;
  at: number;
}

export interface Row {
  name: string;
  file: string;
  line: number;
  max_cost: number;
  max_share: number;
  share_of_largest: number;
  models: Model[];
  outlooks: (RowOutlook | null)[];
  joint?: Joint;
  law: Law | null;
}

export type Interval = [number, number];

export interface Model {
  feature: string;
  /** Which of what follows is the law in this feature; `null` where there is none. */
  source: Source | null;
  power_law: PowerLaw | null;
  linear: Linear | null;
  growth: Growth | null;
  predictions: Prediction[];
  /** The largest size at which it ran, where it ran in none beyond. */
  runs_until?: number;
  split?: Split;
  next?: {
    sizes: number[];
    inputs: number;
    decides: boolean;
    message: string;
    costs: number[];
    exclude?: string[];
  };
  doubts: Doubt[];
}

/** `a·f^b` */
export interface PowerLaw {
  a: number;
  a_ci: Interval | null;
  b: number;
  b_ci: Interval | null;
  r2: number;
  points: number;
  sizes: number;
  span: number;
  ignored_zeros: number;
}

/** `a + b·f` */
export interface Linear {
  a: number;
  a_ci: Interval | null;
  b: number;
  b_ci: Interval | null;
  r2: number;
}

export interface Growth {
  /** `n^2`, or `undecided between n and n log n`. */
  verdict: string;
  /** In short: `n^2`, `n or n log n ?`. */
  short: string;
  decided: boolean;
  /** `null` where the named classes disagree. */
  superlinear: boolean | null;
  points: number;
  classes: GrowthClass[];
}

export interface GrowthClass {
  class: string;
  support: number;
  formula: string;
  spread: number;
  /** Whether the verdict names it. */
  named: boolean;
  /** What leads in it. */
  term: Factor;
}

export interface Prediction {
  at: number;
  cost: number;
  ci: Interval | null;
  source: Source;
  asked?: boolean;
  /** Not in the findings: the server was asked for it later, for a target size. */
  served?: boolean;
}

export interface Joint {
  support: number;
  r2: number;
  law: Law;
}

export interface Decomposition {
  function: string;
  file: string;
  line: number;
  entries: { max: number; models: Model[] };
  per_entry: { max: number; models: Model[] };
}

export interface Split {
  told_apart_by: string | null;
  rule: string | null;
  trends: { workloads: string[]; power_law: PowerLaw | null; growth: Growth | null }[];
}

export interface RoutineRow {
  name: string;
  object: string;
  context?: string;
  metric: string;
  sizes: number;
  calls: number;
  sum: number;
  /** Of the calls that are not nested in another call of the routine; absent where the profile does not say. */
  outermost_sum?: number;
  /** Of all calls without what they called; absent where the profile does not say. */
  self_sum?: number;
  /** Of the program's cost: with what the routine called, and without. */
  share: number;
  self_share?: number;
  /** Of the calls of all routines. */
  call_share: number;
  /** Of the routine's input: what the kernel and other threads wrote. */
  kernel_input?: number;
  thread_input?: number;
  max_cost: number;
  worst: RoutineModel;
  average: RoutineModel;
  best: RoutineModel;
}

export interface RoutineModel extends Model {
  /** `a + b·n^c` */
  offset_power?: { a: number; b: number; c: number; r2: number };
}
