//! Why a law or a study may be misleading, as data. The sentences are in `doubt_words`; nothing reads them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use trend_model::{Diagnosis, FitError, GrowthClass};
use trend_profile::Warning;

/// A feature's name.
pub type FeatureName = Arc<str>;

/// Something doubtful, with its numbers. Published as its kind, its numbers and a sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "PublishedDoubt")]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema, ts_rs::TS),
    schemars(from = "PublishedDoubt"),
    ts(as = "PublishedDoubt")
)]
pub enum Doubt {
    /// There is no power law in the feature, and so no law at all.
    NoLaw {
        /// In which there is none.
        feature: FeatureName,
        /// Why.
        why: Unfit,
    },
    /// There is no growth class in the feature.
    NoGrowth {
        /// In which there is none.
        feature: FeatureName,
        /// Why.
        why: Unfit,
    },
    /// The model is of few points.
    FewPoints {
        /// How many.
        points: usize,
        /// Whether its intervals are too narrow for so few, as those of the percentile bootstrap are.
        narrow: bool,
    },
    /// The feature hardly varies over the points, or over all workloads.
    NarrowRange {
        /// Which.
        feature: FeatureName,
        /// The greatest value divided by the least.
        span: f64,
        /// Whether this is about the whole study.
        of_study: bool,
    },
    /// Workloads without a cost or with a size of zero are left out.
    IgnoredZeros {
        /// The feature.
        feature: FeatureName,
        /// How many.
        workloads: usize,
    },
    /// It ran in no workload beyond a size.
    EndsEarly {
        /// The feature.
        feature: FeatureName,
        /// That size.
        until: f64,
    },
    /// The law grows beyond all numbers.
    BeyondReach {
        /// The feature.
        feature: FeatureName,
        /// At which size.
        at: f64,
        /// As which class.
        class: GrowthClass,
    },
    /// What the residuals show.
    Diagnosed {
        /// The feature that the residuals are over.
        feature: FeatureName,
        /// What it is.
        diagnosis: Diagnosis,
        /// What explains the cost better, where that is known.
        better: Option<Box<Explanation>>,
    },
    /// Several features were asked for in one model, and there is none.
    NoJoint {
        /// These features.
        features: Vec<FeatureName>,
        /// Why.
        why: NoJoint,
    },
    /// Another cost was measured at a size than the law says.
    OffWhatWasMeasured {
        /// The feature.
        feature: FeatureName,
        /// The size.
        at: f64,
        /// The measured cost as a multiple of the law's.
        factor: f64,
    },
    /// The largest runs cost something else than the law says.
    OffAtTheLargest {
        /// The feature.
        feature: FeatureName,
        /// Their size.
        largest: f64,
        /// The measured cost as a multiple of the law's.
        factor: f64,
    },
    /// Rows are left out of the findings, as there are too many.
    RowsLeftOut {
        /// Of which kind.
        rows: &'static str,
        /// How many.
        count: usize,
    },
    /// Rows have no growth class, as there are too many.
    ClassesLeftOut {
        /// Of which kind.
        rows: &'static str,
        /// How many.
        count: usize,
    },
    /// Members of clusters are not listed, as there are too many.
    MembersLeftOut {
        /// How many.
        count: usize,
    },
    /// A page has no room for all rows.
    PageLeftOut {
        /// What it has: how many of how many of which kind.
        kept: Vec<(usize, usize, &'static str)>,
    },
    /// One workload says nothing about growth.
    OneWorkload,
    /// There are few workloads.
    FewWorkloads {
        /// How many.
        workloads: usize,
        /// Whether intervals are too narrow for so few.
        narrow: bool,
    },
    /// Some runs failed.
    FailedWorkloads {
        /// How many.
        failed: usize,
        /// How many were run in all.
        all: usize,
    },
    /// Every run of a larger size than some failed, so that nothing shows how costs go on.
    LargestFailed {
        /// The feature.
        feature: FeatureName,
        /// The largest size of a run that succeeded.
        largest: f64,
        /// How many runs of larger sizes there are.
        failed: usize,
        /// The least of their sizes.
        from: f64,
        /// How that one ended, in words.
        reason: String,
        /// All of them were stopped at the time limit, and nothing else is known to be wrong with them.
        timed_out: bool,
        /// The last line that it wrote to stderr; maybe empty.
        last_words: String,
    },
    /// The study has no features.
    NoFeatures,
    /// A feature has no value for some workloads.
    MissingValues {
        /// The feature.
        feature: FeatureName,
        /// For how many.
        missing: usize,
        /// Of how many.
        all: usize,
    },
    /// A feature is not positive for some workloads.
    NotPositive {
        /// The feature.
        feature: FeatureName,
        /// For how many.
        workloads: usize,
    },
    /// A feature is the same for all workloads.
    ConstantFeature {
        /// The feature.
        feature: FeatureName,
        /// Its value.
        value: f64,
    },
    /// No location's cost varies.
    NothingVaries,
    /// Repetitions of a workload count differently.
    NotDeterministic {
        /// At how many locations.
        locations: usize,
    },
    /// Processor time grows faster than what was counted.
    UncountedGrowth {
        /// Exponent of processor time over counts.
        exponent: f64,
        /// Its interval.
        ci: [f64; 2],
        /// The interval's level.
        level: f64,
        /// Over how many runs.
        runs: usize,
        /// The program, for the way out.
        program: String,
    },
    /// The longest run was busy with what is not counted.
    MostlyUncounted {
        /// Its processor time.
        seconds: f64,
        /// What was counted in it.
        count: f64,
        /// Whether some of what was counted is Rust.
        is_rust: bool,
        /// The program, for the way out.
        program: String,
    },
    /// What was noted when the study was made.
    Recorded(Warning),
}

/// Why there is no law or no class.
#[derive(Clone, Debug, PartialEq)]
pub enum Unfit {
    /// The code never ran.
    NeverExecuted,
    /// Too few points, or of a growth class too few sizes.
    TooFew {
        /// How many there are.
        points: usize,
        /// How many are needed.
        needed: usize,
    },
    /// The feature has one value.
    ConstantFeature,
    /// The row costs little, and the feature has little to do with it.
    NotWorthIt,
    /// Anything else.
    Other(FitError),
}

/// Why there is no model in several features that were asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum NoJoint {
    /// None of them plays a part.
    NoPart,
    /// One of them alone plays a part.
    OnePart(FeatureName),
    /// A model in one feature does as well.
    OneIsEnough,
    /// Too few workloads have all of them.
    TooFewWorkloads,
    /// The cost depends on all of them, and no model was found.
    NoLaw,
    /// It could not be fitted.
    Unfit(FitError),
}

/// What explains a cost that one law does not.
#[derive(Clone, Debug, PartialEq)]
pub enum Explanation {
    /// Another feature.
    Feature(FeatureName),
    /// Several features in one law.
    Together(Vec<FeatureName>),
    /// Two trends.
    Split {
        /// The feature that tells them apart, where one does.
        feature: Option<String>,
        /// Which of its values, or which parts of the workloads' names, are in which trend; nothing where nothing tells
        /// them apart.
        rule: Option<String>,
    },
}

impl Doubt {
    /// A stable word for it.
    pub fn kind(&self) -> &str {
        self.published().0
    }

    /// Its numbers by name: what a comparison of two studies, or a script, needs of it.
    pub fn numbers(&self) -> Vec<(&'static str, f64)> {
        self.published().2
    }

    /// The feature that it is about, where it is one.
    pub fn feature(&self) -> Option<&str> {
        self.published().1.map(|feature| &**feature)
    }

    /// Its kind, its feature and its numbers.
    fn published(&self) -> (&str, Option<&FeatureName>, Vec<(&'static str, f64)>) {
        let count = |name, count: usize| vec![(name, count as f64)];
        let of = |part, of: usize, all: usize| vec![(part, of as f64), ("all", all as f64)];
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
            Self::MembersLeftOut { count: members } => ("members_left_out", None, count("count", *members)),
            Self::PageLeftOut { .. } => ("page_left_out", None, Vec::new()),
            Self::OneWorkload => ("one_workload", None, Vec::new()),
            Self::FewWorkloads { workloads, .. } => ("few_workloads", None, count("workloads", *workloads)),
            Self::FailedWorkloads { failed, all } => ("failed_workloads", None, of("failed", *failed, *all)),
            Self::LargestFailed { feature, largest, failed, from, .. } => {
                let numbers = vec![("largest", *largest), ("failed", *failed as f64), ("from", *from)];
                ("largest_failed", Some(feature), numbers)
            }
            Self::NoFeatures => ("no_features", None, Vec::new()),
            Self::MissingValues { feature, missing, all } => {
                ("missing_values", Some(feature), of("missing", *missing, *all))
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
            Self::Recorded(warning) => (&warning.kind, None, Vec::new()),
        }
    }

    /// Whether it may change what somebody takes from the findings of a study, and is not only about a part of them.
    pub fn matters(&self) -> bool {
        // Without it a feature has no values at all, whose name somebody wrote.
        let is_unknown_name = |kind: &str| matches!(kind, "unknown_location" | "unknown_routine");
        if let Self::Recorded(warning) = self {
            return is_unknown_name(&warning.kind);
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

    /// True if it says how far off the law of the whole may be, or why the whole has none.
    pub fn is_about_the_whole(&self) -> bool {
        self.lacks_features()
            || matches!(self, Self::OffWhatWasMeasured { .. } | Self::OffAtTheLargest { .. })
    }

    /// Whether it says that the feature does not explain the cost.
    pub(crate) fn is_unexplained(&self) -> bool {
        use Diagnosis::{EqualRuns, Unexplained};
        matches!(self, Self::Diagnosed { diagnosis: EqualRuns { .. } | Unexplained { .. }, .. })
    }

    /// True if it says that the cost depends on more features than the model's, and that no law in all of them was found.
    pub(crate) fn lacks_features(&self) -> bool {
        matches!(self, Self::NoJoint { why: NoJoint::NoLaw, .. })
    }

    /// Whether it says that there are two trends.
    pub(crate) fn is_split(&self) -> bool {
        matches!(self, Self::Diagnosed { diagnosis: Diagnosis::Split { .. }, .. })
    }

    /// The same with what explains the cost better. Does nothing to a doubt of another kind.
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

/// The kind and the numbers.
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

/// A doubt as it is published.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS), schemars(rename = "Doubt"), ts(rename = "Doubt"))]
struct PublishedDoubt {
    /// A stable word for it.
    kind: String,
    /// The feature that it is about, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    feature: Option<String>,
    /// Its numbers by name; `null` is infinite or not known.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    numbers: BTreeMap<&'static str, Option<f64>>,
    /// A sentence that is made of the rest, for people.
    message: String,
}

impl From<Doubt> for PublishedDoubt {
    fn from(doubt: Doubt) -> Self {
        let (kind, feature, numbers) = doubt.published();
        let known = |(name, value): (_, f64)| (name, Some(value).filter(|v| v.is_finite()));
        Self {
            kind: kind.to_owned(),
            feature: feature.map(ToString::to_string),
            numbers: numbers.into_iter().map(known).collect(),
            message: doubt.to_string(),
        }
    }
}
