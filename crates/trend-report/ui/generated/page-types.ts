// Made by a test from the types in Rust; do not edit.

/** What the two sentences are made of. */
export type AnswerExtra = {
/** Absent where the whole is of too few sizes to be predicted. */
candidates?: import('./findings-types').Candidates,
/** Whether work that matters was not counted. */
uncounted: boolean,
/** What takes much of the time and is not counted, in a sentence; absent where nothing does. */
not_counted?: string,
/** Those that change the answer most first. */
doubts: Array<DoubtLine>,
/** What may be said of the seconds, the first that holds at a target; none where nothing was timed. */
seconds: Array<SecondsDoubt>,
/** What is to be said of the memory at any target; absent where it can be trusted, or is not known. */
memory?: string, };

/**
 * The interval of a law at ascending values of its feature, far beyond the data; its ends as multiples of the law, which
 * change so slowly that they tell those between.
 */
export type Band = { at: Array<number>, lo: Array<number>, hi: Array<number>, };

/** A place in one calling context. */
export type CallNode = {
/** The position of its caller; absent for what nobody calls. */
caller?: number,
/** The position of its series in the findings; absent for a caller that was not profiled. */
series?: number,
/** Its name, where it has no series. */
name?: string, };

/** The contexts of the series of a kind that have the same variables and unit. */
export type CallTree = { kind: string, variables: string[], unit: string,
/** What the growth of the series is in. */
growth_in: GrowthIn,
/** Callers before what they call, and of one caller the costliest first. */
nodes: Array<CallNode>, };

/** A change in words, and as a difference. */
export type ChangeWords = {
/** `old → new` where it is called otherwise; empty of the whole. */
name: string,
/** `list.c:7` */
place: string,
/** `factor 1.13, exact` */
what: string,
/** Costs before and after. */
costs: [string, string],
/** `+27 % (+20 % … +34 %)`, or of what is new or gone its cost. */
change: string,
/** The difference of the costs. */
by: number,
/** Its interval. */
by_ci: [number, number] | null, };

/** Two versions, compared. */
export type Compare = {
/** The names of the studies, before and after. */
names: [string, string],
/** `[workloads]` before and after: values of the feature that they are compared in. */
sizes: [Array<number | null>, Array<number | null>],
/** The usual one first. */
targets: Array<ComparedTarget>,
/** The whole, and the functions that are listed at some target. */
rows: Array<ComparedRow>, };

/** A row of both versions. */
export type ComparedRow = {
/** As the comparison has it; absent of the whole. */
place?: import('./findings-types').JudgedPlace,
/** Before and after; `null` where it is not there. */
sides: [ComparedSide | null, ComparedSide | null], };

/** A row of one version: what was measured, and its law. */
export type ComparedSide = {
/** `[workloads]`, 0 = not executed. */
costs: Array<number>,
/** How the cost follows from features; `null` where nothing can be said. */
law: import('./findings-types').Law | null,
/** The interval of a law in one feature; `null` without one. */
band: Band | null,
/** How fast it grows: 0 (linear or less) to 4. */
warmth?: number, };

/** The comparison at a target, as a terminal shows it. */
export type ComparedTarget = {
/** What `trend-prof diff --format json` prints, with the changes alone that a terminal lists. */
comparison: import('./findings-types').Comparison,
/** One word, and what the whole costs. */
headline: Array<Piece>,
/** What grows faster or slower. */
meaning: Array<Piece>,
/** How many functions are as they were, in a sentence; empty where none is. */
unchanged: string,
/** Changes that are not listed. */
more: number,
/** What `trend-prof diff --format markdown` prints. */
markdown: string, total: ChangeWords,
/** In the order of the comparison's changes. */
changes: Array<ChangeWords>, };

/** Columns of one length. */
export type ConstantLocations = { name: Array<string>,
/** Index into `files`. */
file: Array<number>, line: Array<number>,
/** Lines besides `line`; most blocks have none. */
lines: Array<Array<number>>,
/** Index into `functions`. */
function: Array<number>, max_cost: Array<number>, files: Array<string>, functions: Array<string>, };

/** A doubt in one line, and what there is to know of it. */
export type DoubtLine = {
/** In at most 100 characters. */
line: string,
/** What it means and what helps; absent where the line says all. */
more?: string,
/** The function that it is about, by its position in the findings; absent where it is about the whole. */
function?: number, };

/** How often the function was entered, and what an entry costs, per workload; `null` where it was not entered. */
export type Factors = { entries: Array<number>, per_entry: Array<number | null>, };

/** What the growth of series is in. */
export type GrowthIn = "runs" | "input";

/** How to speak of a kind of series. */
export type KindWords = {
/** A place of the kind: `routine`. */
place: string,
/** What is observed of it: `call`. */
execution: string,
/** What its size is a number of: `cells`. */
size_unit: string, };

export type ModelExtra = {
/**
 * The law in this feature, in the shape of the findings' laws; absent where the findings have it: as the row's law, or
 * as a power law. Rows that cost little have the row's law alone.
 */
law?: Array<import('./findings-types').LawSum>,
/** Its interval; absent where the row has it, and of rows that cost little. */
band?: Band,
/** The law in this feature as a formula. */
formula: string,
/** Whether the model says little about what its row costs. */
poor?: boolean,
/** Whether its class is decided and a doubt all the same, as it says little about the costs. */
doubtful?: boolean,
/** The model and its doubts in whole sentences; absent for rows that cost little. */
sentences?: Array<string>,
/** Of a series what its growth means, which is then not among the sentences. */
meaning?: string, };

/** The data block of a page: gzip of this as JSON. */
export type PageData = {
/**
 * What `trend-prof show --format json` prints, with fewer digits. The whole, clusters, functions and series are tables
 * whose rows have more fields.
 */
findings: import('./findings-types').Findings, schema: string,
/** The tool and its version. */
generated_by: string,
/** The study's file name, for command lines. */
study: string,
/** The folder that source paths start from; empty where unknown. */
root: string,
/** Whether a trend-prof serves this page: then the API answers. */
served: boolean, revision: string,
/** The two sentences that come first, at any target. */
answer: AnswerExtra,
/** What suffixes mean: `k = 10³, …`, or of times `k = ns, …`. */
legend: string,
/** How intervals are made, in words. */
method: string,
/** The words that pages use, and what they mean. */
words: Array<[string, string]>,
/** What takes more than this share of a run is costly. */
costly_share: number,
/** The runs. */
workloads: Array<WorkloadInfo>,
/** `[features][workloads]`. */
feature_values: Array<Array<number | null>>,
/** The calling contexts of the series. */
call_trees: Array<CallTree>,
/** By the kind of series. */
series_words: { [key in string]: KindWords },
/** What grows differently than in a version before; absent where the page has none. */
compare?: Compare,
/** What has to be known of the trips of each loop of the findings. */
loop_notes?: Array<Array<string>>,
/** Locations that no cluster has: those whose cost hardly varies. With the clusters' members these are all. */
constant: ConstantLocations,
/** Source files that the page carries, in the order of their `<template class="source">`. */
sources: Array<SourceFile>, };

/** A part of a sentence. */
export type Piece = { as: PieceKind, text: string,
/** The place of a function. */
place?: import('./findings-types').JudgedPlace, };

/** The kind of a part of a sentence. */
export type PieceKind = "plain" | "outcome" | "strong" | "soft" | "function";

export type RowExtra = {
/**
 * Cost per workload, 0 = not executed; absent where the page carries none: functions that never take 0.1 % of a run,
 * and where a study is large the rows of least share. Written as they are, or as `levels`.
 */
costs?: Array<number>,
/** Whether `costs` are exact; else they are rounded to `levels`, and shown with `≈`. */
exact: boolean,
/** What the row is called in short, without the arguments of generics; absent where that is its whole name. */
short_name?: string,
/** The greatest share of a run, where the share of the costliest run does not tell about it. */
share_of_others?: number,
/** The row's law in short: `n^2`, `x·y ?`. */
growth: string,
/** How fast that is: 0 (linear or less) to 4 (faster than `n^2.5`). */
warmth?: number,
/** The row's law as a formula; of an undecided one the slowest and the fastest. */
formula: string,
/** Sentences about the row's law if it is of all features: one in several, or a constant. */
sentences?: Array<string>,
/** The interval of the row's law in one feature; absent where the page carries none. */
band?: Band,
/** Features, with the size from which on the row is not executed any more. */
ends?: Array<[string, number]>,
/** Of a cluster whose cost the findings take apart. */
factors?: Factors, };

/** A doubt about the seconds, and the line that says so. */
export type SecondsDoubt = { doubt: import('./findings-types').TimeDoubt, line: string, };

export type SeriesExtra = {
/**
 * `[size, count, min, max, sum, sum of squares]`, merged over the workloads, by ascending size; the last
 * is 0 where it is not known.
 */
observations: Array<[number, number, number, number, number, number]>,
/** Of each observation the cost without what was called; empty where the profile does not tell it. */
own_costs: Array<number>,
/** Costs, calls and input in whole sentences. */
facts: Array<string>,
/** What all calls read; absent where sizes have several variables. */
volume?: number,
/** The part of it that only `drms` sees; absent where it was not measured by `rms` as well. */
dynamic?: number,
/** How many more sizes `drms` tells apart than `rms`, as a part of those. */
richness?: number,
/** How it grows in short, as `CallTree::growth_in`(super::calls::CallTree) says; empty where nothing is known. */
growth: string,
/** How fast that is: 0 (linear or less) to 4 (faster than `n^2.5`). */
warmth?: number,
/** Where the place is, if the study has a function of that name; else empty. */
file: string, line: number, };

export type SourceFile = { file: string, lines: number,
/** Of the text, uncompressed. */
bytes: number, };

export type WorkloadInfo = { name: string,
/** The command line; empty for imported counts. */
command: string, repetitions: number,
/** Of the run; `null` for imported counts. */
wall_s: number | null, cpu_s: number | null, peak_rss_bytes: number | null, };
