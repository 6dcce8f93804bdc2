//! Warnings as data: what users should know before they trust a result.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A warning about doubtful data or results, with advice.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Warning {
    /// A stable machine-readable word such as `names_cut`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub kind: WarningKind,
    /// Message for the user: the finding, its meaning, and advice.
    pub message: String,
}

impl Warning {
    /// Creates a warning of the given kind.
    pub fn new(kind: WarningKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// Returns a warning about the named workloads, which are no longer configured; `None` if there are none.
    pub fn of_retired<'n>(mut names: impl Iterator<Item = &'n str>) -> Option<Self> {
        let first = names.next()?;
        let message = match names.count() {
            0 => format!(
                "workload {first} does not count, because it is no longer configured; its runs stay in the \
                 study"
            ),
            more => format!(
                "{} workloads, such as {first}, do not count, because they are no longer configured; their \
                 runs stay in the study",
                more + 1
            ),
        };
        Some(Self::new(WarningKind::Retired, message))
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $word:literal,)*) => {
        /// The kind of a warning.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(from = "String", into = "String")]
        pub enum WarningKind {
            $($(#[$doc])* $kind,)*
            /// A kind from a study that another version wrote.
            Other(String),
        }

        impl WarningKind {
            /// Returns the stable machine-readable word, such as `names_cut`.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$kind => $word,)*
                    Self::Other(word) => word,
                }
            }
        }

        impl From<String> for WarningKind {
            fn from(word: String) -> Self {
                match word.as_str() {
                    $($word => Self::$kind,)*
                    _ => Self::Other(word),
                }
            }
        }
    };
}

impl WarningKind {
    /// Returns true for kinds about features. They are checked again when features are declared.
    pub(crate) fn is_of_features(&self) -> bool {
        self.as_str().starts_with("feature_")
    }
}

impl From<WarningKind> for String {
    fn from(kind: WarningKind) -> Self {
        kind.as_str().to_owned()
    }
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

// In alphabetical order, which is the order of warnings in a study.
kinds! {
    /// A benchmark of the imported file failed.
    BenchmarkFailed = "benchmark_failed",
    /// Parts of a program were built with options that differ from this build's.
    BuiltOtherwise = "built_otherwise",
    /// Calls were nested too deeply to record.
    CallsTooDeep = "calls_too_deep",
    /// The counters of a function contradict each other.
    ContradictoryCounters = "contradictory_counters",
    /// The program has counters, and callgrind counts their instructions as well.
    CountedCounters = "counted_counters",
    /// The program can end without writing its counters.
    EndsUncounted = "ends_uncounted",
    /// Workloads were left out at the user's request.
    Excluded = "excluded",
    /// A run ended with an exit code that is accepted, but not 0.
    ExitCode = "exit_code",
    /// Compiled extension modules were not counted.
    ExtensionsNotCounted = "extensions_not_counted",
    /// Some runs have no value of a feature.
    FeatureMissing = "feature_missing",
    /// A feature can only be measured by new runs.
    FeatureNeedsRuns = "feature_needs_runs",
    /// The pattern of a feature matched in no run.
    FeatureNeverMatched = "feature_never_matched",
    /// The value of a feature is not a number.
    FeatureNotANumber = "feature_not_a_number",
    /// There are more features than can be analyzed.
    FeaturesLeftOut = "features_left_out",
    /// The formulas cannot be evaluated, so there is no time predicted from them.
    Formulas = "formulas",
    /// The imported file only says whether a line was executed.
    HitOrMiss = "hit_or_miss",
    /// The costs of some routines are incomplete.
    IncompleteCosts = "incomplete_costs",
    /// Everything was up to date and instrumented by an earlier build.
    InstrumentedBefore = "instrumented_before",
    /// A routine outlived its caller.
    InterleavedCalls = "interleaved_calls",
    /// Processes of a run were still running when it ended.
    LeftProcesses = "left_processes",
    /// The imported file lacks lines.
    LinesMissing = "lines_missing",
    /// Loops have counts, but the code outside them has none.
    LoopsAlone = "loops_alone",
    /// Programs of the study have different loops.
    LoopsDiffer = "loops_differ",
    /// The record of a loop is incomplete.
    LoopsUnfinished = "loops_unfinished",
    /// The compiler's notes were lost.
    LostNotes = "lost_notes",
    /// Processes ended without counts.
    LostProcesses = "lost_processes",
    /// There were too many calling contexts.
    ManyContexts = "many_contexts",
    /// Memory could not be assigned to lines.
    MemoryByLine = "memory_by_line",
    /// Some workloads have no value of a feature.
    MissingFeatureValues = "missing_feature_values",
    /// The compiler's notes of some counters are missing.
    MissingNotes = "missing_notes",
    /// Long names were cut.
    NamesCut = "names_cut",
    /// A program or library has no line information, so its costs are known only by function.
    NoLines = "no_lines",
    /// Parts of the program have no counts.
    NotCounted = "not_counted",
    /// Parts of the program are not probed.
    NotProbed = "not_probed",
    /// A module could not be rewritten with counters.
    NotRewritten = "not_rewritten",
    /// The time of a run was not sampled.
    NotSampled = "not_sampled",
    /// Some workloads were not timed.
    NotTimed = "not_timed",
    /// The build instrumented no source.
    NothingInstrumented = "nothing_instrumented",
    /// Only a configuration step compiled something, and no program exists yet.
    OnlyConfigured = "only_configured",
    /// Runs were made with another build.
    OtherBuild = "other_build",
    /// Copies of a function have different loops, and only the copy that ran most is kept.
    OtherLoops = "other_loops",
    /// A part of the program has the probe of another trend-prof version.
    OtherProbe = "other_probe",
    /// Two objects wrote their counters into the same file.
    OverwrittenCounters = "overwritten_counters",
    /// Installed packages were not counted.
    PackagesNotCounted = "packages_not_counted",
    /// A record is incomplete because the disk was full.
    RecordCutOff = "record_cut_off",
    /// Workloads are no longer configured.
    Retired = "retired",
    /// Only a part of a loop's inputs was recorded.
    SampledInputs = "sampled_inputs",
    /// Several objects share the compiler's notes.
    SharedNotes = "shared_notes",
    /// Several workloads write the same file.
    SharedOutputFile = "shared_output_file",
    /// Counters make the program much slower.
    SlowCounters = "slow_counters",
    /// A source file could not be probed.
    SourceNotProbed = "source_not_probed",
    /// There are more loops than can be recorded.
    TooManyLoops = "too_many_loops",
    /// The imported file has no total to check its costs against.
    UncheckedTotal = "unchecked_total",
    /// Objects were linked that have no counters.
    UncountedObjects = "uncounted_objects",
    /// Some counts do not follow from the counters.
    UndeterminedCounters = "undetermined_counters",
    /// The last `run` was interrupted, or the file was copied while it was written.
    Unfinished = "unfinished",
    /// The imported file ends in the middle of a line.
    UnfinishedLine = "unfinished_line",
    /// The inlined functions of a program are unknown.
    UnknownInlining = "unknown_inlining",
    /// An expression names a location that does not exist.
    UnknownLocation = "unknown_location",
    /// A named routine does not exist.
    UnknownRoutine = "unknown_routine",
    /// The imported file has an unknown version.
    UnknownVersion = "unknown_version",
    /// An input is not used by the command.
    UnusedInput = "unused_input",
    /// A parameter is not used by the command.
    UnusedParameter = "unused_parameter",
    /// Too many threads ran at once.
    UnwatchedThreads = "unwatched_threads",
}
