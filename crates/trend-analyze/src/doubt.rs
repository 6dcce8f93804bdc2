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
    /// The whole's own law is outgrown by functions: it is predicted as the sum of these and of the rest.
    SumOfParts {
        /// The feature.
        feature: FeatureName,
        /// The functions.
        functions: Vec<String>,
    },
    /// A part is predicted to cost more than the law of the whole says, and the whole is predicted to cost as much.
    Outgrown {
        /// The feature.
        feature: FeatureName,
        /// At which size.
        at: f64,
        /// The part.
        part: String,
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
    /// A part may cost more than the law of the whole says.
    PartInDoubt {
        /// The feature.
        feature: FeatureName,
        /// At which size.
        at: f64,
        /// The part.
        part: String,
    },
    /// The clusters together are predicted to cost more than the law of the whole says.
    MoreTogether {
        /// The feature.
        feature: FeatureName,
        /// At which size.
        at: f64,
        /// How many times as much.
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
    /// Its coefficients are no finite numbers.
    NotFinite,
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
    /// Two trends, told apart by a feature.
    SplitByFeature {
        /// The feature.
        feature: String,
        /// Which of its values are in which trend.
        rule: String,
    },
    /// Two trends, told apart by the workloads' names.
    SplitByName {
        /// Which parts of names are in which trend.
        rule: String,
    },
    /// Two trends that nothing tells apart.
    SplitByNothing,
}

impl Doubt {
    /// A stable word for it.
    pub fn kind(&self) -> &str {
        match self {
            Self::NoLaw { .. } => "no_model",
            Self::NoGrowth { .. } => "no_growth",
            Self::FewPoints { .. } => "few_points",
            Self::NarrowRange { .. } => "narrow_range",
            Self::IgnoredZeros { .. } => "ignored_zeros",
            Self::EndsEarly { .. } => "ends_early",
            Self::BeyondReach { .. } => "beyond_reach",
            Self::Diagnosed { diagnosis, .. } => match diagnosis {
                Diagnosis::Hump { .. } => "hump",
                Diagnosis::LowerOrderTerm { .. } => "lower_order_term",
                Diagnosis::ChangePoint { .. } => "change_point",
                Diagnosis::Fan { .. } => "fan",
                Diagnosis::Split { .. } => "split",
                Diagnosis::EqualRuns { .. } => "equal_runs",
                Diagnosis::Unexplained { .. } => "unexplained",
            },
            Self::NoJoint { .. } => "no_joint",
            Self::SumOfParts { .. } => "parts",
            Self::Outgrown { .. } => "outgrown",
            Self::OffWhatWasMeasured { .. } => "off_what_was_measured",
            Self::OffAtTheLargest { .. } => "off_at_the_largest",
            Self::PartInDoubt { .. } => "part_in_doubt",
            Self::MoreTogether { .. } => "more_together",
            Self::RowsLeftOut { .. } => "rows_left_out",
            Self::ClassesLeftOut { .. } => "classes_left_out",
            Self::MembersLeftOut { .. } => "members_left_out",
            Self::PageLeftOut { .. } => "page_left_out",
            Self::OneWorkload => "one_workload",
            Self::FewWorkloads { .. } => "few_workloads",
            Self::FailedWorkloads { .. } => "failed_workloads",
            Self::LargestFailed { .. } => "largest_failed",
            Self::NoFeatures => "no_features",
            Self::MissingValues { .. } => "missing_values",
            Self::NotPositive { .. } => "not_positive",
            Self::ConstantFeature { .. } => "constant_feature",
            Self::NothingVaries => "nothing_varies",
            Self::NotDeterministic { .. } => "not_deterministic",
            Self::UncountedGrowth { .. } | Self::MostlyUncounted { .. } => "uncounted_work",
            Self::Recorded(warning) => &warning.kind,
        }
    }

    /// Its numbers by name: what a comparison of two studies, or a script, needs of it.
    pub fn numbers(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::FewPoints { points, .. } => vec![("points", points as f64)],
            Self::NarrowRange { span, .. } => vec![("span", span)],
            Self::IgnoredZeros { workloads, .. } | Self::NotPositive { workloads, .. } => {
                vec![("workloads", workloads as f64)]
            }
            Self::EndsEarly { until, .. } => vec![("until", until)],
            Self::BeyondReach { at, .. } | Self::Outgrown { at, .. } | Self::PartInDoubt { at, .. } => {
                vec![("at", at)]
            }
            Self::Diagnosed { diagnosis, .. } => of_diagnosis(&diagnosis),
            Self::OffWhatWasMeasured { at, factor, .. } | Self::MoreTogether { at, factor, .. } => {
                vec![("at", at), ("factor", factor)]
            }
            Self::OffAtTheLargest { largest, factor, .. } => vec![("at", largest), ("factor", factor)],
            Self::RowsLeftOut { count, .. }
            | Self::ClassesLeftOut { count, .. }
            | Self::MembersLeftOut { count } => vec![("count", count as f64)],
            Self::FewWorkloads { workloads, .. } => vec![("workloads", workloads as f64)],
            Self::LargestFailed { largest, failed, from, .. } => {
                vec![("largest", largest), ("failed", failed as f64), ("from", from)]
            }
            Self::FailedWorkloads { failed, all } => vec![("failed", failed as f64), ("all", all as f64)],
            Self::MissingValues { missing, all, .. } => {
                vec![("missing", missing as f64), ("all", all as f64)]
            }
            Self::ConstantFeature { value, .. } => vec![("value", value)],
            Self::NotDeterministic { locations } => vec![("locations", locations as f64)],
            Self::UncountedGrowth { exponent, ci: [lo, hi], runs, .. } => {
                vec![("exponent", exponent), ("lo", lo), ("hi", hi), ("runs", runs as f64)]
            }
            Self::MostlyUncounted { seconds, count, .. } => vec![("seconds", seconds), ("count", count)],
            Self::NoLaw { why: Unfit::TooFew { points, needed }, .. }
            | Self::NoGrowth { why: Unfit::TooFew { points, needed }, .. } => {
                vec![("points", points as f64), ("needed", needed as f64)]
            }
            _ => Vec::new(),
        }
    }

    /// The feature that it is about, where it is one.
    pub fn feature(&self) -> Option<&str> {
        match self {
            Self::NoLaw { feature, .. }
            | Self::NoGrowth { feature, .. }
            | Self::NarrowRange { feature, .. }
            | Self::IgnoredZeros { feature, .. }
            | Self::EndsEarly { feature, .. }
            | Self::BeyondReach { feature, .. }
            | Self::Diagnosed { feature, .. }
            | Self::SumOfParts { feature, .. }
            | Self::Outgrown { feature, .. }
            | Self::OffWhatWasMeasured { feature, .. }
            | Self::OffAtTheLargest { feature, .. }
            | Self::PartInDoubt { feature, .. }
            | Self::MoreTogether { feature, .. }
            | Self::MissingValues { feature, .. }
            | Self::LargestFailed { feature, .. }
            | Self::NotPositive { feature, .. }
            | Self::ConstantFeature { feature, .. } => Some(feature),
            _ => None,
        }
    }

    /// Whether it may change what somebody takes from the findings of a study, and is not only about a part of them.
    pub fn matters(&self) -> bool {
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

    /// Whether it says what the law of the whole is made of and how far off it may be.
    pub fn is_about_the_whole(&self) -> bool {
        matches!(
            self,
            Self::SumOfParts { .. }
                | Self::Outgrown { .. }
                | Self::OffWhatWasMeasured { .. }
                | Self::OffAtTheLargest { .. }
                | Self::PartInDoubt { .. }
                | Self::MoreTogether { .. }
        )
    }

    /// Whether it says where a power law bends: a class of growth that is decided says what the bend is.
    pub fn is_bend(&self) -> bool {
        let is_bend =
            |diagnosis| matches!(diagnosis, Diagnosis::Hump { .. } | Diagnosis::LowerOrderTerm { .. });
        matches!(*self, Self::Diagnosed { diagnosis, .. } if is_bend(diagnosis))
    }

    /// Whether it says that the feature does not explain the cost.
    pub(crate) fn is_unexplained(&self) -> bool {
        use Diagnosis::{EqualRuns, Unexplained};
        matches!(self, Self::Diagnosed { diagnosis: EqualRuns { .. } | Unexplained { .. }, .. })
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

fn of_diagnosis(diagnosis: &Diagnosis) -> Vec<(&'static str, f64)> {
    match *diagnosis {
        Diagnosis::Hump { exponent_small, exponent_large, p_value, .. } => {
            vec![("exponent_small", exponent_small), ("exponent_large", exponent_large), ("p_value", p_value)]
        }
        Diagnosis::LowerOrderTerm { below, exponent_small, exponent_large, p_value, .. } => vec![
            ("below", below),
            ("exponent_small", exponent_small),
            ("exponent_large", exponent_large),
            ("p_value", p_value),
        ],
        Diagnosis::ChangePoint { at, exponent_below, exponent_above, jump, .. } => vec![
            ("at", at),
            ("exponent_below", exponent_below),
            ("exponent_above", exponent_above),
            ("jump", jump),
        ],
        Diagnosis::Fan { spread_small, spread_large, p_value } => {
            vec![("spread_small", spread_small), ("spread_large", spread_large), ("p_value", p_value)]
        }
        Diagnosis::Split { factor, factor_at_largest, upper_share, .. } => {
            vec![("factor", factor), ("factor_at_largest", factor_at_largest), ("upper_share", upper_share)]
        }
        Diagnosis::EqualRuns { spread, .. } => vec![("spread", spread)],
        Diagnosis::Unexplained { r2, spread, .. } => vec![("r2", r2), ("spread", spread)],
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
        let numbers = doubt.numbers().into_iter();
        Self {
            kind: doubt.kind().to_owned(),
            feature: doubt.feature().map(str::to_owned),
            numbers: numbers.map(|(name, value)| (name, Some(value).filter(|v| v.is_finite()))).collect(),
            message: doubt.to_string(),
        }
    }
}
