// Made by a test from the types in Rust; do not edit.

/** Law by which a feature follows another. */
export type Along = {
/** Name of the other feature. */
leader: string,
/** The coefficient `a`. */
a: number,
/** The exponent `b`. */
b: number,
/** R² in the log domain. */
r2: number, };

/** Share of the rare, expensive calls in the cost of the frequent, cheap ones. */
export type Amortized = {
/** Additional cost that the cheap calls pay for the expensive ones, relative to their own cost. */
alpha: number,
/** The input sizes whose cost is spread over the others, ascending. */
spread: Array<number>, };

/** The summary for a reader who reads nothing else. */
export type Answer = {
/** The target, by its position in `Findings::points`. */
point: number,
/** The predicted cost of the whole program at the target. */
whole: Outlook,
/**
 * The cost today: the greatest of the whole's law in the run `run_now` and the laws of functions with a verdict
 * there.
 */
whole_now: number,
/** The run that today's shares refer to, by its position: the one in which the law of the whole is greatest. */
run_now: number,
/**
 * The processor time at the target; absent if no run was timed. It depends on the machine, and varies when
 * measured again.
 */
time?: TimeOutlook,
/** The breakdown of that time; absent if no run was sampled. */
time_parts?: TimeParts,
/**
 * The peak memory of the process at the target; absent if too few runs were timed, or if no law explains it. It
 * depends on the machine too.
 */
memory?: MemoryOutlook,
/**
 * The line that holds memory; absent if no line holds most of it or grows faster than the input, or if memory was
 * not recorded.
 */
memory_holder?: MemoryHolder,
/** The recommended action. */
kind: AnswerKind,
/** The place to look at; absent if no function takes a notable part. */
place?: AnswerPlace,
/** The runs that would reveal more, for `AnswerKind::Open`. */
next?: NextRuns,
/** The reason why no place is named, for `AnswerKind::Spread`. */
spread?: Spread,
/** The largest groups of blocks that vary together, for `AnswerKind::Spread`; by falling share at the target. */
groups?: Array<AnswerGroup>,
/** The claim about all rows, for `AnswerKind::Steady`. */
unnamed?: Unnamed, };

/** Blocks that vary together, with their share of the whole. */
export type AnswerGroup = {
/** The cluster, by its position in `Findings::clusters`. */
cluster: number,
/** The title of the cluster. */
title: string,
/** Number of functions that have a notable part of the cluster. */
functions: number,
/** Its share of the cost today, 0 to 1. */
share: number,
/** Its share at the target. */
share_then: number, };

/** Action that an answer recommends. */
export type AnswerKind = "fix" | "open" | "spread" | "steady";

/** A function to look at, with its share of the whole. */
export type AnswerPlace = {
/** Name of the function. */
function: string,
/** Path of its source file. */
file: string,
/** The function's costliest line at the target; 0 if unknown. */
line: number,
/** The loop that runs as often as the function is called, if the function grows because of more calls. */
repeating?: Repeating,
/** True if it is the user's own function, and not a library's. */
is_own: boolean,
/**
 * The user's own line that calls it, if one is known to make nearly all of the calls. For an own function, it is
 * only given if the function grows because of more calls.
 */
caller?: Repeating,
/**
 * A line at which the function calls itself more than once, perhaps through others, if this recursion makes its
 * calls.
 */
branching?: Repeating,
/** Its share of the cost today, 0 to 1: `Row::share_now`(crate::Row::share_now). */
share: number,
/** Its share at the target. */
share_then: number,
/** The interval of that share, with everything else as predicted; `null` if it has none. */
share_then_ci: [number, number] | null,
/** Its share of the time in the longest sampled run, and at the target; absent if it has no samples. */
time_shares?: [number, number],
/**
 * True if no other function costs more at the target. Compares times if samples show where time goes, and costs
 * otherwise.
 */
costliest: boolean, };

/** The kind of costs that a comparison is about. */
export type Basis = { "kind": "predicted" } | { "kind": "measured",
/** Number of different sizes of the shared runs. */
sizes: number,
/** The greatest size divided by the least. */
span: number,
/** The least ratio of a run. */
least: number,
/** The greatest ratio of a run. */
most: number, };

/** A cost divided by a class of growth. */
export type Bound = {
/** The class, in `n`. */
class: string,
/** Direction of the quotient over the larger half of the sizes, on a log scale. */
course: Course,
/** The term that the cost is divided by. */
term: LawFactor, };

/**
 * Point from which the working set no longer fits into a cache that holds the longest run's. If the runs are leaving a
 * cache themselves, it is the longest run.
 */
export type CacheStep = { "size": number } | { "counts": number };

/** The shares of some calls in a routine. */
export type CallShares = {
/** The share of the routine's calls. */
calls: number,
/** The share of the routine's cost. */
cost: number, };

/** A function that an answer may name. */
export type Candidate = {
/** Its position in `Findings::functions`. */
function: number,
/** The function's costliest line at the target; 0 if unknown. */
line: number,
/** True if it is the user's own function, and not a library's. */
is_own: boolean,
/** The pace of the function; absent if it is unknown. */
pace?: Pace,
/** The loop that runs as often as the function is called, if the function certainly grows because of more calls. */
repeating?: Repeating,
/**
 * The user's own line that calls it. For an own function, it is only given if the function certainly grows because
 * of more calls.
 */
caller?: Repeating,
/** A line at which the function calls itself more than once, if recursion makes its calls. */
branching?: Repeating,
/** The runs that would reveal more, if its growth is undecided. */
next?: NextRuns, };

/**
 * The functions that an answer may name, whatever the target. Together with their costs at a target they determine the
 * `Answer`(crate::Answer).
 */
export type Candidates = {
/** Minimum share of the cost at the target with which a single place decides it. */
least_share: number,
/** The pace of the whole; absent if it is unknown. */
whole?: Pace,
/** The functions that may be named. */
functions: Array<Candidate>,
/** The clusters that certainly grow faster than `n log n`, by their positions in `Findings::clusters`. */
fast_groups: Array<number>,
/** The rows whose laws, as shown, grow faster than `n log n` or may do so. */
shown: ShownPaces, };

/** The difference between a row before and after. */
export type Change = {
/** The kind of change. */
kind: ChangeKind,
/** The direction in which the cost at the target changed. */
direction: Direction,
/** The ratio of the costs at the target, after to before; absent if either is missing. */
ratio?: number,
/** The interval of the ratio. */
ratio_ci?: [number, number],
/** The probability of such a difference if nothing changed, for one row. */
p_value?: number,
/** True if the costs differ without noise, or do not differ at all. */
exact: boolean, };

/** The kind of a row's change. */
export type ChangeKind = { "kind": "none" } | { "kind": "new" } | { "kind": "vanished" } | { "kind": "class" } | { "kind": "exponent",
/** The difference of the exponents. */
by: number,
/** The interval of the difference. */
ci: [number, number], } | { "kind": "factor",
/** The factor on the cost. */
by: number,
/** The interval of the factor. */
ci: [number, number], } | { "kind": "differs",
/** The ratio of the costs in the largest shared run. */
by: number, } | { "kind": "floor",
/** The difference at every size. */
by: number,
/** The interval of the difference. */
ci: [number, number],
/** The factor on the rest of the cost. */
factor: number, };

/** Locations whose costs vary together linearly. */
export type Cluster = {
/** Position by maximum cost, from 1. */
rank: number,
/** The title for people: `file:line in function`, followed by its rank if another cluster has the same title. */
title: string,
/**
 * The name of the member that the title shows. In the user's own code, this is the representative, else the
 * costliest member in a loop, else the costliest. If no member is the user's own, it is the representative.
 */
named_by: string,
/** The representative that its members are compared with; its name identifies the cluster. */
representative: Representative,
/** True if it takes more than 2 % of some workload's total. */
costly: boolean,
/** The greatest cost in any workload. */
max_cost: number,
/** The greatest share of a workload's total, 0 to 1. */
max_share: number,
/**
 * The share of the costliest workload's total, 0 to 1. It leaves startup costs out, which matter only in small
 * runs.
 */
share_of_largest: number,
/**
 * The share of the cost today, 0 to 1: its law ÷ the whole's law, in the run where the latter is greatest.
 * Measured in the costliest workload instead if one of them has no law.
 */
share_now: number,
/** By descending maximum cost. A location can be a member of several clusters. */
members: Array<Member>,
/** Number of functions that have a notable part of it. With more than one, it is a group, whatever its title. */
function_count: number,
/** Features in the cluster besides the representative. */
features: Array<string>,
/** One model per feature. */
models: Array<Model>,
/** The predicted costs at `Findings::points`, by its law; `null` if unknown. */
outlooks: Array<Outlook | null>,
/** The law of the cost in several features together; absent if one feature explains as much. */
joint?: Joint,
/** The cost as entries of the function times cost per entry; only for costly clusters. */
decomposition?: Decomposition,
/** Costlier clusters that this one overtakes as its feature grows. */
overtakes: Array<Overtaking>, };

/** A row before and after a change. */
export type Compared = {
/** The current place, or the former place of a vanished row; absent for the whole program. */
place?: JudgedPlace,
/** The former place, if the row had another name or file. */
was?: JudgedPlace,
/** The difference between both versions. */
change: Change,
/** The row before the change. */
before: Side,
/** The row after the change. */
after: Side,
/** The greater of the row's two shares of the whole at the target, 0 to 1. */
weight: number,
/** The row's change in cost at the target as a share of the whole there. */
share_of_change: number,
/** The effect on the cost at the target. */
effect: Effect,
/** The change of the growth class. */
grows: GrowthChange, };

/** The result of a comparison, in the shape of the machine-readable output. */
export type Comparison = {
/** The name and version of the format. */
schema: string,
/** The name of the program after the change. */
program: string,
/** The unit of costs. */
unit: string,
/** Numbers of workloads with counts before, after, and in both. */
workloads: WorkloadCounts,
/** The feature in which costs are compared. */
feature: string,
/** The point at which costs are predicted: features and values. */
at: Array<[string, number]>,
/** The confidence level of intervals. */
level: number,
/** The kind of costs that are compared. */
basis: Basis,
/**
 * The requested target, if a run there takes more than a day. `Comparison::at` is then the largest size that
 * both versions run within a day.
 */
out_of_reach?: OutOfReach,
/** The outcome of the comparison. */
outcome: Outcome,
/** The reason for the outcome. */
reason: OutcomeReason,
/** True if it is certain that nothing grows faster than before. */
nothing_faster: boolean,
/** The comparison of the whole program. */
total: Compared,
/** The rows that changed, by the change in cost at the target, greatest first. */
changes: Array<Compared>,
/** Number of functions that were executed exactly as often as before. */
unchanged: number,
/** Number of further functions whose counts differ by no more than the runs scatter. */
undecided: number,
/** The changed lines of functions that changed, in the same order. */
lines: Array<Compared>,
/** The clusters with code of changed functions that grow differently, are new or gone, in the same order. */
clusters: Array<Compared>,
/** True if no function differs by a single execution in any shared workload. */
identical: boolean,
/** Processor time and memory. */
resources: Resources, };

/** A feature's value at a point. */
export type Coordinate = {
/** Name of the feature. */
feature: string,
/** The value of the feature. */
at: number,
/** The origin of the value. */
given: Given, };

/** Direction of the quotient of the cost and a class towards large sizes. */
export type Course = "flat" | "rises" | "falls" | "levels_off" | "unclear";

/** A cluster's cost as the number of entries of its function times the cost per entry. */
export type Decomposition = {
/** The function that holds the cluster's costliest location. */
function: string,
/** Path of the source file. */
file: string,
/** The line on which it begins. */
line: number,
/** The number of entries of the function. */
entries: Factor,
/** The cluster's cost in this function divided by the entries, over the workloads that entered it. */
per_entry: Factor, };

/** The direction of a change in cost. */
export type Direction = "worse" | "better" | "same";

/** A doubt with its numbers. Published as its kind, its numbers and a sentence. */
export type Doubt = {
/** A stable identifier of the kind. */
kind: string,
/** The feature that the doubt is about, if it is about one. */
feature?: string,
/** Its numbers by name; `null` if infinite or unknown. */
numbers?: { [key in string]: number | null },
/** A sentence for people, made from the other fields. */
message: string, };

/** The effect of a change on a cost. */
export type Effect = "worse" | "better" | "same" | "open";

/** Relation of elapsed time to processor time. */
export type Elapsed = "as_processor" | "longer" | "shorter";

/** A factor of a cost. */
export type Factor = {
/** The greatest value in any workload. */
max: number,
/** One model per feature. */
models: Array<Model>, };

/** A workload without counts. */
export type Failure = {
/** Name of the workload. */
name: string,
/** The outcome of its run, in words. */
reason: string,
/** The end of its output to stderr. */
stderr_tail: string,
/** `[features]`; `null` if unknown. */
values: Array<number | null>, };

/** Distribution of a feature over the workloads that have it. */
export type FeatureSummary = {
/** The feature's name. */
name: string,
/** The least value; `null` without values. */
min: number | null,
/** The 95th percentile by nearest rank. */
p95: number | null,
/** The greatest value; `null` without values. */
max: number | null,
/** Number of workloads without a value. */
missing: number,
/** Number of workloads whose value is not positive, which a power law has to leave out. */
not_positive: number,
/** The earlier feature whose cluster this one joined, as it is a linear function of it. */
joins?: string, };

/** Rule for a feature that a point does not give: follow a given feature, or keep the value in the costliest run. */
export type Filling = {
/** Name of the feature. */
feature: string,
/** Its value in the costliest run; `null` if unknown. */
costliest: number | null,
/** The features that it can follow: `value = a·leader^b`. */
along: Array<Along>, };

/** All results of the analysis of one study. */
export type Findings = {
/** The name and version of the format. */
schema: string,
/** The program that was studied. */
program: Program,
/** Unit of all costs: `executions`, `instructions`, `ps` for times, or a metric's name. */
unit: string,
/** The seed of the bootstrap. */
seed: number,
/** A location joins a cluster if its R² with the representative is above `1 - alpha`. */
alpha: number,
/** The level of all intervals, such as 0.95. */
level: number,
/** Method for the intervals. */
intervals: Intervals,
/** Number of bootstrap resamples for the intervals; 0 if they do not use any. */
resamples: number,
/** The runs. */
workloads: Workloads,
/** The features, in declared order. */
features: Array<FeatureSummary>,
/** Numbers of counted locations. */
locations: Locations,
/**
 * Points at which `Outlook`s predict: first the ones that the user asked for, then twice and ten times the first
 * feature's 95th percentile.
 */
points: Array<Point>,
/** Values for features that a point does not give; empty if the study has one feature. */
fillings?: Array<Filling>,
/** The summary for a reader who reads nothing else; absent if too few sizes were run. */
answer?: Answer,
/** The processor time at the target by formulas and a machine's constants; absent without a calibration. */
fragments?: FragmentsOutlook,
/** The whole program as one row. */
total: WithLaw<Total>,
/** Groups of locations that vary together, by descending maximum cost. */
clusters: Array<WithLaw<Cluster>>,
/** Functions by descending maximum cost. */
functions: Array<WithLaw<Row>>,
/** Lines by descending maximum cost, if requested. */
lines?: Array<WithLaw<Row>>,
/** Basic blocks by descending maximum cost, if requested. */
blocks?: Array<WithLaw<Row>>,
/** Routines by the size of their own input, by falling cost; absent if the study has none. */
series?: Array<SeriesRow>,
/**
 * Memory by the line that allocated it, by falling bytes at the heap's peak, the moment with the most bytes
 * allocated; absent if memory was not recorded.
 */
memory_lines?: Array<MemoryLine>,
/**
 * Loops of the program, outer before inner, with trip counts as formulas of program variables; absent if the study
 * has none.
 */
loops?: Array<LoopRow>,
/** Totals of the loops of each function: the trips in a call, and its growth. */
loop_functions?: Array<LoopFunctionRow>,
/** Doubts about the findings as a whole. */
doubts: Array<Doubt>, };

/** The largest input whose run takes no longer than a given time. */
export type FittingSize = {
/** The time, in seconds of processor time. */
seconds: number,
/** The largest size by the law, in two digits. */
size: number,
/**
 * The largest size for which the whole interval of the time is below, in two digits; `null` if the interval is
 * unknown there, or above that time at all sizes that were run.
 */
at_least: number | null, };

/** Time of one constant's fragment. */
export type FragmentPart = {
/** Name of the constant. */
constant: string,
/** Number of executions of its fragment. */
times: number,
/** Time of these executions, in seconds. */
seconds: number,
/** The working set of the fragment, in bytes; `null` if no formula gives it. */
memory_bytes: number | null, };

/** Processor time by formulas. */
export type FragmentsOutlook = {
/** The predicted time in seconds. */
seconds: number,
/** Its interval, from the least and the greatest value of every constant. */
ci: [number, number],
/** The processor on which the constants were measured. */
cpu: string,
/** The constants that were only measured with smaller working sets than their fragments have here. */
beyond: Array<string>,
/** The time of each constant, the most first. */
parts: Array<FragmentPart>, };

/** Origin of a feature's value at a point. */
export type Given = { "kind": "asked" } | { "kind": "multiple",
/** The factor, such as 10. */
of_p95: number, } | { "kind": "follows",
/** Name of the other feature. */
feature: string, } | { "kind": "costliest",
/** Name of the costliest run. */
workload: string, };

/** A change of growth class. */
export type GrowthChange = "faster" | "slower" | "alike" | "unknown";

/** Evidence of the data about the growth class. */
export type GrowthModel = {
/** `n^2`, `about n`, or `undecided between n and n^2`. */
verdict: string,
/**
 * The verdict in short: `n^2`, `≈ n`, `n or n^2 ?`, `≈ n^2 ?` for classes that are close together, `1 … n^2 ?`. If
 * the study has several features, the feature's name replaces `n`.
 */
short: string,
/** True if the data support one class so much better than all others that the verdict names it alone. */
decided: boolean,
/**
 * The class with the most support, if the named classes differ by no more than a log factor, and by less than 30 %
 * in the cost at ten times the largest size, and if the interval there is narrower than a factor of √10. Absent if
 * one class is decided, or if the classes differ by more.
 */
near?: string,
/** True if the cost grows faster than linearly; `null` if the named classes disagree. */
superlinear: boolean | null,
/**
 * Number of workloads behind the verdict. In a large study, a row that costs next to nothing uses only some of
 * them.
 */
points: number,
/** The classes that the verdict names, and others with some support, by falling support. There is at least one. */
classes: Array<GrowthSupport>,
/** A faster-growing part that may be hidden in the costs; absent if none that matters can be. */
may_hide?: MayHide, };

/** Evidence of the data for one class. */
export type GrowthSupport = {
/** The class, in `n`. */
class: string,
/** The probability of the class given the data, 0 to 1. */
support: number,
/** The class's best model, such as `1.5·n^2 − 0.5·n`, in the feature's name; `log` is to base 2. */
formula: string,
/** Standard deviation of log cost about that model. */
spread: number,
/** True if the verdict names it. */
named: boolean,
/** The model. Only the leading term of the class is published. */
term: LawFactor, };

/** Method for the intervals of power laws and linear models. */
export type Intervals = "robust" | "percentile";

/** Law of a cost in several features together. */
export type Joint = {
/** The share of the evidence for the best structure, 0 to 1. */
support: number,
/** R² of log cost. */
r2: number,
/** The law; an average if it is undecided. */
law: Law,
/** The laws that the data allow, by falling support. An undecided law is their average. */
laws: Array<JointSupport>, };

/** A law in several features that the data allow. */
export type JointSupport = {
/** The formula of the law. */
formula: string,
/** Its weight among the listed laws, 0 to 1. */
support: number, };

/** A place in the program. */
export type JudgedPlace = {
/** The function's name, or `file:line`. */
name: string,
/** The source file; empty if unknown. */
file: string,
/** The line on which the place begins; 0 if unknown. */
line: number, };

/** The cost of calls of one kind by their size. */
export type KindLaw = {
/** The verdict in short: `n^2`. */
growth: string,
/** The formula of the best class, in the variable's name. */
formula: string,
/** True if the law is a constant. */
is_constant: boolean, };

/** Calls of some runs. */
export type KindOfCalls = {
/** The law of their mean cost. */
law: KindLaw,
/** The shares of these calls. */
part: CallShares, };

/** Calls from calling contexts with one growth class. */
export type KindOfContexts = {
/** The contexts, by falling cost. */
contexts: Array<string>,
/** The law of the mean cost of calls from the most expensive context. */
law: KindLaw,
/** The shares of all these calls together. */
part: CallShares, };

/** Kinds of calls, by the property that distinguishes them. */
export type Kinds = { "by": "contexts",
/** The kinds by growth, from slow to fast. */
kinds: Array<KindOfContexts>, } | { "by": "runs",
/** The feature whose value distinguishes the runs, if there is one. */
told_apart_by?: string,
/** The rule that distinguishes the runs: `sorted = 0 is cheaper, sorted = 1 costlier`. */
rule?: string,
/** The calls of the cheaper runs. */
cheaper: KindOfCalls,
/** The calls of the costlier runs. */
costlier: KindOfCalls, } | { "by": "trends",
/** The calls of the sizes on the lower trend. */
cheaper: KindOfCalls,
/** The calls of the sizes on the upper trend. */
costlier: KindOfCalls, } | { "by": "spread",
/** The law of the cheapest call of each size. */
cheapest: KindLaw,
/** The law of the most expensive call of each size. */
dearest: KindLaw,
/**
 * The shares of the calls that cost about as much as the most expensive of their size. Absent if other calls
 * lie in between, or if unknown.
 */
dearest_part?: CallShares, };

/** A cost as a function of features. */
export type Law = {
/** The origin of the law. */
source: Source,
/** True if the data decide for this law, or if the laws that it averages make no difference that matters. */
decided: boolean,
/** The features that the cost depends on. */
features: Array<string>,
/** The law as text: `1.5·n^2 − 0.5·n`, `≈ 3·n`, `3·n or 2·n^2`; `log` is to base 2. */
formula: string,
/** The summands: one per part for a sum of parts, otherwise a single one without a name. */
parts: Array<LawPart>, };

/**
 * A function of one feature, or the smaller of two features. A feature is given by its position in the law's
 * `features`.
 */
export type LawFactor = { "kind": "power", feature: number, exponent: number, log: boolean, } | { "kind": "exponential", feature: number, base: number, } | { "kind": "times_exponential", feature: number, base: number, } | { "kind": "factorial", feature: number, } | { "kind": "least", features: [number, number], } | { "kind": "inverse", feature: number, };

/** A summand of a law. */
export type LawPart = {
/** The name of the function, or `the rest`; absent if the law has only one summand. */
part?: string,
/** The sums whose geometric mean by weight is the law; a single one if the law is decided. */
sums: Array<LawSum>, };

/** A sum of terms. */
export type LawSum = {
/** The weight of this sum in the law, 0 to 1. */
weight: number,
/** The growth class in `n`; absent unless the sum is a class of a single feature. */
class?: string,
/** The smallest size that the sum describes; absent if it describes all sizes. */
from?: number,
/** The terms, fastest first. */
terms: Array<LawTerm>, };

/** A coefficient times a product; a constant has no factors. */
export type LawTerm = {
/** The coefficient, in the unit of the cost. */
coefficient: number,
/** The factors that multiply the coefficient. */
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
/** R² of the linear fit. */
r2: number, };

/** Numbers of counted locations. */
export type Locations = {
/** Number of all locations. */
total: number,
/** Number of locations whose cost varies enough to be clustered. */
varying: number,
/** Number of locations whose count differed between repetitions of one workload. */
unstable: number, };

/** Resources that a workload took without counters. */
export type LongestRun = {
/** Name of the workload. */
workload: string,
/** Processor time in seconds, the median. */
seconds: number,
/** Elapsed time of the same run, in seconds. */
elapsed_seconds: number,
/** Peak memory of the process in bytes, the maximum over all its runs. */
peak_bytes: number, };

/** The trips of a loop in one call of its function. */
export type LoopCallTrips = {
/** The formula: `½n² − ½n`. */
formula: string,
/**
 * `exact` if the formula was compared with measurements or follows from exact laws: it is right at any combination
 * of its names. `fitted` if it is interpolated, and right in the runs. `symbolic` if it has symbols for unknown
 * quantities or is only an upper bound.
 */
status: LoopStatus,
/** Number of measured activations of outer loops that confirm the formula. */
compared: number,
/**
 * Names in the formula that no run varied independently: they had one value, or moved together with another name in
 * all runs. The formula holds for them as far as the code states it.
 */
together?: Array<string>,
/** True if the formula is an upper bound. */
at_most?: boolean, };

/** The trips and the growth of a function's loops. */
export type LoopFunctionRow = {
/** The readable (demangled) name of the function. */
name: string,
/** The source file that contains the function. */
file: string,
/** The first line of the function. */
line: number,
/** The trips of all loops in one call; absent unless all are known. */
trips?: string,
/** Upper bound on the growth of a call, with the functions that it calls. */
o: string,
/** Lower bound on the growth of a call. */
omega: string,
/** Both bounds as one expression: `n ⊕ n²` if the first is certain and the second possible. */
bounds: string,
/** The recurrence of a function that calls itself: `T(n) = 2·T(n/2) + n`. */
recurrence?: string, };

/** An input of a loop, over all runs. */
export type LoopInputRow = {
/** The name in the program's words. */
name: string,
/** The kind of input. */
kind: string,
/** The line of the enclosing loop, if the input is the counter of that loop. */
counter_of?: number,
/** True if the input can change from trip to trip. Its value is then unknown: data decide the loop. */
changes?: boolean,
/** The least value; absent if the input is not an integer or the loop never ran. */
least?: number,
/** The greatest value; absent if the input is not an integer or the loop never ran. */
greatest?: number,
/**
 * The relation of its greatest value in a run to a feature of the runs: `≈ 0.024·bytes`; absent if no law is
 * known.
 */
relation?: LoopRelation, };

/** The value of a program quantity as a law of a feature of the runs. */
export type LoopRelation = {
/** The name of the feature, or the names of several: `m, n`. */
feature: string,
/** The formula of the law: `n`, `m·n`, `0.0244·bytes`. */
formula: string,
/** The certainty of the law. */
status: RelationStatus,
/**
 * The predicted value at each prediction point; `null` if the point lacks the feature or the runs are too few for
 * an interval.
 */
at: Array<number | null>,
/** The interval of each predicted value, as for any other row; empty if the law is exact. */
ci?: Array<[number, number] | null>,
/** Reasons to doubt the law. */
doubts?: Array<Doubt>, };

/** A loop of the program. */
export type LoopRow = {
/** The readable (demangled) name of the function. */
function: string,
/** The source file that contains the loop. */
file: string,
/** The line of its header. */
line: number,
/** The ordinal of the loop among the loops of its function on this line, from 2 on; absent for the first. */
number?: number,
/**
 * The last line of the loop, for drawing. It follows from the indentation of the source, or else from the last
 * loop or call inside.
 */
last_line: number,
/** The nesting depth; 1 for an outermost loop. */
depth: number,
/** The line of the enclosing loop. */
parent?: number,
/** The inputs that decide the trips. */
inputs: Array<LoopInputRow>,
/** The trips in one activation. */
trips: LoopTrips,
/** The trips in one call of the function. */
in_call: LoopCallTrips,
/**
 * The relation of all trips in a run to a feature of the runs, independent of the names in the loop's own formula;
 * absent if no law is known.
 */
in_run?: LoopRelation,
/** Upper bound on the growth of one activation, with the loops and calls inside. */
o: string,
/** Lower bound on the growth of one activation. */
omega: string,
/** True if the loop may be skipped or left early. */
conditional: boolean,
/**
 * Number of activations; exact. `null` if unknown: a loop whose trips the compiler knows is not watched, and no
 * count around it or inside it determines its activations.
 */
activations: number | null,
/** The trips of all activations; exact. `null` if they were not counted. */
total: number | null,
/** The fewest trips of an activation; exact. */
least: number,
/** The most trips of an activation; exact. */
greatest: number,
/** The share of activations whose inputs were kept; absent if all were. */
sampled?: number,
/**
 * The largest share of all activations with other trips than the formula gives, at 95 % confidence. Set for a
 * sampled loop whose formula is right at all kept activations.
 */
sampled_error?: number,
/**
 * The predicted trips of the activation with the greatest inputs at each prediction point. They follow from the
 * formula and the relations; empty if these are unknown.
 */
predicted?: Array<number | null>,
/**
 * Number of runs in which the formula at the greatest inputs differs from the greatest number of trips. The
 * greatest inputs do not occur together there, and predictions may be wrong.
 */
mispredicted?: number, };

/** The certainty of a loop's trips. */
export type LoopStatus = "exact" | "fitted" | "constant" | "symbolic" | "unknown";

/** The trips of a loop in one activation. */
export type LoopTrips = {
/** The formula in the inputs; a value below 0 means no trips. Absent if unknown. */
formula?: string,
/** The certainty of the trips. */
status: LoopStatus,
/** Number of different input combinations observed. */
points: number,
/** Number of these combinations at which the formula is wrong. */
off: number,
/** The first combinations at which the formula is wrong. */
off_points?: Array<OffPoint>,
/** An upper bound that the trips never exceeded, if there is no formula. */
bound?: string,
/**
 * Trips that the code states, and that an activation contradicts: a counter that wraps around, or a value that is
 * changed elsewhere. Absent if there is no contradiction.
 */
refuted?: string,
/** True if another formula, equally simple, fits as well because inputs were always equal. */
ambiguous?: boolean, };

/**
 * A faster-growing part that is too small to be seen at the sizes that were run. With it, a run of size `x` costs `(1
 * − share)·law(x) + cost·term(x) / term(size)`.
 */
export type MayHide = {
/** Its growth class, in `n`. */
class: string,
/** The term of that class. */
term: LawFactor,
/** The largest size that was run. */
size: number,
/** Its maximum cost at that size: the upper end of a 95 % interval. */
cost: number,
/** This cost as a share of the whole cost there, 0 to 1. */
share: number,
/** Size of a run that would show it; `null` if no affordable run would. */
rules_out: number | null, };

/** A location in a cluster. */
export type Member = {
/** The location's name, unique in the study. */
name: string,
/** The function's name for people. */
function: string,
/** Path of the source file. */
file: string,
/** True if the file is the user's own: below the study's root. */
own: boolean,
/** The block's first line. */
line: number,
/** All of its lines in `file`. */
lines: Array<number>,
/** The compiler's number of the block within its function. */
block: number,
/** R² of the linear fit to the representative. */
r2: number,
/** The greatest cost in any workload. */
max_cost: number,
/** True if its count differed between repetitions of one workload. */
unstable?: boolean, };

/** Reason not to trust a prediction of peak memory. */
export type MemoryDoubt = "steps" | "faster" | { "may_step": number };

/** The line that the answer names because it holds memory. */
export type MemoryHolder = {
/** The line's name, as in `MemoryLine::name`. */
name: string,
/** The function; empty if unknown. */
function: string,
/** Its share of the bytes at the heap's peak, in the run with the highest peak, 0 to 1. */
share: number,
/**
 * The growth class of its maximum bytes. If the class is undecided but certainly faster than the input, the
 * slowest and the fastest class; `null` if unknown.
 */
growth: string | null,
/** The feature that this growth is in; `null` if the growth is undecided. */
feature: string | null,
/** Its predicted maximum bytes at one moment at the answer's target, as in its row; absent without a prediction. */
then?: Outlook, };

/** Memory that a line allocated. Each row has the numbers of whole runs. */
export type MemoryLine = {
/** `file:line`; the function's name if lines are unknown, and `other code` for code that is not the program's own. */
name: string,
/** The function; empty if unknown. */
function: string,
/** The source file; empty if unknown. */
file: string,
/** The line number; 0 if unknown. */
line: number,
/** Number of its allocations. */
allocations: WithLaw<Row>,
/** Total bytes of all allocations. */
asked: WithLaw<Row>,
/** Maximum bytes that were allocated at one moment. */
most: WithLaw<Row>,
/** Bytes that were allocated at the heap's peak, when the program had the most allocated. */
at_peak: WithLaw<Row>,
/** Bytes that were still allocated when the program ended. */
left: WithLaw<Row>, };

/**
 * Peak memory of the process at a point: the most that is resident at one moment, including code, stack and memory
 * that the allocator keeps.
 */
export type MemoryOutlook = {
/** The predicted peak in bytes. */
bytes: number,
/** Interval of that peak. */
ci: [number, number],
/** Bytes that every run takes. */
constant: number,
/** Additional bytes per unit of the size. */
per_unit: number,
/** Additional bytes per unit of a power of the size; 0 if a line fits. */
per_power: number,
/** The exponent of that power. */
exponent: number,
/**
 * Curves given by these four numbers. Beyond the largest run, memory lies above the lowest of the first list and
 * below the highest of the second.
 */
bounds: [Array<[number, number, number, number]>, Array<[number, number, number, number]>],
/**
 * Sizes that were run, ascending, each with the ends of the interval of its bytes. Between sizes, memory lies
 * between the lower end of the next smaller size, or 0, and the upper end of the next larger one.
 */
known: Array<[number, number, number]>,
/** The memory of the target machine, in bytes; `null` if unknown. */
machine_bytes: number | null,
/** The size up to which a run fits into that machine; `null` if memory does not grow. */
fits_up_to: number | null,
/** Reasons not to trust the prediction; empty if there are none. */
doubts: Array<MemoryDoubt>, };

/** Growth of a cost with one feature. */
export type Model = {
/** The feature's name. */
feature: string,
/** The origin of the law in this feature, see `Model::law`; `null` if it has none. */
source: Source | null,
/** `a·f^b`; `null` if the data allow none, for which a doubt gives the reason. */
power_law: PowerLawModel | null,
/** `a + b·f`; `null` if the data allow none. */
linear: LinearModel | null,
/**
 * The growth class. `null` if the data allow none, for which a doubt gives the reason; also for a function, line
 * or block that never takes 0.1 % of a run.
 */
growth: GrowthModel | null,
/**
 * Predictions at ascending values of the feature, by the best growth class, or by the power law if there is no
 * class.
 */
predictions: Array<Prediction>,
/** The largest size at which the row ran, if it did in nearly all runs up to there and in none beyond. */
runs_until?: number,
/** The two trends that the workloads follow, if they do. */
split?: Split,
/**
 * The runs that would decide the verdict or widen a narrow range. Only for the total and, in each feature, for the
 * eight costliest clusters that some runs would help; clusters before these have a reason why no runs would help
 * them.
 */
next?: NextRuns,
/** The cost divided by growth classes, from slow to fast; only for costly rows. */
bounds?: Array<Bound>,
/** Doubts about this model. */
doubts: Array<Doubt>, };

/** Further runs that would reveal more about a cost. */
export type NextRuns = {
/** Name of the feature. */
feature: string,
/** Its values to run, ascending. */
sizes: Array<number>,
/** The expected cost of one run of the whole program at each size. */
costs: Array<number>,
/** Number of different inputs to run at each size. */
inputs: number,
/** True if these runs are expected to decide the verdict, whichever of its classes is right. */
decides: boolean,
/** The advice as a sentence. */
message: string, };

/** A combination of inputs at which a formula is wrong. */
export type OffPoint = {
/** The inputs, in order. */
inputs: Array<number>,
/** The trips; the fewest if activations differ. */
trips: number,
/** The trips according to the formula; absent if the formula has no value. */
expected: number | null, };

/** `cost = a + b·n^c`, by least squares. */
export type OffsetPowerModel = {
/** The cost at 0. */
a: number,
/** The coefficient of the power. */
b: number,
/** The exponent of the size. */
c: number,
/** The R² in the original domain. */
r2: number, };

/** A target that no run reaches within a day. */
export type OutOfReach = {
/** The requested target, or ten times the measured sizes. */
asked: number,
/** Seconds that the slower version takes at the target; `null` if too large for a number. */
seconds: number | null,
/** Seconds per unit of cost. */
rate: number,
/** True if the rate is assumed because nothing was timed. */
is_assumed: boolean,
/** The largest size that both versions run within a day. */
largest: number, };

/** The outcome of a comparison. */
export type Outcome = "holds" | "regressed" | "improved" | "cannot_tell";

/** The reason for the outcome of a comparison. */
export type OutcomeReason = { "kind": "few_shared",
/** The minimum number of shared workloads. */
needed: number, } | { "kind": "no_prediction" } | { "kind": "no_factor",
/** The least ratio of a run. */
least: number,
/** The greatest ratio of a run. */
most: number, } | { "kind": "open" } | { "kind": "cost" } | { "kind": "growth" } | { "kind": "seconds" } | { "kind": "memory" } | { "kind": "same" };

/** A run that is far off the law. */
export type Outlier = {
/** Name of the workload. */
workload: string,
/** Measured ÷ law. Above 1, the run costs more than the law predicts. */
ratio: number,
/** Distance from the middle as a multiple of `Scatter::sigma`. */
sigmas: number, };

/** Predicted cost of a row at a point. */
export type Outlook = {
/** The cost that the law predicts. */
cost: number,
/** Its interval; `null` if it has none. */
ci: [number, number] | null,
/** The law that predicts it. */
source: Source, };

/** A cluster that another one overtakes. */
export type Overtaking = {
/** The name of the overtaken cluster's representative. */
cluster: string,
/** The overtaken cluster's rank by maximum cost. */
rank: number,
/** The feature whose growth causes it. */
feature: string,
/** The feature's value at which the two models cross. */
at: number, };

/** The pace of a row, as a reason to name it. */
export type Pace = "fast" | "open" | "slow";

/** Counts of a part of the time. */
export type PartCounts = {
/** The function, by its position in `Findings::functions`. */
function: number,
/** Its cost in the longest sampled run. */
cost: number, };

/** Basis of a part's predicted growth. */
export type PartGrowth = "counts" | "samples" | "whole";

/** Parts that add up to the predicted whole. */
export type Parts = {
/** Name of the feature. */
feature: string,
/** The functions that may cost most at the furthest size, in that order. The rest of the program is one more part. */
functions: Array<string>,
/** The files of these functions. */
files: Array<string>, };

/** Point at which costs are predicted. */
export type Point = {
/** One value per feature of the study that has one there, in declared order. */
values: Array<Coordinate>,
/** True if the user asked for it. */
asked: boolean, };

/** `cost = a·feature^b`. */
export type PowerLawModel = {
/** The coefficient `a`. */
a: number,
/** Interval of `a`; `null` if too few resamples could be fitted. */
a_ci: [number, number] | null,
/** The exponent `b`. */
b: number,
/** Its interval. */
b_ci: [number, number] | null,
/** R² in the log domain. */
r2: number,
/** Number of workloads in the fit. */
points: number,
/** Number of different values of the feature among them. */
sizes: number,
/** The greatest of these values divided by the least. */
span: number,
/** Number of workloads left out because the cost or the feature is zero (or the feature is missing). */
ignored_zeros: number, };

/** A cost at a size that may never have been run. */
export type Prediction = {
/** Value of the feature. */
at: number,
/** The cost that the law predicts. */
cost: number,
/**
 * Its interval. For a growth class, it includes the doubt between the classes; `null` if one of them leaves it
 * without an upper end.
 */
ci: [number, number] | null,
/** The law that predicts it. */
source: Source,
/** True if the user asked for this value; otherwise it is 2 or 10 times the 95th percentile. */
asked?: boolean, };

/** The program that was studied. */
export type Program = {
/** Name of the program. */
name: string, };

/** The certainty of a relation to a feature. */
export type RelationStatus = "exact" | "decided" | "several" | "undecided";

/** A line that explains the calls of a function. */
export type Repeating = {
/** The function that contains the line. */
function: string,
/** Path of the source file. */
file: string,
/** Number of the line. */
line: number, };

/** Representative that the members of a cluster are compared with. */
export type Representative = {
/** Its kind. */
kind: RepresentativeKind,
/** The feature's name, or the location's as `file:line`. */
name: string, };

/** Kind of a cluster's representative. */
export type RepresentativeKind = "feature" | "location";

/** The time or memory of the largest run that was measured in both versions. */
export type Resource = {
/** The name of the run. */
workload: string,
/** The value before the change. */
before: number,
/** The value after the change. */
after: number,
/** The effect of the change. A difference within the scatter of such measurements is none. */
effect: Effect, };

/** Processor time and memory, before and after. */
export type Resources = {
/** Processor time in seconds; absent if no run was timed in both versions. */
seconds?: Resource,
/**
 * Peak memory in bytes. It comes from runs with counters if no run without counters was measured in both versions.
 * Absent if no run was measured in both.
 */
memory?: Resource,
/** The uncounted code that takes most of the time, before and after; `null` if none was seen. */
uncounted: [Uncounted | null, Uncounted | null], };

/** A function, a line or a block. */
export type Row = {
/** The function's name, `file:line`, or the location's name. */
name: string,
/** Path of the source file. */
file: string,
/** Its first line in the file. */
line: number,
/** The greatest cost in any workload. */
max_cost: number,
/** The greatest share of a workload's total, 0 to 1. */
max_share: number,
/**
 * The share of the costliest workload's total, 0 to 1. It leaves startup costs out, which matter only in small
 * runs.
 */
share_of_largest: number,
/**
 * The share of the cost today, 0 to 1: its law ÷ the whole's law, in the run where the latter is greatest.
 * Measured in the costliest workload instead if one of them has no law.
 */
share_now: number,
/** One model per feature. */
models: Array<Model>,
/** The predicted costs at `Findings::points`, by its law; `null` if unknown. */
outlooks: Array<Outlook | null>,
/** The law of the cost in several features together; absent if one feature explains as much. */
joint?: Joint, };

/** A run with samples. */
export type SampledRun = {
/** Name of the workload. */
workload: string,
/** Its processor time in seconds, without sampling. */
seconds: number,
/** Its processor time in seconds while it was sampled, which takes a little longer. */
sampled_seconds: number,
/** Number of samples of its time in user mode. */
samples: number,
/** Number of further samples whose places are unknown. */
lost: number, };

/** Scatter of the runs' costs about the law of the whole, and the runs that are far off. */
export type Scatter = {
/** The median of measured ÷ law. */
middle: number,
/** The scatter in the log domain: 1.4826 times the median absolute deviation, which outliers do not inflate. */
sigma: number,
/** Distance from the middle, in sigmas, beyond which a run is an outlier. */
limit: number,
/** The outliers, the furthest first. */
outliers: Array<Outlier>, };

/** A cost by size, modelled like any other row. */
export type SeriesModel = {
/** One model per variable, which is the feature; for costs of runs, one per feature. */
models: Array<Model>,
/** The model in several variables together; absent if one variable explains as much. */
joint?: Joint,
/**
 * `a + b·n^c`; absent for fewer than three sizes, for several variables, and for a place that is too cheap for a
 * growth class.
 */
offset_power?: OffsetPowerModel, };

/** The cost of a place by the size of its input. */
export type SeriesRow = {
/** The kind of place: `routine`. */
kind: string,
/** The name of the place. */
name: string,
/** The program or library that contains the place. */
object: string,
/** The callers, for costs in one calling context. */
context?: string,
/** The measures of input size: `rms`, `drms`. */
variables: string[],
/** The unit of costs. */
unit: string,
/** Number of different sizes over all workloads. */
sizes: number,
/** Number of executions; for a routine, of calls. */
count: number,
/**
 * The cost of all calls, including callees. If a call of the routine is nested in another one, its cost counts in
 * both.
 */
sum: number,
/**
 * The cost of the calls that are not nested in another call of the routine; absent if the profiler does not report
 * it.
 */
outermost_sum?: number,
/** The cost of all calls without callees; absent if the profiler does not report it. */
self_sum?: number,
/** The share of the program's cost that the routine took, including callees. */
share: number,
/** The share of the program's cost that the routine took without callees. */
self_share?: number,
/** The share of the executions of all places of its kind. */
count_share: number,
/**
 * The share of its input that the kernel wrote, such as data read from a file; absent if the profiler does not
 * report it.
 */
kernel_input?: number,
/** The share of its input that other threads wrote; absent if the profiler does not report it. */
thread_input?: number,
/**
 * Standard deviation of a call's cost about the mean of its size, as a share of that mean. It covers all sizes
 * with several calls. Absent if no size has several calls, or if the profiler does not report it. It determines
 * the weights of the averages.
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
/** The mean cost of the calls at each size, without callees; absent if the profiler does not report it. */
own?: WithLaw<SeriesModel>,
/**
 * The cost of all calls of a run, including callees, by the features of the runs; absent for a study without
 * features.
 */
runs?: WithLaw<SeriesModel>,
/**
 * The cost of all calls of a run without callees, so that costs of callers are sums. Absent without features, or
 * if the profiler does not report it.
 */
own_runs?: WithLaw<SeriesModel>,
/** The amount that cheap calls pay for expensive ones; only for sizes in one variable. */
amortized: Amortized,
/** Kinds of calls with different laws; absent if the data do not show several kinds. */
kinds?: Kinds,
/** The measurements, by ascending size; absent unless the findings are for this place alone. */
tuples?: Array<Tuple>, };

/**
 * The rows whose laws, as shown, grow faster than `n log n` or may do so. Poor laws are included, as they are shown
 * too.
 */
export type ShownPaces = {
/** Their positions in `Findings::functions`. */
functions: Array<[number, Pace]>,
/** Their positions in `Findings::clusters`. */
clusters: Array<[number, Pace]>, };

/** A row of one version. */
export type Side = {
/** The growth in short; empty if unknown. */
growth: string,
/** The greatest cost in a workload. */
max_cost: number,
/**
 * The cost at the target by the row's own law, as its study shows it. If the shared runs have no range, the mean
 * cost of these runs. 0 if the version lacks the row.
 */
cost: number,
/** The interval of the cost. */
ci: [number, number] | null, };

/** The origin of a law or a prediction. */
export type Source = "class" | "classes" | "power_law" | "joint" | "sum_of_parts" | "largest_part";

/** Two trends in the points of one model. */
export type Split = {
/** The feature whose value separates the trends, if one does. */
told_apart_by: string | null,
/** The rule that separates the trends in words, such as `sorted ≤ 0` or a part of the workloads' names. */
rule: string | null,
/** The trends, the cheaper one first. */
trends: Array<Trend>, };

/** The reason why no single place decides. */
export type Spread = "small_fast" | "fast_group" | "whole_fast" | "all_small";

/** Reason not to trust a predicted time. */
export type TimeDoubt = "short" | "scattered" | "cache" | "undecided" | "disturbed";

/** Predicted processor time at a point. */
export type TimeOutlook = {
/** The predicted time in seconds. */
seconds: number,
/** Interval of that time. */
ci: [number, number],
/** The law for other sizes. */
law: TimeTerms,
/** The time of the longest timed run, in seconds of processor time. */
longest: number,
/** Elapsed time ÷ processor time in that run. */
elapsed: number,
/** The meaning of that ratio. */
elapsed_is: Elapsed,
/**
 * The largest size, in two digits, whose run takes at most a day. `null` if the point gives several sizes, or if
 * no run takes longer.
 */
day_up_to: number | null,
/**
 * The largest sizes within `Options::within`(crate::Options::within), for those times that some run takes. Empty
 * if the point gives several sizes.
 */
fits: Array<FittingSize>,
/** Reasons not to trust the prediction; empty if there are none. */
doubts: Array<TimeDoubt>, };

/** A part of the time. */
export type TimePart = {
/** The kind of part. */
kind: TimePartKind,
/** The name of the function or library; empty for the kernel. */
name: string,
/** The function's source file; empty for other parts. */
file: string,
/** The function's line with the most samples; 0 if unknown. */
line: number,
/** Its share of the processor time of the run, 0 to 1. */
share: number,
/** The standard error of that share, from the number of samples. */
share_error: number,
/** Its share in the smaller run; `null` if only one run was sampled. */
share_smaller: number | null,
/** Its processor time in the run, in seconds. */
seconds: number,
/** Its processor time at the target, in seconds. */
seconds_then: number,
/** Its share of the time at the target. */
share_then: number,
/** The basis of its predicted growth. */
growth: PartGrowth,
/** The counts that it grows like; absent if it grows by samples, or like the whole. */
counts?: PartCounts,
/** The power of the size by which its share of the time grows; absent if it grows by counts, or like the whole. */
power?: number,
/** True if its time grew differently between the two sampled runs than its counts did. */
contradicted: boolean,
/**
 * True if the study's counts cover its work. callgrind counts the work of libraries, and attributes it to the
 * lines that call them.
 */
is_counted: boolean, };

/** Kind of a part of the time. */
export type TimePartKind = "function" | "library" | "kernel";

/** Breakdown of the time of one run, and of the time at the target. */
export type TimeParts = {
/** The longest sampled run, which `share` refers to. */
run: SampledRun,
/** A shorter run, which shows how parts without counts grow; absent if only one was sampled. */
smaller?: SampledRun,
/** The cost of the whole program in the longest run. */
counts: number,
/** The size of that run; `null` if there is no single size, and counts replace it. */
size: number | null,
/** The parts by falling seconds at the target. */
rows: Array<TimePart>, };

/**
 * The terms of a `TimeLaw`. A run of size x with C counts takes the geometric mean of `rate · C · (C ÷
 * counts)^(kept_drift · drift)` and `power[0] · x^power[1]`.
 */
export type TimeTerms = {
/** Seconds per count in the largest run. */
rate: number,
/** The counts of that run. */
counts: number,
/** The exponent with which the rate grows with the counts, 0 to 0.5. */
drift: number,
/** The fraction of the drift that continues beyond the largest run. */
kept_drift: number,
/**
 * The relative margin of the interval at both ends, beyond the difference between no drift, full drift and the
 * power law.
 */
margin: number,
/** Ratio of the ends of the counts' interval above which the time is undecided. */
open: number,
/**
 * The point from which the working set leaves a cache of the machine and the time is not to be trusted; `null` if
 * it leaves none.
 */
cache: CacheStep | null,
/**
 * Coefficient and exponent of the longest runs' times over the size. `null` if the point gives several sizes, or
 * if the counts outgrow every power of it.
 */
power: [number, number] | null, };

/** The whole program as one row. */
export type Total = {
/** The greatest cost in any workload. */
max_cost: number,
/** One model per feature. */
models: Array<Model>,
/**
 * The features in which predictions are sums of the functions' costs: all features if the program has several
 * functions.
 */
parts?: Array<Parts>,
/** The predicted costs at `Findings::points`, by its law; `null` if unknown. */
outlooks: Array<Outlook | null>,
/** The law of the cost in several features together; absent if one feature explains as much. */
joint?: Joint,
/** The scatter of the runs about its law; `null` without a law. */
scatter: Scatter | null, };

/** The workloads of one trend, and its models. */
export type Trend = {
/** Names of the workloads, in the study's order. */
workloads: Array<string>,
/** `a·f^b`, fitted to these workloads alone. */
power_law: PowerLawModel | null,
/** The growth class of these workloads alone. */
growth: GrowthModel | null, };

/** All executions of a place at one size, over all workloads. */
export type Tuple = {
/** The size, one number per variable. */
sizes: Array<number>,
/** Number of executions at this size. */
count: number,
/** The least cost of an execution. */
min: number,
/** The greatest cost of an execution. */
max: number,
/** The cost of all executions. */
sum: number,
/** The sum of the squared costs; absent if unknown. */
sum_of_squares?: number,
/**
 * The cost of the calls that are not nested in another call of the routine; absent if the profiler does not report
 * it.
 */
outermost_sum?: number,
/** The cost of all executions without callees; absent if the profiler does not report it. */
self_sum?: number, };

/** Code that is not counted. */
export type Uncounted = {
/** The kind of code: a library or the kernel. */
kind: TimePartKind,
/** The name of the library; empty for the kernel. */
name: string,
/** The share of the processor time of the longest sampled run, 0 to 1. */
share: number, };

/** A claim about the rows that an answer does not name. */
export type Unnamed = {
/**
 * True if the claim covers only large parts of the cost at the target, as a smaller part grows faster than `n log
 * n`.
 */
large_only: boolean,
/** True if no covered row grows faster than `n log n`; otherwise no covered row is known to. */
certain: boolean, };

/** A row with its law. */
export type WithLaw<T> = {
/** The law of the cost; `null` if unknown. */
law: Law | null, } & T;

/** Numbers of workloads in each study, and in both. */
export type WorkloadCounts = {
/** Number of workloads before the change. */
before: number,
/** Number of workloads after the change. */
after: number,
/** Number of workloads in both studies, with the same size. */
shared: number, };

/** The runs of a study. */
export type Workloads = {
/** Number of workloads with counts. */
count: number,
/** Number of workloads without counts. */
failed: number,
/** The workloads without counts. */
failures: Array<Failure>,
/** The run without counters that took longest; absent if all runs had counters. */
longest?: LongestRun, };
