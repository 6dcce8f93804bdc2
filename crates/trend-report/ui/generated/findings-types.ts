// Made by a test from the types in Rust; do not edit.

/** How a feature goes along with another. */
export type Along = {
/** The other feature. */
leader: string,
/** The coefficient. */
a: number,
/** The exponent. */
b: number,
/** In the log domain. */
r2: number, };

/** What the cheap calls pay for the expensive ones. */
export type Amortized = {
/** What the cheap calls pay for the others, as a part of their own cost. */
alpha: number,
/** The input sizes whose cost is spread over the others, ascending. */
spread: Array<number>, };

/** What a reader should know who reads nothing else. */
export type Answer = {
/** The target, by its position among `Findings::points`. */
point: number,
/** What the whole program costs there. */
whole: Outlook,
/** The cost today: that of the largest run by the law of the whole. */
whole_now: number,
/** The run that shares of today are of, by its position: the one in which the law of the whole is greatest. */
run_now: number,
/** The processor time there; absent where nothing was timed. It is of the machine as well, and another time another one. */
time?: TimeOutlook,
/** Whose time it is; absent where no run was sampled. */
time_parts?: TimeParts,
/**
 * The peak memory of the process there; absent where too few runs were timed, or nothing explains it. It is of
 * the machine as well.
 */
memory?: MemoryOutlook,
/** The line that holds memory; absent where none holds most or grows faster than the input, or it was not recorded. */
memory_holder?: MemoryHolder,
/** What is to be done. */
kind: AnswerKind,
/** Where; absent where no function takes a notable part. */
place?: AnswerPlace,
/** Of `AnswerKind::Open`: which runs would tell more. */
next?: NextRuns,
/** The reason why no place is named, for `AnswerKind::Spread`. */
spread?: Spread,
/** The largest groups of blocks that vary together, for `AnswerKind::Spread`; by falling share at the target. */
groups?: Array<AnswerGroup>,
/** The claim about all rows, for `AnswerKind::Steady`. */
unnamed?: Unnamed, };

/** Blocks that vary together, and their share of the whole. */
export type AnswerGroup = {
/** The cluster, by its position among `Findings::clusters`. */
cluster: number,
/** The title of the cluster. */
title: string,
/** Number of functions that have a notable part of it. */
functions: number,
/** Its share of the cost today, 0 to 1. */
share: number,
/** Its share at the target. */
share_then: number, };

/** What is to be done. */
export type AnswerKind = "fix" | "open" | "spread" | "steady";

/** A function, and its share of the whole. */
export type AnswerPlace = {
/** The function. */
function: string,
/** The source file. */
file: string,
/** The line of it that costs most there; 0 where that is not known. */
line: number,
/** The loop that runs as often as it is called, where it grows because it is called more often. */
repeating?: Repeating,
/** True if it is the user's own, and not a library's. */
is_own: boolean,
/**
 * The line of the user's own that calls it: of a library's function always, of an own one if it grows because it is called
 * more often. Absent where no line is known to make nearly all of its calls.
 */
caller?: Repeating,
/** A line of the function that calls itself more than once, perhaps through others, where that is what calls it. */
branching?: Repeating,
/** Its share of the cost today, 0 to 1: `Row::share_now`(crate::Row::share_now). */
share: number,
/** Its share at the target. */
share_then: number,
/** The interval of that share, with all else as predicted; `null` where there is none. */
share_then_ci: [number, number] | null,
/** Its share of the time of the longest sampled run, and of that at the target; absent where it has no samples. */
time_shares?: [number, number],
/** True if no other function costs more there; of time, where samples say where it goes. */
costliest: boolean, };

/** The kind of costs that a comparison is about. */
export type Basis = { "kind": "predicted" } | { "kind": "measured",
/** Number of different sizes of the shared runs. */
sizes: number,
/** The greatest of them over the least. */
span: number,
/** The least ratio of a run. */
least: number,
/** The greatest ratio of a run. */
most: number, };

/** A cost divided by a class of growth. */
export type Bound = {
/** The class, in `n`. */
class: string,
/** Where the quotient goes over the larger half of the sizes, on a log scale. */
course: Course,
/** What the cost is divided by. */
term: LawFactor, };

/** Where what the program works on no longer fits into a cache that holds the longest run, or the runs are leaving one themselves. */
export type CacheStep = { "size": number } | { "counts": number };

/** What part of a routine some of its calls are. */
export type CallShares = {
/** Of its calls. */
calls: number,
/** Of its cost. */
cost: number, };

/** A function that an answer may name. */
export type Candidate = {
/** Its position among `Findings::functions`. */
function: number,
/** The line of it that costs most at the target; 0 where that is not known. */
line: number,
/** True if it is the user's own, and not a library's. */
is_own: boolean,
/** The pace of the function; absent if it is unknown. */
pace?: Pace,
/** The loop that runs as often as it is called, where it certainly grows, and because it is called more often. */
repeating?: Repeating,
/**
 * The line of the user's own that calls it: of a library's function always, of an own one if it certainly grows,
 * and because it
 * is called more often.
 */
caller?: Repeating,
/** A line of the function that calls itself more than once, where that is what calls it. */
branching?: Repeating,
/** The runs that would tell more, where its growth is not decided. */
next?: NextRuns, };

/**
 * The functions that an answer may name, whatever the target: with their costs at a target, it is what
 * `Answer`(crate::Answer) is found by.
 */
export type Candidates = {
/** A place that takes less of the cost at the target does not decide it. */
least_share: number,
/** A row that takes less of the cost at the target is not mentioned. */
notable_share: number,
/** An open growth matters where its interval reaches this share at the target, */
open_share: number,
/** and so many times its share today. */
open_times: number,
/** Groups that are named where no single place decides. */
most_groups: number,
/** The pace of the whole; absent if it is unknown. */
whole?: Pace,
/** The functions that may be named. */
functions: Array<Candidate>,
/** The clusters that certainly grow faster than `n log n`, by their positions among `Findings::clusters`. */
fast_groups: Array<number>,
/** The rows that are shown to grow faster than `n log n`, or that may. */
shown: ShownPaces, };

/** What changed. */
export type Change = {
/** What. */
kind: ChangeKind,
/** The direction in which the cost at the target changed. */
direction: Direction,
/** The cost at the target as a multiple of that before; absent where there is none before or after. */
ratio?: number,
/** Its interval. */
ratio_ci?: [number, number],
/** The chance of such a difference where nothing changed, for one row. */
p_value?: number,
/** Whether the costs differ without noise, or do not differ at all. */
exact: boolean, };

/** What changed of a row. */
export type ChangeKind = { "kind": "none" } | { "kind": "new" } | { "kind": "vanished" } | { "kind": "class" } | { "kind": "exponent",
/** The difference. */
by: number,
/** Its interval. */
ci: [number, number], } | { "kind": "factor",
/** The factor. */
by: number,
/** Its interval. */
ci: [number, number], } | { "kind": "differs",
/** The ratio of the costs in the largest shared run. */
by: number, } | { "kind": "floor",
/** The difference. */
by: number,
/** Its interval. */
ci: [number, number],
/** The factor of the rest. */
factor: number, };

/** Locations whose costs vary together linearly. */
export type Cluster = {
/** Position by maximum cost, from 1. */
rank: number,
/** What a person calls it: `file:line in function`, with its rank behind it where another one is called the same. */
title: string,
/**
 * The member that is its title, by name: of the user's own code the representative or, where that is none, the
 * costliest member in a loop, or else the costliest; where no member is the user's own, the representative.
 */
named_by: string,
/** What its members are compared with; its name is the cluster's id. */
representative: Representative,
/** Whether it takes more than 2 % of some workload's total. */
costly: boolean,
/** The greatest cost of a workload. */
max_cost: number,
/** The greatest share of a workload's total, 0 to 1. */
max_share: number,
/** The share of the total of the costliest workload, 0 to 1: what remains where a startup cost does not count. */
share_of_largest: number,
/**
 * The share of the cost today, 0 to 1: its law ÷ that of the whole, in the run where the latter is greatest.
 * What was measured
 * in the costliest workload, where one of them has no law.
 */
share_now: number,
/** By descending maximum cost. A location can be a member of several clusters. */
members: Array<Member>,
/** Number of functions that have a notable part of it. With more than one it is a group, whatever its title. */
function_count: number,
/** Features in the cluster besides the representative. */
features: Array<string>,
/** One per feature. */
models: Array<Model>,
/** What it will cost at `Findings::points`, by its law; `null` where nothing can be said. */
outlooks: Array<Outlook | null>,
/** How the cost depends on several features together; absent where one tells as much. */
joint?: Joint,
/** The cost as entries of the function times cost per entry; only of costly clusters. */
decomposition?: Decomposition,
/** Costlier clusters that this one passes as its feature grows. */
overtakes: Array<Overtaking>, };

/** A row before and after. */
export type Compared = {
/** Where it is now, or was where it vanished; absent of the whole program. */
place?: JudgedPlace,
/** Where it was, if it was called otherwise or elsewhere. */
was?: JudgedPlace,
/** What changed. */
change: Change,
/** As it was. */
before: Side,
/** As it is. */
after: Side,
/** The greater of its shares of the whole at the target, 0 to 1. */
weight: number,
/** Its change in cost at the target as a share of the whole there. */
share_of_change: number,
/** The effect on the cost at the target. */
effect: Effect,
/** The change of its growth class. */
grows: GrowthChange, };

/** What came of a comparison, in the shape of the machine-readable output. */
export type Comparison = {
/** The name and version of the format. */
schema: string,
/** The program after the change. */
program: string,
/** What costs are counted in. */
unit: string,
/** Workloads with counts before, after, and in both. */
workloads: WorkloadCounts,
/** The feature in which costs are compared. */
feature: string,
/** Where they are predicted: features and values. */
at: Array<[string, number]>,
/** The level of intervals. */
level: number,
/** The kind of costs that are compared. */
basis: Basis,
/**
 * The target that was asked for, where a run there takes more than a day; `Comparison::at` is the largest size that
 * both versions run within one.
 */
out_of_reach?: OutOfReach,
/** What came of it. */
outcome: Outcome,
/** Why. */
reason: OutcomeReason,
/** True if it is certain that nothing grows faster than before. */
nothing_faster: boolean,
/** The whole program. */
total: Compared,
/** What changed, by the change in cost at the target, the greatest first. */
changes: Array<Compared>,
/** Number of functions that were executed exactly as often as before. */
unchanged: number,
/** Number of further functions whose counts differ by no more than the runs scatter. */
undecided: number,
/** Of functions that changed, the lines that did, in the same order. */
lines: Array<Compared>,
/** The clusters with code of these functions that grow differently, are new or gone, in the same order. */
clusters: Array<Compared>,
/** Whether none differed by a single execution in any shared workload. */
identical: boolean,
/** Processor time and memory. */
resources: Resources, };

/** A feature's value at a point. */
export type Coordinate = {
/** The feature. */
feature: string,
/** Its value. */
at: number,
/** Where that comes from. */
given: Given, };

/** Where the cost divided by a class goes towards large sizes. */
export type Course = "flat" | "rises" | "falls" | "levels_off" | "unclear";

/** A cluster's cost as how often its function was entered times what it costs per entry. */
export type Decomposition = {
/** The function that holds the cluster's costliest location. */
function: string,
/** The source file. */
file: string,
/** The line on which it begins. */
line: number,
/** How often the function was entered. */
entries: Factor,
/** The cluster's cost in this function divided by the entries, over the workloads that entered it. */
per_entry: Factor, };

/** Which way a cost changed. */
export type Direction = "worse" | "better" | "same";

/** Something doubtful, with its numbers. Published as its kind, its numbers and a sentence. */
export type Doubt = {
/** A stable word for it. */
kind: string,
/** The feature that it is about, where it is one. */
feature?: string,
/** Its numbers by name; `null` is infinite or not known. */
numbers?: { [key in string]: number | null },
/** A sentence that is made of the rest, for people. */
message: string, };

/** A change of a cost, compared with one that matters. */
export type Effect = "worse" | "better" | "same" | "open";

/** How elapsed time compares with processor time. */
export type Elapsed = "as_processor" | "longer" | "shorter";

/** A factor of a cost. */
export type Factor = {
/** The greatest value of a workload. */
max: number,
/** One per feature. */
models: Array<Model>, };

/** A workload without counts. */
export type Failure = {
/** The workload. */
name: string,
/** How its run ended, in words. */
reason: string,
/** The end of what it wrote to stderr. */
stderr_tail: string,
/** `[features]`; `null` where a value is not known. */
values: Array<number | null>, };

/** A feature's distribution over the workloads that have it. */
export type FeatureSummary = {
/** Its name. */
name: string,
/** The least value; `null` where there is none. */
min: number | null,
/** The 95th percentile by nearest rank. */
p95: number | null,
/** The greatest value. */
max: number | null,
/** Workloads without a value. */
missing: number,
/** Workloads whose value is not positive, which a power law has to leave out. */
not_positive: number,
/** The earlier feature whose cluster this one joined, as it fits it linearly. */
joins?: string, };

/** How a feature that is not given is filled in: along with a feature that is, or from the costliest run. */
export type Filling = {
/** The feature. */
feature: string,
/** Its value in the costliest run; `null` where that has none. */
costliest: number | null,
/** The features that it goes along with: `value = a·leader^b`. */
along: Array<Along>, };

/** Everything that an analysis of one study found. */
export type Findings = {
/** The name and version of the format. */
schema: string,
/** The program that was studied. */
program: Program,
/** What all costs are counted in: `executions`, `instructions`, `ps` for times, or a metric's name. */
unit: string,
/** The seed of the bootstrap. */
seed: number,
/** A location joins a cluster when its R² with the representative is above `1 - alpha`. */
alpha: number,
/** The level of all intervals, such as 0.95. */
level: number,
/** How the intervals are made. */
intervals: Intervals,
/** How many bootstrap resamples the intervals come from; 0 where they come from none. */
resamples: number,
/** The runs. */
workloads: Workloads,
/** The features, in declared order. */
features: Array<FeatureSummary>,
/** The places that were counted. */
locations: Locations,
/** Where `Outlook`s are for: what somebody asked for, then twice and ten times the first feature's 95th percentile. */
points: Array<Point>,
/** Where a feature stands that is not given; nothing where there is one feature. */
fillings?: Array<Filling>,
/** What a reader should know who reads nothing else; absent where too few sizes were run. */
answer?: Answer,
/** The processor time at the target by formulas and constants of a machine; absent where `calibrate` made none. */
fragments?: FragmentsOutlook,
/** The whole program. */
total: WithLaw<Total>,
/** By descending maximum cost. */
clusters: Array<WithLaw<Cluster>>,
/** By descending maximum cost. */
functions: Array<WithLaw<Row>>,
/** By descending maximum cost; only when asked for. */
lines?: Array<WithLaw<Row>>,
/** By descending maximum cost; only when asked for. */
blocks?: Array<WithLaw<Row>>,
/**
 * Places by the size of what they work on, by falling cost: routines by the size of their own input; absent where the
 * study has none.
 */
series?: Array<SeriesRow>,
/**
 * Memory by the line that asked for it, by falling bytes at the heap's peak, the moment when most was allocated
 * in all; absent where it was not recorded.
 */
memory_lines?: Array<MemoryLine>,
/**
 * Loops of the program, outer ones before those in them, with the laws of their trips in its own words; absent where the
 * study has none.
 */
loops?: Array<LoopRow>,
/** What the loops of each function come to. */
loop_functions?: Array<LoopFunctionRow>,
/** What makes the findings doubtful as a whole. */
doubts: Array<Doubt>, };

/** What one constant is of a time. */
export type FragmentPart = {
/** The constant's name. */
constant: string,
/** How often its fragment is executed. */
times: number,
/** How long that takes, in seconds. */
seconds: number,
/** The memory that it works on, in bytes; `null` where no formula says so. */
memory_bytes: number | null, };

/** Processor time by formulas. */
export type FragmentsOutlook = {
/** In seconds. */
seconds: number,
/** By the least and the greatest that every constant may be. */
ci: [number, number],
/** The processor that the constants are of. */
cpu: string,
/** The constants that were measured with less memory than their fragments work on alone. */
beyond: Array<string>,
/** What each constant is of it, the most first. */
parts: Array<FragmentPart>, };

/** Where a feature's value at a point comes from. */
export type Given = { "kind": "asked" } | { "kind": "multiple",
/** Such as 10. */
of_p95: number, } | { "kind": "follows",
/** That feature. */
feature: string, } | { "kind": "costliest",
/** That run. */
workload: string, };

/** A change of growth class. */
export type GrowthChange = "faster" | "slower" | "alike" | "unknown";

/** What the data say about the class of growth. */
export type GrowthModel = {
/** `n^2`, or `undecided between n and n log n`. */
verdict: string,
/**
 * In short: `n^2`, `n or n log n ?`, `≈ n^2 ?` of classes that are close together, `1 … n^2 ?`; in a study of several
 * features of the one that it speaks of.
 */
short: string,
/** Whether the data support one class so much better than all others that it can be told. */
decided: boolean,
/** Whether the cost grows faster than linearly; `null` where the named classes disagree. */
superlinear: boolean | null,
/** Workloads that the verdict is of; where a row of a large study costs next to nothing, these are a part of all. */
points: number,
/** The classes that the verdict names, and others of some support; by falling support, at least one. */
classes: Array<GrowthSupport>,
/** A part that may be hidden in the costs; absent where there can be none that matters. */
may_hide?: MayHide, };

/** What the data say about one class. */
export type GrowthSupport = {
/** The class, in `n`. */
class: string,
/** How probable the data make it, 0 to 1. */
support: number,
/** The class's best model, such as `1.5·n^2 − 0.5·n`, in the feature's name; `log` is to base 2. */
formula: string,
/** Standard deviation of the log cost about that model. */
spread: number,
/** Whether the verdict names it. */
named: boolean,
/** The model; published is the term that leads in the class. */
term: LawFactor, };

/** How intervals of power laws and linear models are made. */
export type Intervals = "robust" | "percentile";

/** How a cost depends on several features together. */
export type Joint = {
/** The share of the evidence that the best structure has, 0 to 1. */
support: number,
/** Of log cost. */
r2: number,
/** The law. */
law: Law,
/** The laws that the data allow, by falling support: what an undecided law is the average of. */
laws: Array<JointSupport>, };

/** A law in several features that the data allow. */
export type JointSupport = {
/** The formula of the law. */
formula: string,
/** Its weight among those that are listed, 0 to 1. */
support: number, };

/** A place in the program. */
export type JudgedPlace = {
/** The function's name, or `file:line`. */
name: string,
/** The source file; empty where it is not known. */
file: string,
/** The line on which it begins; 0 where it is not known. */
line: number, };

/** What calls of one kind cost by their size. */
export type KindLaw = {
/** The verdict in short: `n^2`. */
growth: string,
/** The best class's model, in the variable's name. */
formula: string,
/** Whether it is a constant. */
is_constant: boolean, };

/** Calls of some runs. */
export type KindOfCalls = {
/** What they cost on the average. */
law: KindLaw,
/** What part they are. */
part: CallShares, };

/** Calls from calling contexts with one growth class. */
export type KindOfContexts = {
/** The contexts, by falling cost. */
contexts: Array<string>,
/** What the calls of the costliest of them cost on the average. */
law: KindLaw,
/** What part they are together. */
part: CallShares, };

/** Kinds of calls, by what tells them apart. */
export type Kinds = { "by": "contexts",
/** By growth, from slow to fast. */
kinds: Array<KindOfContexts>, } | { "by": "runs",
/** The feature whose value tells the runs apart, if one does. */
told_apart_by?: string,
/** The rule that does: `sorted = 0 is cheaper, sorted = 1 costlier`. */
rule?: string,
/** The calls of the cheaper runs. */
cheaper: KindOfCalls,
/** The calls of the costlier runs. */
costlier: KindOfCalls, } | { "by": "spread",
/** The cheapest call of each size. */
cheapest: KindLaw,
/** The costliest. */
dearest: KindLaw,
/**
 * The part of the calls that cost about as much as the costliest of their size, and what part of the cost they take;
 * absent where calls lie between as well, or it is not known.
 */
dearest_part?: CallShares, };

/** How a cost follows from features. */
export type Law = {
/** Where it comes from. */
source: Source,
/** Whether the data decide for it. */
decided: boolean,
/** What it is a function of. */
features: Array<string>,
/** As text: `1.5·n^2 − 0.5·n`, `3·n or 0.2·n log n`; `log` is to base 2. */
formula: string,
/** The summands: one without a name, or of the whole its parts. */
parts: Array<LawPart>, };

/** A function of one feature, or the least of two. Features by their positions in the law's. */
export type LawFactor = { "kind": "power", feature: number, exponent: number, log: boolean, } | { "kind": "exponential", feature: number, base: number, } | { "kind": "times_exponential", feature: number, base: number, } | { "kind": "factorial", feature: number, } | { "kind": "least", features: [number, number], } | { "kind": "inverse", feature: number, };

/** What a law is a sum of: one without a name, or of the whole its parts. */
export type LawPart = {
/** The function that it is of, or `the rest`; absent where the law has one part. */
part?: string,
/** The law is their geometric mean by weight; where it is decided there is one. */
sums: Array<LawSum>, };

/** One sum of terms. */
export type LawSum = {
/** How much of the law it is, 0 to 1. */
weight: number,
/** The growth class in `n`, where it is one of a single feature. */
class?: string,
/** The least size that it is of; absent where it is of all. */
from?: number,
/** The fastest first. */
terms: Array<LawTerm>, };

/** A coefficient times a product; a constant has no factors. */
export type LawTerm = {
/** In costs. */
coefficient: number,
/** What it is multiplied by. */
factors: Array<LawFactor>, };

/** `cost = a + b·feature`. */
export type LinearModel = {
/** The cost at 0. */
a: number,
/** Its interval. */
a_ci: [number, number] | null,
/** The cost per unit of the feature. */
b: number,
/** Its interval. */
b_ci: [number, number] | null,
/** Of the linear fit. */
r2: number, };

/** How many places were counted. */
export type Locations = {
/** All of them. */
total: number,
/** Those whose cost varies enough to be clustered. */
varying: number,
/** Those whose count differed between repetitions of one workload. */
unstable: number, };

/** What a workload took without counters. */
export type LongestRun = {
/** The workload. */
workload: string,
/** Processor time in seconds, the median. */
seconds: number,
/** Elapsed time in seconds in the same run. */
elapsed_seconds: number,
/** Peak memory of the process in bytes, the most of all its runs. */
peak_bytes: number, };

/** How often a loop is run through in one call of its function. */
export type LoopCallTrips = {
/** The formula: `½n² − ½n`. */
formula: string,
/**
 * `exact` where it was compared with what was measured, or follows from exact laws; `symbolic` where it has symbols for
 * what is not known, or is only an upper bound.
 */
status: LoopStatus,
/** How many measured activations of outer loops confirm it. */
compared: number,
/** Whether it is at most this. */
at_most?: boolean, };

/** What the loops of a function come to. */
export type LoopFunctionRow = {
/** The function, as a person knows it. */
name: string,
/** The source file. */
file: string,
/** The line where it begins. */
line: number,
/** The trips of all its loops in one call, where all are known. */
trips?: string,
/** How a call grows at most, with the functions that it calls. */
o: string,
/** How it grows at least. */
omega: string,
/** Both as one expression: `n ⊕ n²` where the first is certain and the second possible. */
bounds: string,
/** The recurrence of a function that calls itself: `T(n) = 2·T(n/2) + n`. */
recurrence?: string, };

/** An input of a loop, over all runs. */
export type LoopInputRow = {
/** In the program's words. */
name: string,
/** What it is. */
kind: string,
/** The line of the loop around this one whose counter it is. */
counter_of?: number,
/** Whether it can change from trip to trip, so that no value of it is known: the loop is decided by data. */
changes?: boolean,
/** The least value; absent where it is not an integer, or the loop never ran. */
least?: number,
/** The greatest value. */
greatest?: number,
/** How its greatest value in a run depends on a feature of the runs: `≈ 0.024·bytes`; absent where no law is known. */
relation?: LoopRelation, };

/** A value in a program as a law of a feature of the runs. */
export type LoopRelation = {
/** The feature. */
feature: string,
/** The law: `n`, `0.0244·bytes`. */
formula: string,
/** How well it is known. */
status: RelationStatus,
/**
 * What it comes to at the points that predictions are for; `null` where the point says nothing of the feature, and where
 * the runs are too few for an interval.
 */
at: Array<number | null>,
/** The interval of each, as that of any other row; empty where the law is exact. */
ci?: Array<[number, number] | null>,
/** What makes it doubtful. */
doubts?: Array<Doubt>, };

/** A loop of the program. */
export type LoopRow = {
/** The function, as a person knows it. */
function: string,
/** The source file. */
file: string,
/** The line of its header. */
line: number,
/** Which of several loops of its function on this line it is, from 2 on; absent of the first. */
number?: number,
/** Its last line, for drawing: as its text is indented, or else the last line of a loop or a call in it. */
last_line: number,
/** 1 for a loop in no other. */
depth: number,
/** The line of the loop around it. */
parent?: number,
/** What decides its trips. */
inputs: Array<LoopInputRow>,
/** Its trips in one activation. */
trips: LoopTrips,
/** Its trips in one call of the function. */
in_call: LoopCallTrips,
/** How its trips in a run depend on a feature of the runs, in whatever words its own formula is; absent where no law is known. */
in_run?: LoopRelation,
/** How one activation grows at most, with the loops and calls in it. */
o: string,
/** How it grows at least. */
omega: string,
/** Whether it can be passed over or left early. */
conditional: boolean,
/**
 * How often it was entered; exact. `null` where that was not counted: a loop whose trips the compiler knows is not watched,
 * and nothing that is counted around it or inside it says how often it was entered.
 */
activations: number | null,
/** Trips of all activations; exact. `null` where these were not counted. */
total: number | null,
/** The fewest trips of an activation; exact. */
least: number,
/** The most trips of an activation; exact. */
greatest: number,
/** The part of the activations whose inputs were kept, where it is not all. */
sampled?: number,
/** Where the formula is right at all of that part: at 95 % confidence, no larger part of all activations has other trips. */
sampled_error?: number,
/**
 * The trips of the activation with the greatest inputs at the points that predictions are for, by formula and
 * relations; empty where these are not known.
 */
predicted?: Array<number | null>,
/**
 * Runs in which the formula at the greatest inputs is not the greatest number of trips: inputs are not greatest
 * together there, and predictions may be wrong.
 */
mispredicted?: number, };

/** How well the trips of a loop are known. */
export type LoopStatus = "exact" | "fitted" | "constant" | "symbolic" | "unknown";

/** The trips of a loop. */
export type LoopTrips = {
/** In the inputs; where it is below 0, there are none. Absent where it is not known. */
formula?: string,
/** How well it is known. */
status: LoopStatus,
/** At how many different inputs the loop was seen. */
points: number,
/** At how many of them the formula is not right. */
off: number,
/** The first of those. */
off_points?: Array<OffPoint>,
/** What the trips never exceeded, where there is no formula. */
bound?: string,
/** Whether another formula as simple is right as well, as inputs were always equal. */
ambiguous?: boolean, };

/**
 * What a faster part could cost that is too small to be seen at the sizes that were run. With it a size `x` costs
 * `(1 − share)·law(x) + cost·term(x) / term(size)`.
 */
export type MayHide = {
/** How it would grow, in `n`. */
class: string,
/** The term of that class. */
term: LawFactor,
/** The largest size that was run. */
size: number,
/** The most that it may cost there: the upper end of an interval of 95 %. */
cost: number,
/** The same as a share of the cost there, 0 to 1. */
share: number,
/** A run of this size would show it; `null` where none that is affordable would. */
rules_out: number | null, };

/** A location in a cluster. */
export type Member = {
/** The location's name, unique in the study. */
name: string,
/** The function, as a person knows it. */
function: string,
/** The source file. */
file: string,
/** Whether that is the user's own: below the study's root. */
own: boolean,
/** The block's first line. */
line: number,
/** All of its lines in `file`. */
lines: Array<number>,
/** The compiler's number of the block within its function. */
block: number,
/** Of the linear fit to the representative. */
r2: number,
/** The greatest cost of a workload. */
max_cost: number,
/** Whether its count differed between repetitions of one workload. */
unstable?: boolean, };

/** Why peak memory is not to be trusted. */
export type MemoryDoubt = "steps" | "faster" | { "may_step": number };

/** The line of which the answer says that it holds memory. */
export type MemoryHolder = {
/** As `MemoryLine::name`. */
name: string,
/** The function; empty where it is not known. */
function: string,
/** Its part of what was allocated at the heap's peak, in the run with the highest, 0 to 1. */
share: number,
/**
 * How the most that it held grows, by the slowest and the fastest class where several are named and all grow faster than the input; `null`
 * where that is not known.
 */
growth: string | null,
/** The feature that this growth is in; `null` for none. */
feature: string | null,
/**
 * The most bytes of it that will be allocated at one moment at the answer's target, as its row has them; absent where nothing is
 * predicted.
 */
then?: Outlook, };

/** What a line asked for. The numbers of each row are those of whole runs. */
export type MemoryLine = {
/** `file:line`; the function's name where lines are not known, and `other code` for code that is not the program's own. */
name: string,
/** The function; empty where it is not known. */
function: string,
/** The source file; empty where it is not known. */
file: string,
/** 0 where it is not known. */
line: number,
/** How often it asked for memory. */
allocations: WithLaw<Row>,
/** Bytes that it asked for, of all allocations. */
asked: WithLaw<Row>,
/** The most bytes of it that were allocated at one moment. */
most: WithLaw<Row>,
/** Bytes of it that were allocated at the heap's peak, when the program had most allocated. */
at_peak: WithLaw<Row>,
/** Bytes of it that were allocated when the program ended. */
left: WithLaw<Row>, };

/** Peak memory of the process at a point: the most that was resident at one moment, with its code, its stack and what the allocator keeps. */
export type MemoryOutlook = {
/** In bytes. */
bytes: number,
/** Where it may lie. */
ci: [number, number],
/** What every run takes, in bytes. */
constant: number,
/** What each unit of the size takes besides, in bytes. */
per_unit: number,
/** And each unit of a power of the size, in bytes; 0 where a line will do. */
per_power: number,
/** That power. */
exponent: number,
/** Curves by these four numbers. Beyond the largest run it lies above the lowest of the first, and below the highest of the second. */
bounds: [Array<[number, number, number, number]>, Array<[number, number, number, number]>],
/**
 * Sizes that were run, ascending, and the bytes between which it is there. Up to the largest it lies between the least of the next
 * smaller size, or 0, and the most of the next larger one.
 */
known: Array<[number, number, number]>,
/** The memory of the machine that it is to run on, in bytes; `null` where that is not known. */
machine_bytes: number | null,
/** The size up to which a run fits into it; `null` where memory does not grow. */
fits_up_to: number | null,
/** Why it is not to be trusted; empty where it is. */
doubts: Array<MemoryDoubt>, };

/** How a cost grows with one feature. */
export type Model = {
/** The feature. */
feature: string,
/** Which of what follows is the law in this feature, see `Model::law`; `null` where there is none. */
source: Source | null,
/** `a·f^b`; `null` where the data allow none, and a warning says why. */
power_law: PowerLawModel | null,
/** `a + b·f`; `null` where the data allow none. */
linear: LinearModel | null,
/**
 * The class of growth; `null` where the data allow none, and a warning says why, and for a function, line or block that never takes
 * 0.1 % of a run.
 */
growth: GrowthModel | null,
/** Of the best growth class where there is one, else of the power law, at ascending values of the feature. */
predictions: Array<Prediction>,
/** The largest size at which it ran, where it did in nearly all runs up to there and in none of those beyond. */
runs_until?: number,
/** The two trends that the workloads follow, where they do. */
split?: Split,
/**
 * Which runs would decide the verdict or widen a narrow range; only of the total and, for each feature, of the
 * eight costliest clusters that some runs would help, and of those before them that none would.
 */
next?: NextRuns,
/** The cost divided by classes of growth, by their growth; only of rows that are costly. */
bounds?: Array<Bound>,
/** What makes this model doubtful. */
doubts: Array<Doubt>, };

/** Which runs would tell more about a cost. */
export type NextRuns = {
/** The feature. */
feature: string,
/** Its values to run, ascending. */
sizes: Array<number>,
/** What one run of the whole program is expected to cost at each of them. */
costs: Array<number>,
/** How many different inputs at each. */
inputs: number,
/** Whether these are expected to decide the verdict, whichever of its classes is the true one. */
decides: boolean,
/** The advice as a sentence. */
message: string, };

/** A combination of inputs at which a formula is not right. */
export type OffPoint = {
/** The inputs, in order. */
inputs: Array<number>,
/** The trips; the least where activations differ. */
trips: number,
/** What the formula gives; absent where it has no value. */
expected: number | null, };

/** `cost = a + b·n^c`, by least squares. */
export type OffsetPowerModel = {
/** The cost at 0. */
a: number,
/** The coefficient. */
b: number,
/** The exponent. */
c: number,
/** In the original domain. */
r2: number, };

/** A target that no run reaches within a day. */
export type OutOfReach = {
/** The requested target, or ten times the sizes that were run. */
asked: number,
/** The seconds that the slower version takes there; `null` of more than any number. */
seconds: number | null,
/** Seconds per unit of cost. */
rate: number,
/** True if the rate is assumed, as nothing was timed. */
is_assumed: boolean,
/** The largest size that both versions run within a day. */
largest: number, };

/** The outcome of a comparison. */
export type Outcome = "holds" | "regressed" | "improved" | "cannot_tell";

/** Why a comparison came out as it did. */
export type OutcomeReason = { "kind": "few_shared",
/** The fewest that are compared. */
needed: number, } | { "kind": "no_prediction" } | { "kind": "no_factor",
/** The least ratio of a run. */
least: number,
/** The greatest ratio of a run. */
most: number, } | { "kind": "open" } | { "kind": "cost" } | { "kind": "growth" } | { "kind": "seconds" } | { "kind": "memory" } | { "kind": "same" };

/** A run that is far off the law. */
export type Outlier = {
/** The run. */
workload: string,
/** Measured ÷ law: above 1 it costs more than the law says. */
ratio: number,
/** How many of `Scatter::sigma` that is from the middle. */
sigmas: number, };

/** What a row will cost at a `Point`. */
export type Outlook = {
/** The cost that the law gives. */
cost: number,
/** Its interval; `null` where there is none. */
ci: [number, number] | null,
/** What it comes from. */
source: Source, };

/** That one cluster passes another. */
export type Overtaking = {
/** The representative's name of the cluster that is passed. */
cluster: string,
/** Its rank by maximum cost. */
rank: number,
/** Of which feature. */
feature: string,
/** The feature's value at which the two models cross. */
at: number, };

/** The pace of a row, as far as that is a reason to name it. */
export type Pace = "fast" | "open" | "slow";

/** The counts of a part of the time. */
export type PartCounts = {
/** The function, by its position among `Findings::functions`. */
function: number,
/** What it cost in the longest sampled run. */
cost: number, };

/** How it is known how a part grows. */
export type PartGrowth = "counts" | "samples" | "whole";

/** What the whole is predicted as the sum of. */
export type Parts = {
/** The feature. */
feature: string,
/** The functions that may cost most at the furthest size, that first; the rest of the program is one part more. */
functions: Array<string>,
/** The files that these are in. */
files: Array<string>, };

/** Where costs are predicted. */
export type Point = {
/** One per feature of the study that has a value there, in declared order. */
values: Array<Coordinate>,
/** Whether somebody asked for it. */
asked: boolean, };

/** `cost = a·feature^b`. */
export type PowerLawModel = {
/** The coefficient. */
a: number,
/** Its interval; `null` where too few resamples could be fitted. */
a_ci: [number, number] | null,
/** The exponent. */
b: number,
/** Its interval. */
b_ci: [number, number] | null,
/** In the log domain. */
r2: number,
/** Workloads that the fit uses. */
points: number,
/** How many different values of the feature these have. */
sizes: number,
/** The greatest of these values divided by the least. */
span: number,
/** Workloads left out because the cost or the feature is zero (or the feature is missing). */
ignored_zeros: number, };

/** A cost at a size that may never have been run. */
export type Prediction = {
/** The feature's value. */
at: number,
/** The cost that the model gives. */
cost: number,
/**
 * Its interval. Of a growth class it carries the doubt between the classes as well; `null` where one of them leaves it
 * without an upper end.
 */
ci: [number, number] | null,
/** What it comes from. */
source: Source,
/** Whether somebody asked for this value, rather than it being 2 or 10 times the 95th percentile. */
asked?: boolean, };

/** The program that was studied. */
export type Program = {
/** Its name. */
name: string, };

/** How well a law of a feature is known. */
export type RelationStatus = "exact" | "decided" | "several" | "undecided";

/** A line that is behind the calls of a function. */
export type Repeating = {
/** The function that it is in. */
function: string,
/** The source file. */
file: string,
/** The line. */
line: number, };

/** What the members of a cluster are compared with. */
export type Representative = {
/** What it is. */
kind: RepresentativeKind,
/** The feature's name, or the location's as `file:line`. */
name: string, };

/** What a cluster is represented by. */
export type RepresentativeKind = "feature" | "location";

/** The time or memory of the largest run that was measured in both versions. */
export type Resource = {
/** The name of the run. */
workload: string,
/** Before. */
before: number,
/** After. */
after: number,
/** The effect on it. A change that such measurements may scatter by is none. */
effect: Effect, };

/** Seconds and bytes, before and after. */
export type Resources = {
/** Processor time in seconds; absent where no run was timed in both. */
seconds?: Resource,
/** Peak memory in bytes, of runs with counters where none without was measured in both; absent where none was at all. */
memory?: Resource,
/** Before and after: the code without counts that takes most of the time; `null` where none was seen. */
uncounted: [Uncounted | null, Uncounted | null], };

/** A function, a line or a block. */
export type Row = {
/** The function's name, `file:line`, or the location's name. */
name: string,
/** The source file. */
file: string,
/** The line on which it begins. */
line: number,
/** The greatest cost of a workload. */
max_cost: number,
/** The greatest share of a workload's total, 0 to 1. */
max_share: number,
/** The share of the total of the costliest workload, 0 to 1: what remains where a startup cost does not count. */
share_of_largest: number,
/**
 * The share of the cost today, 0 to 1: its law ÷ that of the whole, in the run where the latter is greatest.
 * What was measured
 * in the costliest workload, where one of them has no law.
 */
share_now: number,
/** One per feature. */
models: Array<Model>,
/** What it will cost at `Findings::points`, by its law; `null` where nothing can be said. */
outlooks: Array<Outlook | null>,
/** How the cost depends on several features together; absent where one tells as much. */
joint?: Joint, };

/** A run of which samples were taken. */
export type SampledRun = {
/** The workload. */
workload: string,
/** Its processor time in seconds, as it was timed. */
seconds: number,
/** That of the run of which samples were taken, which makes it a little longer. */
sampled_seconds: number,
/** How many samples there are of its time in user mode. */
samples: number,
/** How many more there were, of which it is not known where they were. */
lost: number, };

/** How the costs of the runs scatter about the law of the whole, and the runs that are far off. */
export type Scatter = {
/** The median of measured ÷ law. */
middle: number,
/** Its scatter in the log domain: 1.4826 times the median absolute deviation, which outliers do not stretch. */
sigma: number,
/** A run further from the middle than so many of these is an outlier. */
limit: number,
/** The furthest first. */
outliers: Array<Outlier>, };

/** A cost by size, modelled as that of any other row. */
export type SeriesModel = {
/** One per variable, which is the feature; of costs of runs one per feature. */
models: Array<Model>,
/** How the cost depends on several variables together; absent where one tells as much. */
joint?: Joint,
/** `a + b·n^c`; absent where there are fewer than three sizes or several variables. */
offset_power?: OffsetPowerModel, };

/** What a place costs, by the size of what it works on. */
export type SeriesRow = {
/** What kind of place it is: `routine`. */
kind: string,
/** Its name. */
name: string,
/** The program or library that it is in. */
object: string,
/** The callers, for costs in one calling context. */
context?: string,
/** What its sizes are measured in: `rms`, `drms`. */
variables: string[],
/** What its costs are counted in. */
unit: string,
/** How many different sizes there are, over all workloads. */
sizes: number,
/** How often it was executed: of a routine, called. */
count: number,
/** The cost of all calls, with what they called. What a call of the routine within another one cost counts in both. */
sum: number,
/** The cost of the calls that are not nested in another call of the routine; absent where the profiler does not tell it. */
outermost_sum?: number,
/** The cost of all calls without what they called; absent where the profiler does not tell it. */
self_sum?: number,
/** The part of the program's cost that the routine took with what it called. */
share: number,
/** The same without what it called. */
self_share?: number,
/** The part of the executions of all places of its kind. */
count_share: number,
/** The part of its input that the kernel wrote, such as what was read from a file; absent where the profiler does not tell it. */
kernel_input?: number,
/** The part of its input that other threads wrote. */
thread_input?: number,
/**
 * Standard deviation of the cost of a call about the mean of its size, as a part of that mean, over all sizes with
 * several calls; absent where no size has, or the profiler does not tell it. The averages of sizes weigh by it.
 */
call_scatter?: number,
/** The greatest cost of a call. */
max_cost: number,
/** The greatest cost of a call at each size. */
worst: WithLaw<SeriesModel>,
/** The mean cost of the calls at each size. */
average: WithLaw<SeriesModel>,
/** The least cost of a call at each size. */
best: WithLaw<SeriesModel>,
/** The mean cost of the calls without what they called at each size; absent where the profiler does not tell it. */
own?: WithLaw<SeriesModel>,
/**
 * The cost of all calls of a run with what they called, by the features of the runs; absent for a study without
 * features.
 */
runs?: WithLaw<SeriesModel>,
/** The same without what they called, so that costs of callers are sums; absent also where the profiler does not tell it. */
own_runs?: WithLaw<SeriesModel>,
/** What cheap calls pay for expensive ones; of sizes in one variable. */
amortized: Amortized,
/** That its calls are of several kinds with laws of their own; absent where the data do not say so. */
kinds?: Kinds,
/** What was measured, by ascending size; absent unless the findings are of this place alone. */
tuples?: Array<Tuple>, };

/** The rows that are shown to grow faster than `n log n`, or that may. Poor laws are shown as well. */
export type ShownPaces = {
/** Positions among `Findings::functions`. */
functions: Array<[number, Pace]>,
/** Positions among `Findings::clusters`. */
clusters: Array<[number, Pace]>, };

/** A row of one version. */
export type Side = {
/** How it grows, in short; empty where that is not known. */
growth: string,
/** The greatest cost of a workload. */
max_cost: number,
/**
 * The cost at the target by its own law, as its study shows it, or the mean cost of the shared runs where these have no
 * range; 0 where it is not there.
 */
cost: number,
/** Its interval. */
ci: [number, number] | null, };

/** What a law or a prediction comes from. */
export type Source = "class" | "classes" | "power_law" | "joint" | "sum_of_parts" | "largest_part";

/** Two trends that one model was laid through. */
export type Split = {
/** The feature whose value tells the trends apart, where there is one. */
told_apart_by: string | null,
/** In words: which workloads are in which trend, such as `sorted ≤ 0` or a part of their names. */
rule: string | null,
/** The cheaper one first. */
trends: Array<Trend>, };

/** Why no single place decides. */
export type Spread = "small_fast" | "fast_group" | "whole_fast" | "all_small";

/** Why a time is not to be trusted. */
export type TimeDoubt = "short" | "scattered" | "cache" | "undecided" | "disturbed";

/** Processor time at a point. */
export type TimeOutlook = {
/** In seconds. */
seconds: number,
/** Where it may lie. */
ci: [number, number],
/** What gives it at other sizes. */
law: TimeTerms,
/** The longest run that was timed, in seconds of processor time. */
longest: number,
/** Elapsed time ÷ processor time in that run. */
elapsed: number,
/** What that means. */
elapsed_is: Elapsed,
/** The largest size of two digits whose run takes at most a day; `null` where there is no one size, or none takes longer. */
day_up_to: number | null,
/** Why it is not to be trusted; empty where it is. */
doubts: Array<TimeDoubt>, };

/** A part of the time. */
export type TimePart = {
/** What it is. */
kind: TimePartKind,
/** The function, or the library; empty for the kernel. */
name: string,
/** The function's source file; empty for the others. */
file: string,
/** The function's line with most of the samples; 0 where that is not known. */
line: number,
/** Its share of the processor time of the run, 0 to 1. */
share: number,
/** The standard error of that share, by the number of samples. */
share_error: number,
/** Its share of the smaller run; `null` where there is none. */
share_smaller: number | null,
/** Its processor time in the run, in seconds. */
seconds: number,
/** Its processor time at the target, in seconds. */
seconds_then: number,
/** Its share of the time there. */
share_then: number,
/** What that growth is of. */
growth: PartGrowth,
/** The counts that it grows as; absent where it grows by samples, or as the whole. */
counts?: PartCounts,
/** The power of the size by which its share of the time grows; absent where it grows by counts, or as the whole. */
power?: number,
/** Whether its time grew otherwise between the two sampled runs than its counts did. */
contradicted: boolean,
/** True if the study's counts have its work. callgrind counts what libraries do, for the lines that call them. */
is_counted: boolean, };

/** What a part of the time is. */
export type TimePartKind = "function" | "library" | "kernel";

/** Whose seconds they are, of one run and at the target. */
export type TimeParts = {
/** The longest run of which samples were taken: `share` is of it. */
run: SampledRun,
/** A shorter one, which says how parts without counts grow; absent where only one was sampled. */
smaller?: SampledRun,
/** What the whole program cost in the longest run. */
counts: number,
/** The size of that run; `null` where there is no one size, and counts stand for it. */
size: number | null,
/** By falling seconds at the target. */
rows: Array<TimePart>, };

/**
 * The terms of a `TimeLaw`: C counts at the size x take the geometric mean of `rate · C · (C ÷ counts)^(kept_drift · drift)`
 * and `power[0] · x^power[1]`.
 */
export type TimeTerms = {
/** Seconds per count in the largest run. */
rate: number,
/** The counts of that run. */
counts: number,
/** How the rate grows with the counts: an exponent, 0 to 0.5. */
drift: number,
/** The part of the drift that goes on beyond the largest run. */
kept_drift: number,
/** The interval is this much wider at both ends than no drift, all of it and the power law differ. */
margin: number,
/** The time is undecided where the interval of the counts spans more than this factor. */
open: number,
/** From where on time leaves a cache of the machine and is not to be trusted; `null` where it does not. */
cache: CacheStep | null,
/**
 * Coefficient and exponent of the longest runs' times over the size; `null` where there is no one size, and where the counts
 * outgrow every power of it.
 */
power: [number, number] | null, };

/** The whole program as one row. */
export type Total = {
/** The greatest cost of a workload. */
max_cost: number,
/** One per feature. */
models: Array<Model>,
/** The features in which predictions are sums of what functions cost: all, where the program has several. */
parts?: Array<Parts>,
/** What it will cost at `Findings::points`, by its law; `null` where nothing can be said. */
outlooks: Array<Outlook | null>,
/** How the cost depends on several features together; absent where one tells as much. */
joint?: Joint,
/** How the runs scatter about its law; `null` without one. */
scatter: Scatter | null, };

/** The workloads of one trend, and its models. */
export type Trend = {
/** By name, in the study's order. */
workloads: Array<string>,
/** `a·f^b` of these alone. */
power_law: PowerLawModel | null,
/** The growth class of these alone. */
growth: GrowthModel | null, };

/** All executions of a place at one size, over all workloads. */
export type Tuple = {
/** The size, one number per variable. */
sizes: Array<number>,
/** How many executions. */
count: number,
/** The least cost of one. */
min: number,
/** The greatest cost of one. */
max: number,
/** The cost of all. */
sum: number,
/** The sum of the squares of their costs; absent where it is not known. */
sum_of_squares?: number,
/** The cost of the calls that are not nested in another call of the routine; absent where the profiler does not tell it. */
outermost_sum?: number,
/** The cost of all without what they called; absent where the profiler does not tell it. */
self_sum?: number, };

/** Code that is not counted. */
export type Uncounted = {
/** A library, or the kernel. */
kind: TimePartKind,
/** Its name; empty of the kernel. */
name: string,
/** Its share of the processor time of the longest sampled run, 0 to 1. */
share: number, };

/** A claim about the rows that an answer does not name. */
export type Unnamed = {
/** True if it holds only of what takes a large part of the cost at the target: something smaller grows faster than `n log n`. */
large_only: boolean,
/** True if none of these grows faster than `n log n`; else none is known to. */
certain: boolean, };

/** A row with its law. */
export type WithLaw<T> = {
/** How the cost follows from features; `null` where nothing can be said. */
law: Law | null, } & T;

/** Numbers of workloads. */
export type WorkloadCounts = {
/** Before. */
before: number,
/** After. */
after: number,
/** In both, with the same features. */
shared: number, };

/** The runs of a study. */
export type Workloads = {
/** How many have counts. */
count: number,
/** How many have none. */
failed: number,
/** Those, by name. */
failures: Array<Failure>,
/** The run without counters that took longest; absent where all runs had counters. */
longest?: LongestRun, };
