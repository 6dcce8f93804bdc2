// Made by a test from the types in Rust; do not edit.

/** Data for the sentences of the answer. */
export type AnswerExtra = {
/** Absent if the program ran at too few sizes to be predicted. */
candidates?: import('./findings-types').Candidates,
/**
 * The reason why the law of the whole says too little, and what would be enough; absent if it says enough, or if
 * there is no law.
 */
missing?: string,
/** True if important work was not counted. */
uncounted: boolean,
/** Sentence about uncounted code that takes much of the time; absent if there is none. */
not_counted?: string,
/** Doubts, those that change the answer most first. */
doubts: Array<DoubtLine>,
/** Possible doubts about the time; the page shows the first that applies at a target. Empty if nothing was timed. */
seconds: Array<SecondsDoubt>,
/** Doubt about the memory at any target; absent if it can be trusted, or is unknown. */
memory?: string, };

/**
 * The interval of a law at ascending values of its feature, far beyond the data. Its ends are multiples of the law.
 * They change so slowly that values in between can be interpolated.
 */
export type Band = {
/** Values of the feature. */
at: Array<number>,
/** Lower ends. */
lo: Array<number>,
/** Upper ends. */
hi: Array<number>, };

/** A node of the tree: a routine in one calling context. */
export type CallNode = {
/** Index of the caller's node; absent for a root. */
caller?: number,
/** Index of the series in the findings; absent for a caller that was not profiled. */
series?: number,
/** Name of a caller without a series. */
name?: string, };

/** Contexts of the series of one kind with the same variables and unit. */
export type CallTree = { kind: string, variables: string[], unit: string,
/** Variable in which the growth of the series is described. */
growth_in: GrowthIn,
/** Nodes, callers before callees; the callees of a caller are sorted by cost, the most expensive first. */
nodes: Array<CallNode>, };

/** A change in words, and as a difference. */
export type ChangeWords = {
/** Name, or `old → new` if it changed; empty for the whole program. */
name: string,
/** Place, as in `list.c:7`. */
place: string,
/** Kind of change, as in `factor 1.13, exact`. */
what: string,
/** Costs before and after. */
costs: [string, string],
/** Relative change, as in `+27 % (+20 % … +34 %)`; for new or vanished code, its cost with a sign. */
change: string,
/** Difference of the costs. */
by: number,
/** Interval of the difference. */
by_ci: [number, number] | null, };

/** The comparison of two versions. */
export type Compare = {
/** Names of the studies, before and after. */
names: [string, string],
/** Values of the compared feature, before and after: `[workloads]`. */
sizes: [Array<number | null>, Array<number | null>],
/** Comparisons by target, the default one first. */
targets: Array<ComparedTarget>,
/** The whole program, and the functions that are listed at some target. */
rows: Array<ComparedRow>, };

/** A row in both versions. */
export type ComparedRow = {
/** Place according to the comparison; absent for the whole program. */
place?: import('./findings-types').JudgedPlace,
/** Row before and after; `null` in a version without it. */
sides: [ComparedSide | null, ComparedSide | null], };

/** A row in one version: its measured costs and its law. */
export type ComparedSide = {
/** Costs: `[workloads]`, 0 = not executed. */
costs: Array<number>,
/** Law of the costs in terms of features; `null` if there is none. */
law: import('./findings-types').Law | null,
/** The interval of a law in one feature; `null` without one. */
band: Band | null,
/** Step of growth: 0 (linear or less) to 4. */
warmth?: number, };

/** The comparison at one target, as a terminal shows it. */
export type ComparedTarget = {
/** Output of `trend-prof diff --format json`, with only the changes that a terminal lists. */
comparison: import('./findings-types').Comparison,
/** Outcome in one word, and the program's cost. */
headline: Array<Piece>,
/** Sentences about faster or slower growth, and about resources. */
meaning: Array<Piece>,
/** Sentence with the number of unchanged functions; empty if there are none. */
unchanged: string,
/** Number of changes that are not listed. */
more: number,
/** Output of `trend-prof diff --format markdown`. */
markdown: string, total: ChangeWords,
/** Words of the comparison's changes, in order. */
changes: Array<ChangeWords>, };

/** Locations as columns of equal length. */
export type ConstantLocations = { name: Array<string>,
/** Index into the table `files`. */
file: Array<number>, line: Array<number>,
/** Further lines of the location, without `line`; most blocks have none. */
lines: Array<Array<number>>,
/** Index into the table `functions`. */
function: Array<number>, max_cost: Array<number>, files: Array<string>, functions: Array<string>, };

/** A doubt in one line, and its details. */
export type DoubtLine = {
/** Text of at most 100 characters. */
line: string,
/** Meaning and remedy; absent if the line says everything. */
more?: string,
/** Index of the function in the findings; absent for doubts about the whole program. */
function?: number, };

/** Entries of the function and the cost of an entry, per workload; `null` if the function was not entered. */
export type Factors = { entries: Array<number>, per_entry: Array<number | null>, };

/** Variable in which the growth of series is described. */
export type GrowthIn = "runs" | "input";

/** Nouns for a kind of series. */
export type KindWords = {
/** Noun for a place: `routine`. */
place: string,
/** Noun for an observed execution: `call`. */
execution: string,
/** Unit of the size: `cells`. */
size_unit: string, };

export type ModelExtra = {
/**
 * Law in this feature, in the shape of the findings' laws. Absent if the findings have it, as the row's law or as
 * a power law. Cheap rows have only the row's law.
 */
law?: Array<import('./findings-types').LawSum>,
/** Interval of the law; absent if the row has it, and for cheap rows. */
band?: Band,
/** Formula of the law in this feature. */
formula: string,
/** True if the model describes the row's costs poorly. */
poor?: boolean,
/** True if the class is decided but doubtful: it describes the costs poorly, or rests on too few runs. */
doubtful?: boolean,
/** True if the cost certainly grows faster than linearly. */
superlinear?: boolean,
/** A key that sorts by growth, from slow to fast; absent without a verdict. */
order?: number,
/** The exponent of the slowest growth that the evidence allows; absent if the model is too poor to tell. */
pace?: number,
/** Sentences about the model and its doubts; absent for cheap rows. */
sentences?: Array<string>,
/** Meaning of the growth of a series; the sentences then do not contain it. */
meaning?: string, };

/** The data block of a page, which carries it as gzipped JSON. */
export type PageData = {
/**
 * Output of `trend-prof show --format json`, with fewer digits. The program, clusters, functions and series
 * are tables whose rows have additional fields.
 */
findings: import('./findings-types').Findings, schema: string,
/** Name and version of the tool. */
generated_by: string,
/** File name of the study, for command lines. */
study: string,
/** Folder that source paths are relative to; empty if unknown. */
root: string,
/** True if trend-prof serves this page, so that its API is available. */
served: boolean, revision: string,
/** Data for the sentences of the answer at any target. */
answer: AnswerExtra,
/** Meaning of the suffixes: `k = 10³, …`, or for times `k = ns, …`. */
legend: string,
/** Method of the intervals, in words. */
method: string,
/** Words that pages use, with their meanings. */
words: Array<[string, string]>,
/** Share of a run above which a row is costly. */
costly_share: number,
/** Runs, in the study's order. */
workloads: Array<WorkloadInfo>,
/** Values of the features: `[features][workloads]`. */
feature_values: Array<Array<number | null>>,
/** Calling contexts of the series. */
call_trees: Array<CallTree>,
/** Nouns by kind of series. */
series_words: { [key in string]: KindWords },
/** Changes in growth since the previous version; absent if there is no comparison. */
compare?: Compare,
/** Notes on the trips of each loop in the findings. */
loop_notes?: Array<Array<string>>,
/**
 * Locations that belong to no cluster, because their cost hardly varies. Together with the clusters' members,
 * these are all locations.
 */
constant: ConstantLocations,
/** Source files on the page, in the order of their `<template class="source">`. */
sources: Array<SourceFile>, };

/** A part of a sentence. */
export type Piece = { as: PieceKind, text: string,
/** Place of the function, if the piece names one. */
place?: import('./findings-types').JudgedPlace, };

/** The kind of a part of a sentence. */
export type PieceKind = "plain" | "outcome" | "strong" | "soft" | "function";

export type RowExtra = {
/**
 * Cost per workload, 0 = not executed; as numbers or as `levels`. Absent for functions that never take 0.1 % of
 * a run and, in a large study, for the rows with the smallest shares.
 */
costs?: Array<number>,
/** True if `costs` are exact; otherwise they are rounded to `levels`, and shown with `≈`. */
exact: boolean,
/** Short name without the arguments of generics; absent if it is the whole name. */
short_name?: string,
/** Largest share of a run, if it is far above the share of the most expensive run. */
share_of_others?: number,
/** The row's law in short, as in `n^2`, `x·y ?`. */
growth: string,
/** Step of growth: 0 (linear or less) to 4 (faster than `n^2.5`). */
warmth?: number,
/** The row's law as a formula; for an undecided law, the slowest and the fastest class. */
formula: string,
/** Sentences about the row's law if it covers all features: a law in several features, or a constant. */
sentences?: Array<string>,
/** Interval of the row's law in one feature; absent if the page carries none. */
band?: Band,
/** Features with the size beyond which the row is not executed. */
ends?: Array<[string, number]>,
/** Positions of the functions that lie wholly in a cluster. */
within?: Array<number>,
/** Factors of a cluster whose cost the findings decompose. */
factors?: Factors, };

/** A doubt about the time, and the line that states it. */
export type SecondsDoubt = { doubt: import('./findings-types').TimeDoubt, line: string, };

export type SeriesExtra = {
/**
 * Observations `[size, count, min, max, sum, sum of squares]`, merged over the workloads, by ascending size. The
 * sum of squares is 0 if unknown.
 */
observations: Array<[number, number, number, number, number, number]>,
/** Cost of each observation without its callees; empty if the profile does not have it. */
own_costs: Array<number>,
/** Sentences about costs, calls and input. */
facts: Array<string>,
/** Cells that all calls read; absent if sizes were measured in several variables. */
volume?: number,
/** Share of the volume that only `drms` sees; absent if the series was not measured by `rms` as well. */
dynamic?: number,
/** Number of additional sizes that `drms` distinguishes, relative to the number of sizes by `rms`. */
richness?: number,
/** Growth in short, in the variable given by `CallTree::growth_in`(super::calls::CallTree); empty if unknown. */
growth: string,
/** Step of growth: 0 (linear or less) to 4 (faster than `n^2.5`). */
warmth?: number,
/** File of the place, if the study has a function of that name; else empty. */
file: string, line: number, };

export type SourceFile = { file: string, lines: number,
/** Length of the uncompressed text. */
bytes: number, };

export type WorkloadInfo = { name: string,
/** The command line; empty for imported counts. */
command: string, repetitions: number,
/** Wall-clock time of the run in seconds; `null` for imported counts. */
wall_s: number | null, cpu_s: number | null, peak_rss_bytes: number | null, };
