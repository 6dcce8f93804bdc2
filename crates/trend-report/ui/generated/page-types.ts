// Made by a test from the types in Rust; do not edit.

/** Columns of one length. */
export type ConstantLocations = { name: Array<string>,
/** Index into `files`. */
file: Array<number>, line: Array<number>,
/** Lines besides `line`; most blocks have none. */
lines: Array<Array<number>>,
/** Index into `functions`. */
function: Array<number>, max_cost: Array<number>, files: Array<string>, functions: Array<string>, };

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
/** Its interval, as `[at, lo, hi]` at ascending feature values far beyond the data. Rows that cost little have none. */
band: Array<[number, number, number]>,
/** The law in this feature as a formula. */
formula: string,
/** Whether the model says little about what its row costs. */
poor?: boolean,
/** The model and its doubts in whole sentences; empty for rows that cost little. */
sentences: Array<string>, };

/** The data block of a page: gzip of this as JSON. */
export type PageData = {
/** What `trend-prof show --format json` prints, with fewer digits. */
findings: import('./findings-types').Findings, schema: string,
/** The tool and its version. */
generated_by: string,
/** The study's file name, for command lines. */
study: string,
/** The folder that source paths start from; empty where unknown. */
root: string,
/** Whether a trend-prof serves this page: then the API answers. */
served: boolean, revision: string,
/** The sentences at the top, in order. */
verdict: Array<Statement>,
/** What suffixes mean: `k = 10³, …`, or of times `k = ns, …`. */
legend: string,
/** How intervals are made, in words. */
method: string,
/** What takes more than this share of a run is costly. */
costly_share: number,
/** The runs. */
workloads: Array<WorkloadInfo>,
/** `[features][workloads]`. */
feature_values: Array<Array<number | null>>, total: RowExtra,
/** In the order of the findings' clusters. */
clusters: Array<RowExtra>,
/** In the order of the findings' functions. */
functions: Array<RowExtra>,
/** In the order of the findings' series. */
series: Array<SeriesExtra>,
/** By the kind of series. */
series_words: { [key in string]: KindWords },
/** Locations that no cluster has: those whose cost hardly varies. With the clusters' members these are all. */
constant: ConstantLocations,
/** Source files that the page carries, in the order of their `<template class="source">`. */
sources: Array<SourceFile>,
/** Source files of the study that are too large to be carried. */
sources_left_out: Array<string>, };

export type RowExtra = {
/**
 * Cost per workload, 0 = not executed; `null` where the page carries none: functions that never take 0.1 % of a run,
 * and where a study is large the rows of least share.
 */
costs: Array<number> | null,
/** Whether `costs` are exact; else they are rounded to four digits (three in large studies), and shown with `≈`. */
exact: boolean,
/** What the row is called in short, without the arguments of generics; absent where that is its whole name. */
name?: string,
/** The greatest share of a run, where the share of the costliest run does not tell about it. */
share_of_others?: number,
/** The row's law in short: `n^2`, `x·y ?`. */
growth: string,
/** The row's law as a formula; of an undecided one the slowest and the fastest. */
formula: string,
/** As many as the row has models, in their order. */
models: Array<ModelExtra>, };

export type SeriesExtra = {
/**
 * `[size, count, min, max, sum, sum of squares]`, merged over the workloads, by ascending size; the last
 * is 0 where it is not known.
 */
observations: Array<[number, number, number, number, number, number]>,
/** Per variable. */
worst: Array<ModelExtra>, average: Array<ModelExtra>, best: Array<ModelExtra>,
/** Where the place is, if the study has a function of that name; else empty. */
file: string, line: number, };

export type SourceFile = { file: string, lines: number,
/** Of the text, uncompressed. */
bytes: number, };

/** A sentence of the verdict. Its text can contain hostile names: escape it as any other name. */
export type Statement = {
/** What it is about. */
kind: StatementKind,
/** The cluster that it is about, by its representative's name. */
cluster: string | null,
/** The series that it is about, by its position. */
series?: number,
/** The sentence. */
text: string, };

/** What a sentence of the verdict says. */
export type StatementKind = "dominates" | "grows" | "steady" | "overtakes" | "doubtful";

export type WorkloadInfo = { name: string,
/** The command line; empty for imported counts. */
command: string, repetitions: number,
/** Of the run; `null` for imported counts. */
wall_s: number | null, cpu_s: number | null, peak_rss_bytes: number | null, };
