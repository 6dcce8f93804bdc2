// Written by `npm run types` from JSON schemas; do not edit.

/** Law by which a feature follows another. */
export interface Along {
  /** The coefficient `a`. */
  a: number;
  /** The exponent `b`. */
  b: number;
  /** Name of the other feature. */
  leader: string;
  /** R² in the log domain. */
  r2: number;
}

/** Share of the rare, expensive calls in the cost of the frequent, cheap ones. */
export interface Amortized {
  /** Additional cost that the cheap calls pay for the expensive ones, relative to their own cost. */
  alpha: number;
  /** The input sizes whose cost is spread over the others, ascending. */
  spread: number[];
}

/** The summary for a reader who reads nothing else. */
export interface Answer {
  /** The largest groups of blocks that vary together, for `AnswerKind::Spread`; by falling share at the target. */
  groups?: AnswerGroup[];
  /** The recommended action. */
  kind: AnswerKind;
  /**
   * The peak memory of the process at the target; absent if too few runs were timed, or if no law explains it. It
   * depends on the machine too.
   */
  memory?: MemoryOutlook;
  /**
   * The line that holds memory; absent if no line holds most of it or grows faster than the input, or if memory was
   * not recorded.
   */
  memory_holder?: MemoryHolder;
  /** The runs that would reveal more, for `AnswerKind::Open`. */
  next?: NextRuns;
  /** The place to look at; absent if no function takes a notable part. */
  place?: AnswerPlace;
  /** The target, by its position in `Findings::points`. */
  point: number;
  /** The run that today's shares refer to, by its position: the one in which the law of the whole is greatest. */
  run_now: number;
  /** The reason why no place is named, for `AnswerKind::Spread`. */
  spread?: Spread;
  /**
   * The CPU time at the target; absent if no run was timed. It depends on the machine, and varies when
   * measured again.
   */
  time?: TimeOutlook;
  /** The breakdown of that time; absent if no run was sampled. */
  time_parts?: TimeParts;
  /** The claim about all rows, for `AnswerKind::Steady`. */
  unnamed?: Unnamed;
  /** The predicted cost of the whole program at the target. */
  whole: Outlook;
  /**
   * The cost today: the greatest of the whole's law in the run `run_now` and the laws of functions with a verdict
   * there.
   */
  whole_now: number;
}

/** Blocks that vary together, with their share of the whole. */
export interface AnswerGroup {
  /** The cluster, by its position in `Findings::clusters`. */
  cluster: number;
  /** Number of functions that have a notable part of the cluster. */
  functions: number;
  /** Its share of the cost today, 0 to 1. */
  share: number;
  /** Its share at the target. */
  share_then: number;
  /** The title of the cluster. */
  title: string;
}

/** Action that an answer recommends. */
export type AnswerKind = 'fix' | 'open' | 'spread' | 'steady';

/** A function to look at, with its share of the whole. */
export interface AnswerPlace {
  /**
   * A line at which the function calls itself more than once, perhaps through others, if this recursion makes its
   * calls.
   */
  branching?: Repeating;
  /**
   * The line of the user's own code that makes most of its calls, in the function that makes nearly all of them,
   * perhaps through other functions; absent if no function does.
   */
  caller?: Repeating;
  /**
   * True if no other function costs more at the target. Compares times if samples show where time goes, and costs
   * otherwise.
   */
  costliest: boolean;
  /** Path of its source file. */
  file: string;
  /** Name of the function. */
  function: string;
  /** True if it is the user's own function, and not a library's. */
  is_own: boolean;
  /** The function's costliest line at the target; 0 if unknown. */
  line: number;
  /** The loop that runs as often as the function is called, if the function grows because of more calls. */
  repeating?: Repeating;
  /** Its share of the cost today, 0 to 1: `Row::share_now`(crate::Row::share_now). */
  share: number;
  /** Its share at the target. */
  share_then: number;
  /** The interval of that share, with everything else as predicted; `null` if it has none. */
  share_then_ci: [number, number] | null;
  /** Its share of the time in the longest sampled run, and at the target; absent if it has no samples. */
  time_shares?: [number, number];
}

/** The kind of costs that a comparison is about. */
export type Basis =
  | {
      kind: 'predicted';
    }
  | {
      kind: 'measured';
      /** The least ratio of a run. */
      least: number;
      /** The greatest ratio of a run. */
      most: number;
      /** Number of different sizes of the shared runs. */
      sizes: number;
      /** The greatest size divided by the least. */
      span: number;
    };

/** A cost divided by a class of growth. */
export interface Bound {
  /** The class, in `n`. */
  class: string;
  /** Direction of the quotient over the larger half of the sizes, on a log scale. */
  course: Course;
  /** The term that the cost is divided by. */
  term: LawFactor;
}

/**
 * Point from which the working set no longer fits into a cache that holds the working set of the longest run. If the
 * runs are already leaving a cache, it is the longest run.
 */
export type CacheStep =
  | {
      size: number;
    }
  | {
      counts: number;
    };

/** The shares of some calls in a routine. */
export interface CallShares {
  /** The share of the routine's calls. */
  calls: number;
  /** The share of the routine's cost. */
  cost: number;
}

/** A line that calls a function. */
export interface CallingLine {
  /**
   * True if `calls` is only a maximum. This has three causes: blocks of the line have different counts; the line has
   * several call instructions, which may be alternatives; or the function was entered less often.
   */
  at_most?: boolean;
  /** Number of calls in the costliest run; absent if the line has no count. */
  calls?: number;
  /**
   * Representative of the cluster that grows like the calls; absent if the number of calls hardly varies, or if
   * blocks of the line are in different clusters.
   */
  cluster?: string;
  /** Path of the source file with the call. It differs from `function_file` if the call was inlined. */
  file: string;
  /** Name of the function that contains the call. */
  function: string;
  /** Path of that function's source file. */
  function_file: string;
  /** The call's line, 1-based. */
  line: number;
}

/** A function that an answer may name. */
export interface Candidate {
  /** A line at which the function calls itself more than once, if recursion makes its calls. */
  branching?: Repeating;
  /**
   * The line of the user's own code that makes most of its calls, in the function that makes nearly all of them,
   * perhaps through other functions; absent if no function does.
   */
  caller?: Repeating;
  /** Its position in `Findings::functions`. */
  function: number;
  /** True if it is the user's own function, and not a library's. */
  is_own: boolean;
  /** The function's costliest line at the target; 0 if unknown. */
  line: number;
  /** The runs that would reveal more, if its growth is undecided. */
  next?: NextRuns;
  /** The pace of the function; absent if it is unknown. */
  pace?: Pace;
  /** The loop that runs as often as the function is called, if the function certainly grows because of more calls. */
  repeating?: Repeating;
}

/**
 * The functions that an answer may name, whatever the target. Together with their costs at a target they determine the
 * `Answer`(crate::Answer).
 */
export interface Candidates {
  /** The clusters that certainly grow faster than `n log n`, by their positions in `Findings::clusters`. */
  fast_groups: number[];
  /** The functions that may be named. */
  functions: Candidate[];
  /** Minimum share of the cost at the target with which a single place decides it. */
  least_share: number;
  /** The rows whose laws, as shown, grow faster than `n log n` or may do so. */
  shown: ShownPaces;
  /** The pace of the whole; absent if it is unknown. */
  whole?: Pace;
}

/** The difference between a row before and after. */
export interface Change {
  /** The direction in which the cost at the target changed. */
  direction: Direction;
  /** True if the costs differ without noise, or do not differ at all. */
  exact: boolean;
  /** The kind of change. */
  kind: ChangeKind;
  /** The probability of such a difference if nothing changed, for one row. */
  p_value?: number;
  /** The ratio of the costs at the target, after to before; absent if either is missing. */
  ratio?: number;
  /** The interval of the ratio. */
  ratio_ci?: [number, number];
}

/** The kind of a row's change. */
export type ChangeKind =
  | {
      kind: 'none';
    }
  | {
      kind: 'new';
    }
  | {
      kind: 'vanished';
    }
  | {
      kind: 'class';
    }
  | {
      /** The difference of the exponents. */
      by: number;
      /** The interval of the difference. */
      ci: [number, number];
      kind: 'exponent';
    }
  | {
      /** The factor on the cost. */
      by: number;
      /** The interval of the factor. */
      ci: [number, number];
      kind: 'factor';
    }
  | {
      /** The ratio of the costs in the largest shared run. */
      by: number;
      kind: 'differs';
    }
  | {
      /** The difference at every size. */
      by: number;
      /** The interval of the difference. */
      ci: [number, number];
      /** The factor on the rest of the cost. */
      factor: number;
      kind: 'floor';
    };

/** A row with its law. */
export interface Cluster {
  /** True if it takes more than 2 % of some workload's total. */
  costly: boolean;
  /** The cost as entries of the function times cost per entry; only for costly clusters. */
  decomposition?: Decomposition;
  /** Features in the cluster besides the representative. */
  features: string[];
  /** Number of functions that have a notable part of it. With more than one, it is a group, whatever its title. */
  function_count: number;
  /** The law of the cost in several features together; absent if one feature explains as much. */
  joint?: Joint;
  /** The law of the cost; `null` if unknown. */
  law: Law | null;
  /** The greatest cost in any workload. */
  max_cost: number;
  /** The greatest share of a workload's total, 0 to 1. */
  max_share: number;
  /** By descending maximum cost. A location can be a member of several clusters. */
  members: Member[];
  /** One model per feature. */
  models: Model[];
  /**
   * The name of the member that the title shows. In the user's own code, this is the representative, else the
   * costliest member in a loop, else the costliest. If no member is the user's own, it is the representative.
   */
  named_by: string;
  /** The user's note on the cluster. */
  note?: string;
  /** The predicted costs at `Findings::points`, by its law; `null` if unknown. */
  outlooks: (Outlook | null)[];
  /** Costlier clusters that this one overtakes as its feature grows. */
  overtakes: Overtaking[];
  /** Position by maximum cost, from 1. */
  rank: number;
  /** The representative that its members are compared with; its name identifies the cluster. */
  representative: Representative;
  /**
   * The share of the cost today, 0 to 1: its law ÷ the whole's law, in the run where the latter is greatest.
   * Measured in the costliest workload instead if one of them has no law.
   */
  share_now: number;
  /**
   * The share of the costliest workload's total, 0 to 1. It leaves startup costs out, which matter only in small
   * runs.
   */
  share_of_largest: number;
  /** The title for people: `file:line in function`, followed by its rank if another cluster has the same title. */
  title: string;
}

/** A row before and after a change. */
export interface Compared {
  /** The row after the change. */
  after: Side;
  /** The row before the change. */
  before: Side;
  /** The difference between both versions. */
  change: Change;
  /** The effect on the cost at the target. */
  effect: Effect;
  /** The change of the growth class. */
  grows: GrowthChange;
  /** The current place, or the former place of a vanished row; absent for the whole program. */
  place?: JudgedPlace;
  /** The row's change in cost at the target as a share of the whole there. */
  share_of_change: number;
  /** The former place, if the row had another name or file. */
  was?: JudgedPlace;
  /** The greater of the row's two shares of the whole at the target, 0 to 1. */
  weight: number;
}

/** The result of a comparison, in the shape of the machine-readable output. */
export interface Comparison {
  /** The point at which costs are predicted: features and values. */
  at: [string, number][];
  /** The kind of costs that are compared. */
  basis: Basis;
  /** The rows that changed, by the change in cost at the target, greatest first. */
  changes: Compared[];
  /** The clusters with code of changed functions that grow differently, are new or gone, in the same order. */
  clusters: Compared[];
  /** The feature in which costs are compared. */
  feature: string;
  /** True if no function differs by a single execution in any shared workload. */
  identical: boolean;
  /** The confidence level of intervals. */
  level: number;
  /** The changed lines of functions that changed, in the same order. */
  lines: Compared[];
  /** True if it is certain that nothing grows faster than before. */
  nothing_faster: boolean;
  /**
   * The requested target, if a run there takes more than a day. `Comparison::at` is then the largest size that
   * both versions run within a day.
   */
  out_of_reach?: OutOfReach;
  /** The outcome of the comparison. */
  outcome: Outcome;
  /** The name of the program after the change. */
  program: string;
  /** The reason for the outcome. */
  reason: OutcomeReason;
  /** CPU time and memory. */
  resources: Resources;
  /** The name and version of the format. */
  schema: string;
  /** The comparison of the whole program. */
  total: Compared;
  /** Number of functions that were executed exactly as often as before. */
  unchanged: number;
  /** Number of further functions whose counts differ by no more than the runs scatter. */
  undecided: number;
  /** The unit of costs. */
  unit: string;
  /** Numbers of workloads with counts before, after, and in both. */
  workloads: WorkloadCounts;
}

/** A feature's value at a point. */
export interface Coordinate {
  /** The value of the feature. */
  at: number;
  /** Name of the feature. */
  feature: string;
  /** The origin of the value. */
  given: Given;
}

/** Direction of the quotient of the cost and a class towards large sizes. */
export type Course = 'flat' | 'rises' | 'falls' | 'levels_off' | 'unclear';

/** A cluster's cost as the number of entries of its function times the cost per entry. */
export interface Decomposition {
  /** The number of entries of the function. */
  entries: Factor;
  /** Path of the source file. */
  file: string;
  /** The function that holds the cluster's costliest location. */
  function: string;
  /** The line on which it begins. */
  line: number;
  /** The cluster's cost in this function divided by the entries, over the workloads that entered it. */
  per_entry: Factor;
}

/** The direction of a change in cost. */
export type Direction = 'worse' | 'better' | 'same';

/** A doubt with its numbers. Published as its kind, its numbers and a sentence. */
export interface Doubt {
  /** The feature that the doubt is about, if it is about one. */
  feature?: string;
  /** A stable identifier of the kind. */
  kind: string;
  /** A sentence for people, made from the other fields. */
  message: string;
  /** Its numbers by name; `null` if infinite or unknown. */
  numbers?: {
    [k: string]: number | null;
  };
}

/** The effect of a change on a cost. */
export type Effect = 'worse' | 'better' | 'same' | 'open';

/** Relation of wall time to CPU time. */
export type Elapsed = 'as_processor' | 'longer' | 'shorter';

/** A factor of a cost. */
export interface Factor {
  /** The greatest value in any workload. */
  max: number;
  /** One model per feature. */
  models: Model[];
}

/** A workload without counts. */
export interface Failure {
  /** Name of the workload. */
  name: string;
  /** The outcome of its run, in words. */
  reason: string;
  /** The end of its output to stderr. */
  stderr_tail?: string;
  /** `[features]`; `null` if unknown. */
  values: (number | null)[];
}

/** Distribution of a feature over the workloads that have it. */
export interface FeatureSummary {
  /** The earlier feature whose cluster this one joined, as it is a linear function of it. */
  joins?: string;
  /** The greatest value; `null` without values. */
  max: number | null;
  /** The least value; `null` without values. */
  min: number | null;
  /** Number of workloads without a value. */
  missing: number;
  /** The feature's name. */
  name: string;
  /** Number of workloads whose value is not positive, which a power law has to leave out. */
  not_positive: number;
  /** The 95th percentile by nearest rank. */
  p95: number | null;
}

/** Rule for a feature that a point does not give: follow a given feature, or keep the value in the costliest run. */
export interface Filling {
  /** The features that it can follow: `value = a·leader^b`. */
  along: Along[];
  /** Its value in the costliest run; `null` if unknown. */
  costliest: number | null;
  /** Name of the feature. */
  feature: string;
}

/** All results of the analysis of one study. */
export interface Findings {
  /** A location joins a cluster if its R² with the representative is above `1 - alpha`. */
  alpha: number;
  /** The summary for a reader who reads nothing else; absent if too few sizes were run. */
  answer?: Answer;
  /** Basic blocks by descending maximum cost, if requested. */
  blocks?: Row[];
  /** Groups of locations that vary together, by descending maximum cost. */
  clusters: Cluster[];
  /** Doubts about the findings as a whole. */
  doubts: Doubt[];
  /** The features, in declared order. */
  features: FeatureSummary[];
  /** Values for features that a point does not give; empty if the study has one feature. */
  fillings?: Filling[];
  /** The CPU time at the target by formulas and a machine's constants; absent without a calibration. */
  fragments?: FragmentsOutlook;
  /** Functions by descending maximum cost. */
  functions: Row[];
  /** Method for the intervals. */
  intervals: Intervals;
  /** The level of all intervals, such as 0.95. */
  level: number;
  /** Lines by descending maximum cost, if requested. */
  lines?: Row[];
  /** Numbers of counted locations. */
  locations: Locations;
  /** Totals of the loops of each function: the trips in a call, and its growth. */
  loop_functions?: LoopFunctionRow[];
  /**
   * Loops of the program, outer before inner, with trip counts as formulas of program variables; absent if the study
   * has none.
   */
  loops?: LoopRow[];
  /**
   * Memory by the line that allocated it, by falling bytes at the heap's peak, the moment with the most bytes
   * allocated; absent if memory was not recorded.
   */
  memory_lines?: MemoryLine[];
  /**
   * Points at which `Outlook`s predict: first the ones that the user asked for, then twice and ten times the first
   * feature's 95th percentile.
   */
  points: Point[];
  /** The program that was studied. */
  program: Program;
  /** Number of bootstrap resamples for the intervals; 0 if they do not use any. */
  resamples: number;
  /** The name and version of the format. */
  schema: string;
  /** The seed of the bootstrap. */
  seed: number;
  /** Routines by the size of their own input, by falling cost; absent if the study has none. */
  series?: SeriesRow[];
  /** The whole program as one row. */
  total: Total;
  /** Unit of all costs: `executions`, `instructions`, `ps` for times, or a metric's name. */
  unit: string;
  /** The runs with counts, and those that failed. */
  workloads: Workloads;
}

/** The largest input whose run stays within a limit. */
export interface FittingSize {
  /**
   * The largest size for which the whole interval is within the limit, in two digits; `null` if the interval is
   * unknown there, or exceeds the limit at all sizes that were run.
   */
  at_least: number | null;
  /** The greatest time or memory that the run may take. */
  limit: RunLimit;
  /** The largest size by the law, in two digits. */
  size: number;
}

/** Time of one constant's fragment. */
export interface FragmentPart {
  /** Name of the constant. */
  constant: string;
  /** The working set of the fragment, in bytes; `null` if no formula gives it. */
  memory_bytes: number | null;
  /** Time of these executions, in seconds. */
  seconds: number;
  /** Number of executions of its fragment. */
  times: number;
}

/** CPU time by formulas. */
export interface FragmentsOutlook {
  /** The constants that were only measured with smaller working sets than their fragments have here. */
  beyond: string[];
  /** Its interval, from the least and the greatest value of every constant. */
  ci: [number, number];
  /** The processor on which the constants were measured. */
  cpu: string;
  /** The time of each constant, the most first. */
  parts: FragmentPart[];
  /** The predicted time in seconds. */
  seconds: number;
}

/** Origin of a feature's value at a point. */
export type Given =
  | {
      kind: 'asked';
    }
  | {
      kind: 'multiple';
      /** The factor, such as 10. */
      of_p95: number;
    }
  | {
      /** Name of the other feature. */
      feature: string;
      kind: 'follows';
    }
  | {
      kind: 'costliest';
      /** Name of the costliest run. */
      workload: string;
    };

/** A change of growth class. */
export type GrowthChange = 'faster' | 'slower' | 'alike' | 'unknown';

/** Evidence of the data about the growth class. */
export interface GrowthModel {
  /** The classes that the verdict names, and others with some support, by falling support. There is at least one. */
  classes: GrowthSupport[];
  /** True if the data support one class so much better than all others that the verdict names it alone. */
  decided: boolean;
  /** A faster-growing part that may be hidden in the costs; absent if none that matters can be. */
  may_hide?: MayHide;
  /**
   * The class with the most support, if the named classes differ by no more than a log factor, and by less than 30 %
   * in the cost at ten times the largest size, and if the interval there is narrower than a factor of √10. Absent if
   * one class is decided, or if the classes differ by more.
   */
  near?: string;
  /**
   * Number of workloads behind the verdict. In a large study, a row that costs next to nothing uses only some of
   * them.
   */
  points: number;
  /**
   * The verdict in short: `n^2`, `≈ n`, `n or n^2 ?`, `≈ n^2 ?` for classes that are close together, `1 … n^2 ?`. If
   * the study has several features, the feature's name replaces `n`.
   */
  short: string;
  /** True if the cost grows faster than linearly; `null` if the named classes disagree. */
  superlinear: boolean | null;
  /** `n^2`, `about n`, or `undecided between n and n^2`. */
  verdict: string;
}

/** Evidence of the data for one class. */
export interface GrowthSupport {
  /** The class, in `n`. */
  class: string;
  /** The class's best model, such as `1.5·n^2 − 0.5·n`, in the feature's name; `log` is to base 2. */
  formula: string;
  /** True if the verdict names it. */
  named: boolean;
  /** Standard deviation of log cost about that model. */
  spread: number;
  /** The probability of the class given the data, 0 to 1. */
  support: number;
  /** The model. Only the leading term of the class is published. */
  term: LawFactor;
}

/** Method for the intervals of power laws and linear models. */
export type Intervals = 'robust' | 'percentile';

/** Law of a cost in several features together. */
export interface Joint {
  /** The law; an average if it is undecided. */
  law: Law;
  /** The laws that the data allow, by falling support. An undecided law is their average. */
  laws: JointSupport[];
  /** R² of log cost. */
  r2: number;
  /** The share of the evidence for the best structure, 0 to 1. */
  support: number;
}

/** A law in several features that the data allow. */
export interface JointSupport {
  /** The formula of the law. */
  formula: string;
  /** Its weight among the listed laws, 0 to 1. */
  support: number;
}

/** A place in the program. */
export interface JudgedPlace {
  /** The source file; empty if unknown. */
  file: string;
  /** The line on which the place begins; 0 if unknown. */
  line: number;
  /** The function's name, or `file:line`. */
  name: string;
}

/** The cost of calls of one kind by their size. */
export interface KindLaw {
  /** The formula of the best class, in the variable's name. */
  formula: string;
  /** The verdict in short: `n^2`. */
  growth: string;
  /** True if the law is a constant. */
  is_constant: boolean;
}

/** Calls of some runs. */
export interface KindOfCalls {
  /** The law of their mean cost. */
  law: KindLaw;
  /** The shares of these calls. */
  part: CallShares;
}

/** Calls from calling contexts with one growth class. */
export interface KindOfContexts {
  /** The contexts, by falling cost. */
  contexts: string[];
  /** The law of the mean cost of calls from the most expensive context. */
  law: KindLaw;
  /** The shares of all these calls together. */
  part: CallShares;
}

/** Kinds of calls, by the property that distinguishes them. */
export type Kinds =
  | {
      by: 'contexts';
      /** The kinds by growth, from slow to fast. */
      kinds: KindOfContexts[];
    }
  | {
      by: 'runs';
      /** The calls of the cheaper runs. */
      cheaper: KindOfCalls;
      /** The calls of the costlier runs. */
      costlier: KindOfCalls;
      /** The rule that distinguishes the runs: `sorted = 0 is cheaper, sorted = 1 costlier`. */
      rule?: string;
      /** The feature whose value distinguishes the runs, if there is one. */
      told_apart_by?: string;
    }
  | {
      by: 'trends';
      /** The calls of the sizes on the lower trend. */
      cheaper: KindOfCalls;
      /** The calls of the sizes on the upper trend. */
      costlier: KindOfCalls;
    }
  | {
      by: 'spread';
      /** The law of the cheapest call of each size. */
      cheapest: KindLaw;
      /** The law of the most expensive call of each size. */
      dearest: KindLaw;
      /**
       * The shares of the calls that cost about as much as the most expensive of their size. Absent if other calls
       * lie in between, or if unknown.
       */
      dearest_part?: CallShares;
    };

/** A cost as a function of features. */
export interface Law {
  /** True if the data decide for this law, or if the laws that it averages make no difference that matters. */
  decided: boolean;
  /** The features that the cost depends on. */
  features: string[];
  /** The law as text: `1.5·n^2 − 0.5·n`, `≈ 3·n`, `3·n or 2·n^2`; `log` is to base 2. */
  formula: string;
  /** The summands: one per part for a sum of parts, otherwise a single one without a name. */
  parts: LawPart[];
  /** The origin of the law. */
  source: Source;
}

/**
 * A function of one feature, or the smaller of two features. A feature is given by its position in the law's
 * `features`.
 */
export type LawFactor =
  | {
      exponent: number;
      feature: number;
      kind: 'power';
      log: boolean;
    }
  | {
      base: number;
      feature: number;
      kind: 'exponential';
    }
  | {
      base: number;
      feature: number;
      kind: 'times_exponential';
    }
  | {
      feature: number;
      kind: 'factorial';
    }
  | {
      features: [number, number];
      kind: 'least';
    }
  | {
      feature: number;
      kind: 'inverse';
    };

/** A summand of a law. */
export interface LawPart {
  /** The name of the function, or `the rest`; absent if the law has only one summand. */
  part?: string;
  /** The sums whose geometric mean by weight is the law; a single one if the law is decided. */
  sums: LawSum[];
}

/** A sum of terms. */
export interface LawSum {
  /** The growth class in `n`; absent unless the sum is a class of a single feature. */
  class?: string;
  /** The smallest size that the sum describes; absent if it describes all sizes. */
  from?: number;
  /** The terms, fastest first. */
  terms: LawTerm[];
  /** The weight of this sum in the law, 0 to 1. */
  weight: number;
}

/** A coefficient times a product; a constant has no factors. */
export interface LawTerm {
  /** The coefficient, in the unit of the cost. */
  coefficient: number;
  /** The factors that multiply the coefficient. */
  factors: LawFactor[];
}

/** `cost = a + b·feature`. */
export interface LinearModel {
  /** The cost at 0. */
  a: number;
  /** Its interval. */
  a_ci: [number, number] | null;
  /** The cost per unit of the feature. */
  b: number;
  /** Its interval. */
  b_ci: [number, number] | null;
  /** R² of the linear fit. */
  r2: number;
}

/** Numbers of counted locations. */
export interface Locations {
  /** Number of all locations. */
  total: number;
  /** Number of locations whose count differed between repetitions of one workload. */
  unstable: number;
  /** Number of locations whose cost varies enough to be clustered. */
  varying: number;
}

/** Resources that a workload took without counters. */
export interface LongestRun {
  /** Wall time of the same run, in seconds. */
  elapsed_seconds: number;
  /** Peak memory of the process in bytes, the maximum over all its runs. */
  peak_bytes: number;
  /** CPU time in seconds, the median. */
  seconds: number;
  /** Name of the workload. */
  workload: string;
}

/** The trips of a loop in one call of its function. */
export interface LoopCallTrips {
  /** True if the formula is an upper bound. */
  at_most?: boolean;
  /** Number of measured activations of outer loops that confirm the formula. */
  compared: number;
  /** The formula: `½n² − ½n`. */
  formula: string;
  /**
   * `exact` if the formula was compared with measurements or follows from exact laws: it is right at any combination
   * of its names. `fitted` if it is interpolated, and right in the runs. `symbolic` if it has symbols for unknown
   * quantities or is only an upper bound.
   */
  status: LoopStatus;
  /**
   * Names in the formula that no run varied independently: they had one value, or moved together with another name
   * in all runs. The formula holds for them as far as the code states it.
   */
  together?: string[];
}

/** The trips and the growth of a function's loops. */
export interface LoopFunctionRow {
  /** Both bounds as one expression: `n ⊕ n²` if the first is certain and the second possible. */
  bounds: string;
  /** The source file that contains the function. */
  file: string;
  /** The first line of the function. */
  line: number;
  /** The readable (demangled) name of the function. */
  name: string;
  /** The number of loops that no run entered. The bounds leave them out, with everything in them. */
  never_ran: number;
  /** Upper bound on the growth of a call, with the functions that it calls. */
  o: string;
  /** Lower bound on the growth of a call. */
  omega: string;
  /** The recurrence of a function that calls itself: `T(n) = 2·T(n/2) + n`. */
  recurrence?: string;
  /** The trips of all loops in one call; absent unless all are known. */
  trips?: string;
  /** These trips as a formula of features; absent unless each of their names has an exact relation to features. */
  trips_in_features?: string;
}

/** An input of a loop, over all runs. */
export interface LoopInputRow {
  /** True if the input can change from trip to trip. Its value is then unknown: data decide the loop. */
  changes?: boolean;
  /** The line of the enclosing loop, if the input is the counter of that loop. */
  counter_of?: number;
  /** The greatest value; absent if the input is not an integer or the loop never ran. */
  greatest?: number;
  /** The kind of input. */
  kind: string;
  /** The least value; absent if the input is not an integer or the loop never ran. */
  least?: number;
  /** The name in the program's words. */
  name: string;
  /**
   * The relation of its greatest value in a run to a feature of the runs: `≈ 0.024·bytes`; absent if no law is
   * known.
   */
  relation?: LoopRelation;
}

/** The value of a program quantity as a law of a feature of the runs. */
export interface LoopRelation {
  /**
   * The predicted value at each prediction point; `null` if the point lacks the feature or the runs are too few for
   * an interval.
   */
  at: (number | null)[];
  /** The interval of each predicted value, as for any other row; empty if the law is exact. */
  ci?: ([number, number] | null)[];
  /** Reasons to doubt the law. */
  doubts?: Doubt[];
  /** The name of the feature, or the names of several: `m, n`. */
  feature: string;
  /** The formula of the law: `n`, `m·n`, `0.0244·bytes`. */
  formula: string;
  /** The certainty of the law. */
  status: RelationStatus;
}

/** A loop of the program. */
export interface LoopRow {
  /**
   * Number of activations; exact. `null` if unknown. A loop whose trips the compiler knows is not watched, and no
   * count around it or inside it may determine its activations. A cycle with several entries is not counted.
   */
  activations: number | null;
  /** True if the loop may be skipped or left early. */
  conditional: boolean;
  /** The nesting depth; 1 for an outermost loop. */
  depth: number;
  /** The source file that contains the loop. */
  file: string;
  /** The readable (demangled) name of the function. */
  function: string;
  /** The most trips of an activation; exact. */
  greatest: number;
  /** The trips in one call of the function. */
  in_call: LoopCallTrips;
  /**
   * The relation of all trips in a run to a feature of the runs, independent of the names in the loop's own formula;
   * absent if no law is known.
   */
  in_run?: LoopRelation;
  /** The inputs that decide the trips. */
  inputs: LoopInputRow[];
  /**
   * The last line of the loop, for drawing. It follows from the indentation of the source, or else from the last
   * loop or call inside.
   */
  last_line: number;
  /** The fewest trips of an activation; exact. */
  least: number;
  /** The line of its header. */
  line: number;
  /**
   * Number of runs in which the formula at the greatest inputs differs from the greatest number of trips. The
   * greatest inputs do not occur together there, and predictions may be wrong.
   */
  mispredicted?: number;
  /** The ordinal of the loop among the loops of its function on this line, 2 or more; absent for the first. */
  number?: number;
  /** Upper bound on the growth of one activation, with the loops and calls inside. */
  o: string;
  /** Lower bound on the growth of one activation. */
  omega: string;
  /** The line of the enclosing loop. */
  parent?: number;
  /**
   * The predicted trips of the activation with the greatest inputs at each prediction point. They follow from the
   * formula and the relations; empty if these are unknown.
   */
  predicted?: (number | null)[];
  /** The share of activations whose inputs were kept; absent if all were. */
  sampled?: number;
  /**
   * The largest share of all activations with other trips than the formula gives, at 95 % confidence. Set for a
   * sampled loop whose formula is right at all kept activations.
   */
  sampled_error?: number;
  /** The trips of all activations; exact. `null` if they were not counted. */
  total: number | null;
  /** The trips in one activation. */
  trips: LoopTrips;
}

/** The certainty of a loop's trips. */
export type LoopStatus = 'exact' | 'fitted' | 'constant' | 'symbolic' | 'unknown';

/** The trips of a loop in one activation. */
export interface LoopTrips {
  /** True if another formula, equally simple, fits as well because inputs were always equal. */
  ambiguous?: boolean;
  /** An upper bound that the trips never exceeded, if there is no formula. */
  bound?: string;
  /** The formula in the inputs; a value below 0 means no trips. Absent if unknown. */
  formula?: string;
  /** Number of these combinations at which the formula is wrong. */
  off: number;
  /** The first combinations at which the formula is wrong. */
  off_points?: OffPoint[];
  /** Number of different input combinations observed. */
  points: number;
  /**
   * Trips that the code states, and that an activation contradicts: a counter that wraps around, or a value that is
   * changed elsewhere. Absent if there is no contradiction.
   */
  refuted?: string;
  /** The certainty of the trips. */
  status: LoopStatus;
}

/**
 * A faster-growing part that is too small to be seen at the sizes that were run. With it, a run of size `x` costs `(1
 * − share)·law(x) + cost·term(x) / term(size)`.
 */
export interface MayHide {
  /** Its growth class, in `n`. */
  class: string;
  /** Its maximum cost at that size: the upper end of a 95 % interval. */
  cost: number;
  /** The probability that the cost has such a part, 0 to 1. */
  probability: number;
  /** Size of a run that would show it; `null` if no affordable run would. */
  rules_out: number | null;
  /** This cost as a share of the whole cost there, 0 to 1. */
  share: number;
  /** The largest size that was run. */
  size: number;
  /** The term of that class. */
  term: LawFactor;
}

/** A location in a cluster. */
export interface Member {
  /** The compiler's number of the block within its function. */
  block: number;
  /** Path of the source file. */
  file: string;
  /** The function's name for people. */
  function: string;
  /** The block's first line. */
  line: number;
  /** All of its lines in `file`. */
  lines: number[];
  /** The greatest cost in any workload. */
  max_cost: number;
  /** The location's name, unique in the study. */
  name: string;
  /** True if the file is the user's own: below the study's root. */
  own: boolean;
  /** R² of the linear fit to the representative. */
  r2: number;
  /** True if its count differed between repetitions of one workload. */
  unstable?: boolean;
}

/** Reason not to trust a prediction of peak memory. */
export type MemoryDoubt =
  | 'steps'
  | 'faster'
  | {
      may_step: number;
    };

/** The line that the answer names because it holds memory. */
export interface MemoryHolder {
  /** The feature that this growth is in; `null` if the growth is undecided. */
  feature: string | null;
  /** The function; empty if unknown. */
  function: string;
  /**
   * The growth class of its maximum bytes. If the class is undecided but certainly faster than the input, the
   * slowest and the fastest class; `null` if unknown.
   */
  growth: string | null;
  /** The line's name, as in `MemoryLine::name`. */
  name: string;
  /** Its share of the bytes at the heap's peak, in the run with the highest peak, 0 to 1. */
  share: number;
  /** Its predicted maximum bytes at one moment at the answer's target, as in its row; absent without a prediction. */
  then?: Outlook;
}

/** Memory that a line allocated. Each row has the numbers of whole runs. */
export interface MemoryLine {
  /** Number of its allocations. */
  allocations: Row;
  /** Total bytes of all allocations. */
  asked: Row;
  /** Bytes that were allocated at the heap's peak, when the program had the most allocated. */
  at_peak: Row;
  /** The source file; empty if unknown. */
  file: string;
  /** The function; empty if unknown. */
  function: string;
  /** Bytes that were still allocated when the program ended. */
  left: Row;
  /** The line number; 0 if unknown. */
  line: number;
  /** Maximum bytes that were allocated at one moment. */
  most: Row;
  /** `file:line`; the function's name if lines are unknown, and `other code` for code that is not the program's own. */
  name: string;
}

/**
 * Peak memory of the process at a point: the most that is resident at one moment, including code, stack and memory
 * that the allocator keeps.
 */
export interface MemoryOutlook {
  /**
   * Curves given by these four numbers. Beyond the largest run, memory lies above the lowest of the first list and
   * below the highest of the second.
   */
  bounds: [[number, number, number, number][], [number, number, number, number][]];
  /** The predicted peak in bytes. */
  bytes: number;
  /** Interval of that peak. */
  ci: [number, number];
  /** Bytes that every run takes. */
  constant: number;
  /** Reasons not to trust the prediction; empty if there are none. */
  doubts: MemoryDoubt[];
  /** The exponent of that power. */
  exponent: number;
  /**
   * The largest sizes within the amounts of memory of `Options::within`(crate::Options::within) and the memory of
   * that machine, by rising amount, for those amounts that some run takes.
   */
  fits: FittingSize[];
  /** The largest size, in two digits, whose run fits into that machine; `null` if memory does not grow. */
  fits_up_to: number | null;
  /**
   * Sizes that were run, ascending, each with the ends of the interval of its bytes. Between sizes, memory lies
   * between the lower end of the next smaller size, or 0, and the upper end of the next larger one.
   */
  known: [number, number, number][];
  /** The memory of the target machine, in bytes; `null` if unknown. */
  machine_bytes: number | null;
  /** Additional bytes per unit of a power of the size; 0 if a line fits. */
  per_power: number;
  /** Additional bytes per unit of the size. */
  per_unit: number;
}

/** Growth of a cost with one feature. */
export interface Model {
  /** The cost divided by growth classes, from slow to fast; only for costly rows. */
  bounds?: Bound[];
  /** Doubts about this model. */
  doubts: Doubt[];
  /** The feature's name. */
  feature: string;
  /**
   * The growth class. `null` if the data allow none, for which a doubt gives the reason; also for a function, line
   * or block that never takes 0.1 % of a run.
   */
  growth: GrowthModel | null;
  /** `a + b·f`; `null` if the data allow none. */
  linear: LinearModel | null;
  /**
   * The runs that would decide the verdict or widen a narrow range. Only for the total and, in each feature, for the
   * eight costliest clusters that some runs would help; clusters before these have a reason why no runs would help
   * them.
   */
  next?: NextRuns;
  /** `a·f^b`; `null` if the data allow none, for which a doubt gives the reason. */
  power_law: PowerLawModel | null;
  /**
   * Predictions at ascending values of the feature, by the best growth class, or by the power law if there is no
   * class.
   */
  predictions: Prediction[];
  /** The largest size at which the row ran, if it did in nearly all runs up to there and in none beyond. */
  runs_until?: number;
  /** The origin of the law in this feature, see `Model::law`; `null` if it has none. */
  source: Source | null;
  /** The two trends that the workloads follow, if they do. */
  split?: Split;
}

/** Further runs that would reveal more about a cost. */
export interface NextRuns {
  /** The expected cost of one run of the whole program at each size. */
  costs: number[];
  /** True if these runs are expected to decide the verdict, whichever of its classes is right. */
  decides: boolean;
  /** Name of the feature. */
  feature: string;
  /** Number of different inputs to run at each size. */
  inputs: number;
  /** The advice as a sentence. */
  message: string;
  /** Its values to run, ascending. */
  sizes: number[];
}

/** A combination of inputs at which a formula is wrong. */
export interface OffPoint {
  /** The trips according to the formula; absent if the formula has no value. */
  expected: number | null;
  /** The inputs, in order. */
  inputs: number[];
  /** The trips; the fewest if activations differ. */
  trips: number;
}

/** `cost = a + b·n^c`, by least squares. */
export interface OffsetPowerModel {
  /** The cost at 0. */
  a: number;
  /** The coefficient of the power. */
  b: number;
  /** The exponent of the size. */
  c: number;
  /** The R² in the original domain. */
  r2: number;
}

/** The only function that calls another one. */
export interface OnlyCaller {
  /** Path of that function's source file. */
  file: string;
  /** Name of the calling function. */
  name: string;
}

/** A target that no run reaches within a day. */
export interface OutOfReach {
  /** The requested target, or ten times the measured sizes. */
  asked: number;
  /** True if the rate is assumed because nothing was timed. */
  is_assumed: boolean;
  /** The largest size that both versions run within a day. */
  largest: number;
  /** Seconds per unit of cost. */
  rate: number;
  /** Seconds that the slower version takes at the target; `null` if too large for a number. */
  seconds: number | null;
}

/** The outcome of a comparison. */
export type Outcome = 'holds' | 'regressed' | 'improved' | 'cannot_tell';

/** The reason for the outcome of a comparison. */
export type OutcomeReason =
  | {
      kind: 'few_shared';
      /** The minimum number of shared workloads. */
      needed: number;
    }
  | {
      kind: 'no_prediction';
    }
  | {
      kind: 'no_factor';
      /** The least ratio of a run. */
      least: number;
      /** The greatest ratio of a run. */
      most: number;
    }
  | {
      kind: 'open';
    }
  | {
      kind: 'cost';
    }
  | {
      kind: 'growth';
    }
  | {
      kind: 'seconds';
    }
  | {
      kind: 'memory';
    }
  | {
      kind: 'same';
    };

/** A run that is far off the law. */
export interface Outlier {
  /** Measured ÷ law. Above 1, the run costs more than the law predicts. */
  ratio: number;
  /** Distance from the middle as a multiple of `Scatter::sigma`. */
  sigmas: number;
  /** Name of the workload. */
  workload: string;
}

/** Predicted cost of a row at a point. */
export interface Outlook {
  /** Its interval; `null` if it has none. */
  ci: [number, number] | null;
  /** The cost that the law predicts. */
  cost: number;
  /** The law that predicts it. */
  source: Source;
}

/** A cluster that another one overtakes. */
export interface Overtaking {
  /** The feature's value at which the two models cross. */
  at: number;
  /** The name of the overtaken cluster's representative. */
  cluster: string;
  /** The feature whose growth causes it. */
  feature: string;
  /** The overtaken cluster's rank by maximum cost. */
  rank: number;
}

/** The pace of a row, as a reason to name it. */
export type Pace = 'fast' | 'open' | 'slow';

/** Counts of a part of the time. */
export interface PartCounts {
  /** Its cost in the longest sampled run. */
  cost: number;
  /** The function, by its position in `Findings::functions`. */
  function: number;
}

/** Basis of a part's predicted growth. */
export type PartGrowth = 'counts' | 'samples' | 'whole';

/** Parts that add up to the predicted whole. */
export interface Parts {
  /** Name of the feature. */
  feature: string;
  /** The files of these functions. */
  files: string[];
  /** The functions that may cost most at the furthest size, in that order. The rest of the program is one more part. */
  functions: string[];
}

/** Point at which costs are predicted. */
export interface Point {
  /** True if the user asked for it. */
  asked: boolean;
  /** One value per feature of the study that has one there, in declared order. */
  values: Coordinate[];
}

/** `cost = a·feature^b`. */
export interface PowerLawModel {
  /** The coefficient `a`. */
  a: number;
  /** Interval of `a`; `null` if too few resamples could be fitted. */
  a_ci: [number, number] | null;
  /** The exponent `b`. */
  b: number;
  /** Its interval. */
  b_ci: [number, number] | null;
  /** Number of workloads left out because the cost or the feature is zero (or the feature is missing). */
  ignored_zeros: number;
  /** Number of workloads in the fit. */
  points: number;
  /** R² in the log domain. */
  r2: number;
  /** Number of different values of the feature among them. */
  sizes: number;
  /** The greatest of these values divided by the least. */
  span: number;
}

/** A cost at a size that may never have been run. */
export interface Prediction {
  /** True if the user asked for this value; otherwise it is 2 or 10 times the 95th percentile. */
  asked?: boolean;
  /** Value of the feature. */
  at: number;
  /**
   * Its interval. For a growth class, it includes the doubt between the classes; `null` if one of them leaves it
   * without an upper end.
   */
  ci: [number, number] | null;
  /** The cost that the law predicts. */
  cost: number;
  /** The law that predicts it. */
  source: Source;
}

/** The program that was studied. */
export interface Program {
  /** Name of the program. */
  name: string;
}

/** The certainty of a relation to a feature. */
export type RelationStatus = 'exact' | 'decided' | 'several' | 'undecided';

/** A line that explains the calls of a function. */
export interface Repeating {
  /** Path of the source file. */
  file: string;
  /** The function that contains the line. */
  function: string;
  /** Number of the line. */
  line: number;
}

/** Representative that the members of a cluster are compared with. */
export interface Representative {
  /** The kind of representative. */
  kind: RepresentativeKind;
  /** The feature's name, or the location's as `file:line`. */
  name: string;
}

/** Kind of a cluster's representative. */
export type RepresentativeKind = 'feature' | 'location';

/** The time or memory of the largest run that was measured in both versions. */
export interface Resource {
  /** The value after the change. */
  after: number;
  /** The value before the change. */
  before: number;
  /** The effect of the change. A difference within the scatter of such measurements counts as no change. */
  effect: Effect;
  /** The name of the run. */
  workload: string;
}

/** CPU time and memory, before and after. */
export interface Resources {
  /**
   * Peak memory in bytes. It comes from runs with counters if no run without counters was measured in both versions.
   * Absent if no run was measured in both.
   */
  memory?: Resource;
  /** CPU time in seconds; absent if no run was timed in both versions. */
  seconds?: Resource;
  /** The uncounted code that takes most of the time, before and after; `null` if none was seen. */
  uncounted: [Uncounted | null, Uncounted | null];
}

/** A row with its law. */
export interface Row {
  /**
   * Lines that call the function, by falling number of calls; lines without a count come last. Empty if calls were
   * not recorded, or if the row is not a function.
   */
  callers?: CallingLine[];
  /** Path of the source file. */
  file: string;
  /** The law of the cost in several features together; absent if one feature explains as much. */
  joint?: Joint;
  /** The law of the cost; `null` if unknown. */
  law: Law | null;
  /** Its first line in the file. */
  line: number;
  /** The greatest cost in any workload. */
  max_cost: number;
  /** The greatest share of a workload's total, 0 to 1. */
  max_share: number;
  /** One model per feature. */
  models: Model[];
  /** Number of calling lines that `callers` leaves out. */
  more_callers?: number;
  /** The function's name, `file:line`, or the location's name. */
  name: string;
  /** The user's note on the function. */
  note?: string;
  /**
   * The only function whose lines call this one in the costliest run, apart from itself. Absent if there are
   * several, or if the known calls do not account for the function's entries.
   */
  only_caller?: OnlyCaller;
  /** The predicted costs at `Findings::points`, by its law; `null` if unknown. */
  outlooks: (Outlook | null)[];
  /**
   * The share of the cost today, 0 to 1: its law ÷ the whole's law, in the run where the latter is greatest.
   * Measured in the costliest workload instead if one of them has no law.
   */
  share_now: number;
  /**
   * The share of the costliest workload's total, 0 to 1. It leaves startup costs out, which matter only in small
   * runs.
   */
  share_of_largest: number;
}

/** A limit for a run. */
export type RunLimit =
  | {
      seconds: number;
    }
  | {
      bytes: number;
    };

/** A run with samples. */
export interface SampledRun {
  /** Number of further samples whose places are unknown. */
  lost: number;
  /** Its CPU time in seconds while it was sampled, which takes a little longer. */
  sampled_seconds: number;
  /** Number of samples of its time in user mode. */
  samples: number;
  /** Its CPU time in seconds, without sampling. */
  seconds: number;
  /** Name of the workload. */
  workload: string;
}

/** Scatter of the runs' costs about the law of the whole, and the runs that are far off. */
export interface Scatter {
  /** Distance from the middle, in sigmas, beyond which a run is an outlier. */
  limit: number;
  /** The median of measured ÷ law. */
  middle: number;
  /** The outliers, the furthest first. */
  outliers: Outlier[];
  /** The scatter in the log domain: 1.4826 times the median absolute deviation, which outliers do not inflate. */
  sigma: number;
}

/** A row with its law. */
export interface SeriesModel {
  /** The law of the cost in several features together; absent if one feature explains as much. */
  joint?: Joint;
  /** The law of the cost; `null` if unknown. */
  law: Law | null;
  /** One model per feature. */
  models: Model[];
  /**
   * `a + b·n^c`; absent for fewer than three sizes, for several variables, and for a place that is too cheap for a
   * growth class.
   */
  offset_power?: OffsetPowerModel;
}

/** The cost of a place by the size of its input. */
export interface SeriesRow {
  /** The amount that cheap calls pay for expensive ones; only for sizes in one variable. */
  amortized: Amortized;
  /** The mean cost of the calls at each size. */
  average: SeriesModel;
  /** The least cost of a call at each size. */
  best: SeriesModel;
  /**
   * Standard deviation of a call's cost about the mean of its size, as a share of that mean. It covers all sizes
   * with several calls. Absent if no size has several calls, or if the profiler does not report it. It determines
   * the weights of the averages.
   */
  call_scatter?: number;
  /** The callers, for costs in one calling context. */
  context?: string;
  /** Number of executions; for a routine, of calls. */
  count: number;
  /** The share of the executions of all places of its kind. */
  count_share: number;
  /**
   * The share of its input that the kernel wrote, such as data read from a file; absent if the profiler does not
   * report it.
   */
  kernel_input?: number;
  /** The kind of place: `routine`. */
  kind: string;
  /** Kinds of calls with different laws; absent if the data do not show several kinds. */
  kinds?: Kinds;
  /** The greatest cost of a call. */
  max_cost: number;
  /** The name of the place. */
  name: string;
  /** The program or library that contains the place. */
  object: string;
  /**
   * The cost of the calls that are not nested in another call of the routine; absent if the profiler does not report
   * it.
   */
  outermost_sum?: number;
  /** The mean cost of the calls at each size, without callees; absent if the profiler does not report it. */
  own?: SeriesModel;
  /**
   * The cost of all calls of a run without callees, so that costs of callers are sums. Absent without features, or
   * if the profiler does not report it.
   */
  own_runs?: SeriesModel;
  /**
   * The cost of all calls of a run, including callees, by the features of the runs; absent for a study without
   * features.
   */
  runs?: SeriesModel;
  /** The share of the program's cost that the routine took without callees. */
  self_share?: number;
  /** The cost of all calls without callees; absent if the profiler does not report it. */
  self_sum?: number;
  /** The share of the program's cost that the routine took, including callees. */
  share: number;
  /** Number of different sizes over all workloads. */
  sizes: number;
  /**
   * The cost of all calls, including callees. If a call of the routine is nested in another one, its cost counts in
   * both.
   */
  sum: number;
  /** The share of its input that other threads wrote; absent if the profiler does not report it. */
  thread_input?: number;
  /** The measurements, by ascending size; absent unless the findings are for this place alone. */
  tuples?: Tuple[];
  /** The unit of costs. */
  unit: string;
  /** The measures of input size: `rms`, `drms`. */
  variables: string[];
  /** The greatest cost of a call at each size. */
  worst: SeriesModel;
}

/**
 * The rows whose laws, as shown, grow faster than `n log n` or may do so. Poor laws are included, as they are shown
 * too.
 */
export interface ShownPaces {
  /** Their positions in `Findings::clusters`. */
  clusters: [number, Pace][];
  /** Their positions in `Findings::functions`. */
  functions: [number, Pace][];
}

/** A row of one version. */
export interface Side {
  /** The interval of the cost. */
  ci: [number, number] | null;
  /**
   * The cost at the target by the row's own law, as its study shows it. If the shared runs have no range, the mean
   * cost of these runs. 0 if the version lacks the row.
   */
  cost: number;
  /** The growth in short; empty if unknown. */
  growth: string;
  /** The greatest cost in a workload. */
  max_cost: number;
}

/** The origin of a law or a prediction. */
export type Source = 'class' | 'classes' | 'power_law' | 'joint' | 'sum_of_parts' | 'largest_part';

/** Two trends in the points of one model. */
export interface Split {
  /** The rule that separates the trends in words, such as `sorted ≤ 0` or a part of the workloads' names. */
  rule: string | null;
  /** The feature whose value separates the trends, if one does. */
  told_apart_by: string | null;
  /** The trends, the cheaper one first. */
  trends: Trend[];
}

/** The reason why no single place decides. */
export type Spread = 'small_fast' | 'fast_group' | 'whole_fast' | 'all_small';

/** Reason not to trust a predicted time. */
export type TimeDoubt = 'short' | 'scattered' | 'cache' | 'undecided' | 'disturbed';

/** Predicted CPU time at a point. */
export interface TimeOutlook {
  /** Interval of that time. */
  ci: [number, number];
  /**
   * The largest size, in two digits, whose run takes at most a day. `null` if the point gives several sizes, or if
   * no run takes longer.
   */
  day_up_to: number | null;
  /** Reasons not to trust the prediction; empty if there are none. */
  doubts: TimeDoubt[];
  /** Wall time ÷ CPU time in that run. */
  elapsed: number;
  /** The meaning of that ratio. */
  elapsed_is: Elapsed;
  /**
   * The largest sizes within the times of `Options::within`(crate::Options::within), for those times that some run
   * takes. Empty if the point gives several sizes.
   */
  fits: FittingSize[];
  /** The law for other sizes. */
  law: TimeTerms;
  /** The time of the longest timed run, in seconds of CPU time. */
  longest: number;
  /** The predicted time in seconds. */
  seconds: number;
}

/** A part of the time. */
export interface TimePart {
  /** True if its time grew differently between the two sampled runs than its counts did. */
  contradicted: boolean;
  /** The counts that it grows like; absent if it grows by samples, or like the whole. */
  counts?: PartCounts;
  /** The function's source file; empty for other parts. */
  file: string;
  /** The basis of its predicted growth. */
  growth: PartGrowth;
  /**
   * True if the study's counts cover its work. callgrind counts the work of libraries, and attributes it to the
   * lines that call them.
   */
  is_counted: boolean;
  /** The kind of part. */
  kind: TimePartKind;
  /** The function's line with the most samples; 0 if unknown. */
  line: number;
  /** The name of the function or library; empty for the kernel. */
  name: string;
  /** The power of the size by which its share of the time grows; absent if it grows by counts, or like the whole. */
  power?: number;
  /** Its CPU time in the run, in seconds. */
  seconds: number;
  /** Its CPU time at the target, in seconds. */
  seconds_then: number;
  /** Its share of the CPU time of the run, 0 to 1. */
  share: number;
  /** The standard error of that share, from the number of samples. */
  share_error: number;
  /** Its share in the smaller run; `null` if only one run was sampled. */
  share_smaller: number | null;
  /** Its share of the time at the target. */
  share_then: number;
}

/** Kind of a part of the time. */
export type TimePartKind = 'function' | 'library' | 'kernel';

/** Breakdown of the time of one run, and of the time at the target. */
export interface TimeParts {
  /** The cost of the whole program in the longest run. */
  counts: number;
  /** The parts by falling seconds at the target. */
  rows: TimePart[];
  /** The longest sampled run, which `share` refers to. */
  run: SampledRun;
  /** The size of that run; `null` if there is no single size, and counts replace it. */
  size: number | null;
  /** A shorter run, which shows how parts without counts grow; absent if only one was sampled. */
  smaller?: SampledRun;
}

/**
 * The terms of a `TimeLaw`. A run of size x with C counts takes `startup` plus the geometric mean of
 * `rate · C · (C ÷ counts)^(kept_drift · drift)` and `power[0] · x^power[1]`.
 */
export interface TimeTerms {
  /**
   * The point from which the working set leaves a cache of the machine and the time is not to be trusted; `null` if
   * it leaves none.
   */
  cache: CacheStep | null;
  /** The counts of that run. */
  counts: number;
  /** The exponent with which the rate grows with the counts, 0 to 0.5. */
  drift: number;
  /** The fraction of the drift that continues beyond the largest run. */
  kept_drift: number;
  /**
   * The relative margin of the interval at both ends, beyond the difference between no drift, full drift and the
   * power law.
   */
  margin: number;
  /** Ratio of the ends of the counts' interval above which the time is undecided. */
  open: number;
  /**
   * Coefficient and exponent of the longest runs' times beyond the startup, over the size. `null` if the point gives
   * several sizes, or if the counts outgrow every power of it.
   */
  power: [number, number] | null;
  /** Seconds per count beyond the startup, in the largest run. */
  rate: number;
  /** Seconds that every run takes, whatever its counts. */
  startup: number;
}

/** A row with its law. */
export interface Total {
  /** The law of the cost in several features together; absent if one feature explains as much. */
  joint?: Joint;
  /** The law of the cost; `null` if unknown. */
  law: Law | null;
  /** The greatest cost in any workload. */
  max_cost: number;
  /** One model per feature. */
  models: Model[];
  /** The predicted costs at `Findings::points`, by its law; `null` if unknown. */
  outlooks: (Outlook | null)[];
  /**
   * The features in which predictions are sums of the functions' costs: all features if the program has several
   * functions.
   */
  parts?: Parts[];
  /** The scatter of the runs about its law; `null` without a law. */
  scatter: Scatter | null;
}

/** The workloads of one trend, and its models. */
export interface Trend {
  /** The growth class of these workloads alone. */
  growth: GrowthModel | null;
  /** `a·f^b`, fitted to these workloads alone. */
  power_law: PowerLawModel | null;
  /** Names of the workloads, in the study's order. */
  workloads: string[];
}

/** All executions of a place at one size, over all workloads. */
export interface Tuple {
  /** Number of executions at this size. */
  count: number;
  /** The greatest cost of an execution. */
  max: number;
  /** The least cost of an execution. */
  min: number;
  /**
   * The cost of the calls that are not nested in another call of the routine; absent if the profiler does not report
   * it.
   */
  outermost_sum?: number;
  /** The cost of all executions without callees; absent if the profiler does not report it. */
  self_sum?: number;
  /** The size, one number per variable. */
  sizes: number[];
  /** The cost of all executions. */
  sum: number;
  /** The sum of the squared costs; absent if unknown. */
  sum_of_squares?: number;
}

/** Code that is not counted. */
export interface Uncounted {
  /** The kind of code: a library or the kernel. */
  kind: TimePartKind;
  /** The name of the library; empty for the kernel. */
  name: string;
  /** The share of the CPU time of the longest sampled run, 0 to 1. */
  share: number;
}

/** A claim about the rows that an answer does not name. */
export interface Unnamed {
  /** True if no covered row grows faster than `n log n`; otherwise no covered row is known to. */
  certain: boolean;
  /**
   * True if the claim covers only large parts of the cost at the target, as a smaller part grows faster than `n log
   * n`.
   */
  large_only: boolean;
}

/** Numbers of workloads in each study, and in both. */
export interface WorkloadCounts {
  /** Number of workloads after the change. */
  after: number;
  /** Number of workloads before the change. */
  before: number;
  /** Number of workloads in both studies, with the same size. */
  shared: number;
}

/** The runs of a study. */
export interface Workloads {
  /** Number of workloads with counts. */
  count: number;
  /** Number of workloads without counts. */
  failed: number;
  /** The workloads without counts. */
  failures: Failure[];
  /** The run without counters that took longest; absent if all runs had counters. */
  longest?: LongestRun;
}
