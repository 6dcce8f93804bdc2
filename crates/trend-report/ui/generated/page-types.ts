// Written by `npm run types` from JSON schemas; do not edit.

import type { Candidates, Comparison, Findings, JudgedPlace, Law, LawSum, TimeDoubt } from './findings-types';

/** Data for the sentences of the answer. */
export interface AnswerExtra {
  /** Absent if the program ran at too few sizes to be predicted. */
  candidates?: Candidates;
  /** Sentence for targets that take more than a day. */
  day?: string;
  /** Doubts, those that change the answer most first. */
  doubts: DoubtLine[];
  /** The largest inputs within limits of time and memory; absent if none are known. */
  fitting?: Fitting;
  /** Sentence for targets that need more memory than the machine has. */
  machine?: string;
  /** Doubt about the memory at any target; absent if it can be trusted, or is unknown. */
  memory?: string;
  /** Sentence for targets at which memory is unknown. */
  memory_unknown?: string;
  /**
   * The reason why the law of the whole says too little, and what would be enough; absent if it says enough, or if
   * there is no law.
   */
  missing?: string;
  /** Sentence about uncounted code that takes much of the time; absent if there is none. */
  not_counted?: string;
  /** Possible doubts about the time; the page shows the first that applies at a target. Empty if nothing was timed. */
  seconds: SecondsDoubt[];
  /** True if important work was not counted. */
  uncounted: boolean;
  /** Sentence that wall time is unknown at every target; absent if it is predicted or nothing was timed. */
  wall_time?: string;
}

/**
 * The interval of a law at ascending values of its feature, far beyond the data. Its ends are multiples of the law.
 * They change so slowly that values in between can be interpolated.
 */
export interface Band {
  /** Values of the feature. */
  at: number[];
  /** Upper ends. */
  hi: number[];
  /** Lower ends. */
  lo: number[];
}

/** A node of the tree: a routine in one calling context. */
export interface CallNode {
  /** Index of the caller's node; absent for a root. */
  caller?: number;
  /** Name of a caller without a series. */
  name?: string;
  /** Index of the series in the findings; absent for a caller that was not profiled. */
  series?: number;
}

/** Contexts of the series of one kind with the same variables and unit. */
export interface CallTree {
  /** Variable in which the growth of the series is described. */
  growth_in: GrowthIn;
  kind: string;
  /** Nodes, callers before callees; the callees of a caller are sorted by cost, the most expensive first. */
  nodes: CallNode[];
  unit: string;
  variables: string[];
}

/** A change in words, and as a difference. */
export interface ChangeWords {
  /** Difference of the costs. */
  by: number;
  /** Interval of the difference. */
  by_ci: [number, number] | null;
  /** Relative change, as in `+27 % (+20 % … +34 %)`; for new or removed code, its cost with a sign. */
  change: string;
  /** Costs before and after. */
  costs: [string, string];
  /** Name, or `old → new` if it changed; empty for the whole program. */
  name: string;
  /** Place, as in `list.c:7`. */
  place: string;
  /** Kind of change, as in `factor 1.13, exact`. */
  what: string;
}

/** The comparison of two versions. */
export interface Compare {
  /** Names of the studies, before and after. */
  names: [string, string];
  /** The whole program, and the functions that are listed at some target. */
  rows: ComparedRow[];
  /** Values of the compared feature, before and after: `[workloads]`. */
  sizes: [(number | null)[], (number | null)[]];
  /** Comparisons by target, the default one first. */
  targets: ComparedTarget[];
}

/** A row in both versions. */
export interface ComparedRow {
  /** Place according to the comparison; absent for the whole program. */
  place?: JudgedPlace;
  /** Row before and after; `null` in a version without it. */
  sides: [ComparedSide | null, ComparedSide | null];
}

/** A row in one version: its measured costs and its law. */
export interface ComparedSide {
  /** The interval of a law in one feature; `null` without one. */
  band: Band | null;
  /** Costs: `[workloads]`, 0 = not executed. */
  costs: number[];
  /** Law of the costs in terms of features; `null` if there is none. */
  law: Law | null;
  /** Step of growth: 0 (linear or less) to 4. */
  warmth?: number;
}

/** The comparison at one target, as a terminal shows it. */
export interface ComparedTarget {
  /** Words of the comparison's changes, in order. */
  changes: ChangeWords[];
  /** Output of `trend-prof diff --format json`, with only the changes that a terminal lists. */
  comparison: Comparison;
  /** Outcome in one word, and the program's cost. */
  headline: Piece[];
  /** Output of `trend-prof diff --format markdown`. */
  markdown: string;
  /** Sentences about faster or slower growth, and about resources. */
  meaning: Piece[];
  /** Number of changes that are not listed. */
  more: number;
  total: ChangeWords;
  /** Sentence with the number of unchanged functions; empty if there are none. */
  unchanged: string;
}

/** Locations as columns of equal length. */
export interface ConstantLocations {
  /** Index into the table `files`. */
  file: number[];
  files: string[];
  /** Index into the table `functions`. */
  function: number[];
  functions: string[];
  line: number[];
  /** Further lines of the location, without `line`; most blocks have none. */
  lines: number[][];
  max_cost: number[];
  name: string[];
}

/** A doubt in one line, and its details. */
export interface DoubtLine {
  /** Index of the function in the findings; absent for doubts about the whole program. */
  function?: number;
  /** Text of at most 100 characters. */
  line: string;
  /** Meaning and remedy; absent if the line says everything. */
  more?: string;
}

/** Entries of the function and the cost of an entry, per workload; `null` if the function was not entered. */
export interface Factors {
  entries: number[];
  per_entry: (number | null)[];
}

/** A limit, and the largest size within it. */
export interface Fits {
  /** The largest size for which the whole interval is within the limit; `null` if unknown. */
  at_least: number | null;
  /** The limit: `1 h of CPU time`. */
  limit: string;
  /** The largest size by the law. */
  size: number;
}

/** The largest inputs within limits. */
export interface Fitting {
  /** The first doubt about the time and about the memory, or the reason why memory limits no size; in sentences. */
  doubts: string[];
  /** The feature in which the sizes are given. */
  feature: string;
  /** The limits, times before memory, each by rising amount. */
  rows: Fits[];
}

/** Variable in which the growth of series is described. */
export type GrowthIn = 'runs' | 'input';

/** Nouns for a kind of series. */
export interface KindWords {
  /** Noun for an observed execution: `call`. */
  execution: string;
  /** Noun for a place: `routine`. */
  place: string;
  /** Unit of the size: `cells`. */
  size_unit: string;
}

export interface ModelExtra {
  /** Interval of the law; absent if the row has it, and for cheap rows. */
  band?: Band;
  /** True if the class is decided but doubtful: it describes the costs poorly, or rests on too few runs. */
  doubtful?: boolean;
  /** Formula of the law in this feature. */
  formula: string;
  /**
   * Law in this feature, in the shape of the findings' laws. Absent if the findings have it, as the row's law or as
   * a power law. Cheap rows have only the row's law.
   */
  law?: LawSum[];
  /** Meaning of the growth of a series; the sentences then do not contain it. */
  meaning?: string;
  /** A key that sorts by growth, from slow to fast; absent without a verdict. */
  order?: number;
  /** The exponent of the slowest growth that the evidence allows; absent if the model is too poor to tell. */
  pace?: number;
  /** True if the model describes the row's costs poorly. */
  poor?: boolean;
  /** Sentences about the model and its doubts; absent for cheap rows. */
  sentences?: string[];
  /** True if the cost certainly grows faster than linearly. */
  superlinear?: boolean;
  /** Colour step of the growth, from 0 (linear or slower) to 4 (faster than `n^2.5`). */
  warmth?: number;
}

/** The data block of a page, which carries it as gzipped JSON. */
export interface PageData {
  /** Data for the sentences of the answer at any target. */
  answer: AnswerExtra;
  /** Calling contexts of the series. */
  call_trees: CallTree[];
  /** Changes in growth since the previous version; absent if there is no comparison. */
  compare?: Compare;
  /**
   * Locations that belong to no cluster, because their cost hardly varies. Together with the clusters' members,
   * these are all locations.
   */
  constant: ConstantLocations;
  /** Share of a run above which a row is costly. */
  costly_share: number;
  /** Values of the features: `[features][workloads]`. */
  feature_values: (number | null)[][];
  /**
   * Output of `trend-prof show --format json`, with fewer digits. The program, clusters, functions and series
   * are tables whose rows have additional fields.
   */
  findings: Findings;
  /** Name and version of the tool. */
  generated_by: string;
  /** Meaning of the suffixes: `k = 10³, …`, or for times `k = ns, …`. */
  legend: string;
  /** Notes on the trips of each loop in the findings. */
  loop_notes?: string[][];
  /** Method of the intervals, in words. */
  method: string;
  revision: string;
  /** Folder that source paths are relative to; empty if unknown. */
  root: string;
  schema: string;
  /** Nouns by kind of series. */
  series_words: {
    [k: string]: KindWords;
  };
  /** True if trend-prof serves this page. Its API is then available. */
  served: boolean;
  /** Source files on the page, in the order of their `<template class="source">`. */
  sources: SourceFile[];
  /** File name of the study, for command lines. */
  study: string;
  /** Words that pages use, with their meanings. */
  words: [string, string][];
  /** Runs, in the study's order. */
  workloads: WorkloadInfo[];
}

/** A part of a sentence. */
export interface Piece {
  as: PieceKind;
  /** Place of the function, if the piece names one. */
  place?: JudgedPlace;
  text: string;
}

/** The kind of a part of a sentence. */
export type PieceKind = 'plain' | 'outcome' | 'strong' | 'soft' | 'function';

export interface RowExtra {
  /** Interval of the row's law in one feature; absent if the page carries none. */
  band?: Band;
  /**
   * Cost per workload, 0 = not executed; as numbers or as `levels`. Absent for functions that never take 0.1 % of
   * a run and, in a large study, for the rows with the smallest shares.
   */
  costs?: number[];
  /** Features with the size beyond which the row is not executed. */
  ends?: [string, number][];
  /** True if `costs` are exact; otherwise they are rounded to `levels`, and shown with `≈`. */
  exact: boolean;
  /** Factors of a cluster whose cost the findings decompose. */
  factors?: Factors;
  /** The row's law as a formula; for an undecided law, the slowest and the fastest class. */
  formula: string;
  /** The row's law in short, as in `n^2`, `x·y ?`. */
  growth: string;
  /** Sentences about the row's law if it covers all features: a law in several features, or a constant. */
  sentences?: string[];
  /** Largest share of a run, if it is far above the share of the most expensive run. */
  share_of_others?: number;
  /** Short name without the arguments of generics; absent if it is the whole name. */
  short_name?: string;
  /** Step of growth: 0 (linear or less) to 4 (faster than `n^2.5`). */
  warmth?: number;
  /** Positions of the functions that lie wholly in a cluster. */
  within?: number[];
}

/** A doubt about the time, and the line that states it. */
export interface SecondsDoubt {
  doubt: TimeDoubt;
  line: string;
}

export interface SeriesExtra {
  /** Share of the volume that only `drms` sees; absent if the series was not measured by `rms` as well. */
  dynamic?: number;
  /** Sentences about costs, calls and input. */
  facts: string[];
  /** File of the place, if the study has a function of that name; else empty. */
  file: string;
  /** Growth in short, in the variable given by `CallTree::growth_in`(super::calls::CallTree); empty if unknown. */
  growth: string;
  line: number;
  /**
   * Observations `[size, count, min, max, sum, sum of squares]`, merged over the workloads, by ascending size. The
   * sum of squares is 0 if unknown.
   */
  observations: [number, number, number, number, number, number][];
  /** Cost of each observation without its callees; empty if the profile does not have it. */
  own_costs: number[];
  /** Number of additional sizes that `drms` distinguishes, relative to the number of sizes by `rms`. */
  richness?: number;
  /** Cells that all calls read; absent if sizes were measured in several variables. */
  volume?: number;
  /** Step of growth: 0 (linear or less) to 4 (faster than `n^2.5`). */
  warmth?: number;
}

export interface SourceFile {
  /** Length of the uncompressed text. */
  bytes: number;
  file: string;
  lines: number;
}

export interface WorkloadInfo {
  /** The command line; empty for imported counts. */
  command: string;
  cpu_s: number | null;
  name: string;
  peak_rss_bytes: number | null;
  repetitions: number;
  /** Wall-clock time of the run in seconds; `null` for imported counts. */
  wall_s: number | null;
}
