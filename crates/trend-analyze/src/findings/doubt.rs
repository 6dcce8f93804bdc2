//! Reasons why a law or a study may be misleading, as data. `doubts/words.rs` has the sentences, which no code reads.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use trend_model::{Diagnosis, FitError, GrowthClass};
use trend_profile::{Warning, WarningKind};

/// Name of a feature, shared by many doubts.
pub type FeatureName = Arc<str>;

/// A doubt with its numbers. Published as its kind, its numbers and a sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "PublishedDoubt")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(from = "PublishedDoubt"))]
pub enum Doubt {
    /// The feature has no power law, and so no law at all.
    NoLaw {
        /// The feature without a law.
        feature: FeatureName,
        /// The reason why there is none.
        why: Unfit,
    },
    /// The feature has no growth class.
    NoGrowth {
        /// The feature without a class.
        feature: FeatureName,
        /// The reason why there is none.
        why: Unfit,
    },
    /// The model has few points.
    FewPoints {
        /// Number of points that there are.
        points: usize,
        /// True if its intervals are too narrow for so few points, as with the percentile bootstrap.
        narrow: bool,
    },
    /// The feature hardly varies over the points, or over all workloads.
    NarrowRange {
        /// Name of the feature.
        feature: FeatureName,
        /// The greatest value divided by the least.
        span: f64,
        /// True if the doubt is about the whole study.
        of_study: bool,
    },
    /// Workloads without a cost or with a size of zero are left out.
    IgnoredZeros {
        /// Name of the feature.
        feature: FeatureName,
        /// Number of workloads that are left out.
        workloads: usize,
    },
    /// The row ran in no workload beyond a size.
    EndsEarly {
        /// Name of the feature.
        feature: FeatureName,
        /// The largest size at which it ran.
        until: f64,
    },
    /// The law exceeds the largest floating-point number.
    BeyondReach {
        /// Name of the feature.
        feature: FeatureName,
        /// The size at which it does.
        at: f64,
        /// The law's growth class.
        class: GrowthClass,
    },
    /// The residuals have a pattern.
    Diagnosed {
        /// The feature that the residuals are plotted over.
        feature: FeatureName,
        /// The pattern that was found.
        diagnosis: Diagnosis,
        /// A better explanation of the cost, if one is known.
        better: Option<Box<Explanation>>,
    },
    /// The user asked for a model in several features, and none was found.
    NoJoint {
        /// The requested features.
        features: Vec<FeatureName>,
        /// The reason why there is none.
        why: NoJoint,
    },
    /// The measured cost at a size differs from the law's.
    OffWhatWasMeasured {
        /// Name of the feature.
        feature: FeatureName,
        /// The size at which it was measured.
        at: f64,
        /// The measured cost as a multiple of the law's.
        factor: f64,
    },
    /// The largest runs cost more or less than the law predicts.
    OffAtTheLargest {
        /// Name of the feature.
        feature: FeatureName,
        /// The size of these runs.
        largest: f64,
        /// The measured cost as a multiple of the law's.
        factor: f64,
    },
    /// Rows are left out of the findings because there are too many.
    RowsLeftOut {
        /// The kind of rows.
        rows: &'static str,
        /// Number of rows that are left out.
        count: usize,
    },
    /// Rows have no growth class because there are too many.
    ClassesLeftOut {
        /// The kind of rows.
        rows: &'static str,
        /// Number of rows without a class.
        count: usize,
    },
    /// Growth classes are fitted to a part of the points because there are too many.
    PointsLeftOut {
        /// The kind of points: `workloads`, or `sizes` of routines.
        points: &'static str,
        /// Maximum number of points of a row that are used.
        most: usize,
        /// Largest number of points of any row.
        all: usize,
    },
    /// Some features have no advice on further sizes because there are too many.
    AdviceLeftOut {
        /// Number of features with advice.
        advised: usize,
        /// Number of features.
        all: usize,
    },
    /// Loops of functions are left out of the findings because there are too many.
    LoopsLeftOut {
        /// Number of functions whose loops are left out.
        functions: usize,
        /// Number of these loops.
        loops: usize,
    },
    /// Members of clusters are not listed because there are too many.
    MembersLeftOut {
        /// Number of members that are not listed.
        count: usize,
    },
    /// A page has no room for all rows.
    PageLeftOut {
        /// Rows on the page: number kept, number of all, and their kind.
        shown: Vec<(usize, usize, &'static str)>,
    },
    /// One workload shows no growth.
    OneWorkload,
    /// There are few workloads.
    FewWorkloads {
        /// Number of workloads with counts.
        workloads: usize,
        /// True if intervals are too narrow for so few workloads.
        narrow: bool,
    },
    /// Some runs failed, and have no counts.
    FailedWorkloads {
        /// Number of failed runs.
        failed: usize,
        /// Number of all runs.
        all: usize,
    },
    /// Every run above some size failed, so the costs beyond it are unknown.
    LargestFailed {
        /// Name of the feature.
        feature: FeatureName,
        /// The largest size of a run that succeeded.
        largest: f64,
        /// Number of runs of larger sizes.
        failed: usize,
        /// The smallest of their sizes.
        from: f64,
        /// The outcome of the smallest of these runs, in words.
        reason: String,
        /// True if all of them were stopped at the time limit, and no other failure is known.
        timed_out: bool,
        /// The last line that the smallest of them wrote to stderr; may be empty.
        last_words: String,
    },
    /// The study has no features.
    NoFeatures,
    /// A feature has no value for some workloads.
    MissingValues {
        /// Name of the feature.
        feature: FeatureName,
        /// Number of workloads without a value.
        missing: usize,
        /// Number of all workloads.
        all: usize,
    },
    /// A feature is zero or negative for some workloads.
    NotPositive {
        /// Name of the feature.
        feature: FeatureName,
        /// Number of such workloads.
        workloads: usize,
    },
    /// A feature is the same for all workloads.
    ConstantFeature {
        /// Name of the feature.
        feature: FeatureName,
        /// Its value for every workload.
        value: f64,
    },
    /// No location's cost varies.
    NothingVaries,
    /// Repetitions of a workload have different counts.
    NotDeterministic {
        /// Number of locations that differ.
        locations: usize,
    },
    /// CPU time grows faster than the counts.
    UncountedGrowth {
        /// Exponent of CPU time over counts.
        exponent: f64,
        /// Interval of the exponent.
        ci: [f64; 2],
        /// Level of that interval.
        level: f64,
        /// Number of runs.
        runs: usize,
        /// The kind of code that is counted.
        code: CodeKind,
        /// The program's name, for the suggested command.
        program: String,
    },
    /// The longest run spent its time mostly in code without counters.
    MostlyUncounted {
        /// Its CPU time in seconds.
        seconds: f64,
        /// Its total count.
        count: f64,
        /// The kind of code that is counted.
        code: CodeKind,
        /// The program's name, for the suggested command.
        program: String,
    },
    /// A warning that was recorded when the study was made.
    Recorded(Warning),
}

/// The kind of code that is counted, which decides where work can hide from the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// Compiled code without any Rust.
    Native,
    /// Compiled code, some of it Rust.
    Rust,
    /// Python, whose builtin functions are in C.
    Python,
}

/// Reason why a row has no law or no class.
#[derive(Clone, Debug, PartialEq)]
pub enum Unfit {
    /// The code never ran.
    NeverExecuted,
    /// There are too few points or, for a growth class, too few sizes.
    TooFew {
        /// Number of points that there are.
        points: usize,
        /// Minimum number of points.
        needed: usize,
    },
    /// The feature has one value.
    ConstantFeature,
    /// The row costs little, and hardly depends on the feature.
    NotWorthIt,
    /// The costs are means over two kinds of calls, which follow two trends.
    TwoKinds,
    /// The fit failed for another reason.
    Other(FitError),
}

/// Reason why a requested model in several features does not exist.
#[derive(Clone, Debug, PartialEq)]
pub enum NoJoint {
    /// The cost depends on none of them.
    NoPart,
    /// The cost depends only on this one.
    OnePart(FeatureName),
    /// A model in one feature is as good.
    OneIsEnough,
    /// Too few workloads have values for all of them.
    TooFewWorkloads,
    /// The cost depends on all of them, but no model was found.
    NoLaw,
    /// No model could be fitted.
    Unfit(FitError),
}

/// Explanation for a cost that one law does not explain.
#[derive(Clone, Debug, PartialEq)]
pub enum Explanation {
    /// Another feature explains it.
    Feature(FeatureName),
    /// Several features in one law.
    Together(Vec<FeatureName>),
    /// Two trends, each with a separate law.
    Split {
        /// The feature that separates them, if one does.
        feature: Option<String>,
        /// The values, or the parts of workload names, that belong to each trend; `None` if neither separates them.
        rule: Option<String>,
    },
}

impl Doubt {
    /// Returns a stable identifier of the kind.
    pub fn kind(&self) -> &str {
        self.published().0
    }

    /// Returns its numbers by name, for scripts and for comparing two studies.
    pub fn numbers(&self) -> Vec<(&'static str, f64)> {
        self.published().2
    }

    /// Returns the feature that the doubt is about, if it is about one.
    pub fn feature(&self) -> Option<&str> {
        self.published().1.map(|feature| &**feature)
    }

    /// Returns its kind, its feature and its numbers.
    fn published(&self) -> (&str, Option<&FeatureName>, Vec<(&'static str, f64)>) {
        let count = |name, count: usize| vec![(name, count as f64)];
        let share = |part, some: usize, all: usize| vec![(part, some as f64), ("all", all as f64)];
        match self {
            Self::NoLaw { feature, why } => ("no_model", Some(feature), why.numbers()),
            Self::NoGrowth { feature, why } => ("no_growth", Some(feature), why.numbers()),
            Self::FewPoints { points, .. } => ("few_points", None, count("points", *points)),
            Self::NarrowRange { feature, span, .. } => ("narrow_range", Some(feature), vec![("span", *span)]),
            Self::IgnoredZeros { feature, workloads } => {
                ("ignored_zeros", Some(feature), count("workloads", *workloads))
            }
            Self::EndsEarly { feature, until } => ("ends_early", Some(feature), vec![("until", *until)]),
            Self::BeyondReach { feature, at, .. } => ("beyond_reach", Some(feature), vec![("at", *at)]),
            Self::Diagnosed { feature, diagnosis, .. } => {
                let (kind, numbers) = of_diagnosis(diagnosis);
                (kind, Some(feature), numbers)
            }
            Self::NoJoint { .. } => ("no_joint", None, Vec::new()),
            Self::OffWhatWasMeasured { feature, at, factor } => {
                ("off_what_was_measured", Some(feature), vec![("at", *at), ("factor", *factor)])
            }
            Self::OffAtTheLargest { feature, largest, factor } => {
                ("off_at_the_largest", Some(feature), vec![("at", *largest), ("factor", *factor)])
            }
            Self::RowsLeftOut { count: rows, .. } => ("rows_left_out", None, count("count", *rows)),
            Self::ClassesLeftOut { count: rows, .. } => ("classes_left_out", None, count("count", *rows)),
            Self::PointsLeftOut { most, all, .. } => {
                ("points_left_out", None, vec![("kept", *most as f64), ("of", *all as f64)])
            }
            Self::AdviceLeftOut { advised, all } => ("advice_left_out", None, share("asked", *advised, *all)),
            Self::LoopsLeftOut { functions, loops } => {
                ("loops_left_out", None, vec![("functions", *functions as f64), ("loops", *loops as f64)])
            }
            Self::MembersLeftOut { count: members } => ("members_left_out", None, count("count", *members)),
            Self::PageLeftOut { .. } => ("page_left_out", None, Vec::new()),
            Self::OneWorkload => ("one_workload", None, Vec::new()),
            Self::FewWorkloads { workloads, .. } => ("few_workloads", None, count("workloads", *workloads)),
            Self::FailedWorkloads { failed, all } => {
                ("failed_workloads", None, share("failed", *failed, *all))
            }
            Self::LargestFailed { feature, largest, failed, from, .. } => {
                let numbers = vec![("largest", *largest), ("failed", *failed as f64), ("from", *from)];
                ("largest_failed", Some(feature), numbers)
            }
            Self::NoFeatures => ("no_features", None, Vec::new()),
            Self::MissingValues { feature, missing, all } => {
                ("missing_values", Some(feature), share("missing", *missing, *all))
            }
            Self::NotPositive { feature, workloads } => {
                ("not_positive", Some(feature), count("workloads", *workloads))
            }
            Self::ConstantFeature { feature, value } => {
                ("constant_feature", Some(feature), vec![("value", *value)])
            }
            Self::NothingVaries => ("nothing_varies", None, Vec::new()),
            Self::NotDeterministic { locations } => {
                ("not_deterministic", None, count("locations", *locations))
            }
            Self::UncountedGrowth { exponent, ci: [lo, hi], runs, .. } => {
                let numbers = [("exponent", *exponent), ("lo", *lo), ("hi", *hi), ("runs", *runs as f64)];
                ("uncounted_work", None, numbers.to_vec())
            }
            Self::MostlyUncounted { seconds, count, .. } => {
                ("uncounted_work", None, vec![("seconds", *seconds), ("count", *count)])
            }
            Self::Recorded(warning) => (warning.kind.as_str(), None, Vec::new()),
        }
    }

    /// Returns true if it may change the conclusions from a study's findings, and not only concern a part of them.
    pub fn matters(&self) -> bool {
        // An unknown name that the user wrote leaves a feature without any values.
        if let Self::Recorded(warning) = self {
            return matches!(warning.kind, WarningKind::UnknownLocation | WarningKind::UnknownRoutine);
        }
        matches!(
            self,
            Self::LargestFailed { .. }
                | Self::FailedWorkloads { .. }
                | Self::UncountedGrowth { .. }
                | Self::MostlyUncounted { .. }
                | Self::OneWorkload
                | Self::FewWorkloads { .. }
                | Self::NoFeatures
                | Self::NothingVaries
                | Self::NarrowRange { .. }
        )
    }

    /// Returns true if it says how far off the law of the whole may be, or why the whole has no law.
    pub fn is_about_the_whole(&self) -> bool {
        self.lacks_features()
            || matches!(self, Self::OffWhatWasMeasured { .. } | Self::OffAtTheLargest { .. })
    }

    /// Returns true if it says that the feature does not explain the cost.
    pub(crate) fn is_unexplained(&self) -> bool {
        use Diagnosis::{EqualRuns, Unexplained};
        matches!(self, Self::Diagnosed { diagnosis: EqualRuns { .. } | Unexplained { .. }, .. })
    }

    /// Returns true if it says that the cost depends on more features than the model's, and that no law in all of
    /// them was found.
    pub(crate) fn lacks_features(&self) -> bool {
        matches!(self, Self::NoJoint { why: NoJoint::NoLaw, .. })
    }

    /// Returns true if it reports two trends.
    pub(crate) fn is_split(&self) -> bool {
        matches!(self, Self::Diagnosed { diagnosis: Diagnosis::Split { .. }, .. })
    }

    /// Adds a better explanation of the cost to a diagnosis. Does nothing to other doubts.
    pub(crate) fn explain(&mut self, explanation: Explanation) {
        if let Self::Diagnosed { better, .. } = self {
            *better = Some(Box::new(explanation));
        }
    }
}

impl Unfit {
    fn numbers(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::TooFew { points, needed } => vec![("points", points as f64), ("needed", needed as f64)],
            _ => Vec::new(),
        }
    }
}

/// Returns the kind of a diagnosis and its numbers.
fn of_diagnosis(diagnosis: &Diagnosis) -> (&'static str, Vec<(&'static str, f64)>) {
    match *diagnosis {
        Diagnosis::Bend { exponent_small: small, exponent_large: large, p_value } => {
            ("bend", vec![("exponent_small", small), ("exponent_large", large), ("p_value", p_value)])
        }
        Diagnosis::ChangePoint { at, exponent_below, exponent_above, jump, .. } => {
            let exponents = [("exponent_below", exponent_below), ("exponent_above", exponent_above)];
            ("change_point", [("at", at), ("jump", jump)].into_iter().chain(exponents).collect())
        }
        Diagnosis::Fan { spread_small, spread_large, p_value } => (
            "fan",
            vec![("spread_small", spread_small), ("spread_large", spread_large), ("p_value", p_value)],
        ),
        Diagnosis::Split { factor, factor_at_largest: largest, upper_share, .. } => {
            ("split", vec![("factor", factor), ("factor_at_largest", largest), ("upper_share", upper_share)])
        }
        Diagnosis::EqualRuns { spread, .. } => ("equal_runs", vec![("spread", spread)]),
        Diagnosis::Unexplained { r2, spread, .. } => ("unexplained", vec![("r2", r2), ("spread", spread)]),
    }
}

/// The published form of a doubt.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Doubt"))]
struct PublishedDoubt {
    /// A stable identifier of the kind.
    kind: String,
    /// The feature that the doubt is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    feature: Option<String>,
    /// Its numbers by name; `null` if infinite or unknown.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    numbers: BTreeMap<&'static str, Option<f64>>,
    /// A sentence for people, made from the other fields.
    message: String,
}

impl From<Doubt> for PublishedDoubt {
    fn from(doubt: Doubt) -> Self {
        let (kind, feature, numbers) = doubt.published();
        let finite = |(name, value): (_, f64)| (name, Some(value).filter(|v| v.is_finite()));
        Self {
            kind: kind.to_owned(),
            feature: feature.map(ToString::to_string),
            numbers: numbers.into_iter().map(finite).collect(),
            message: doubt.to_string(),
        }
    }
}
