//! Rejects studies and options that cannot be analysed, before anything is computed.

use std::collections::BTreeSet;

use trend_profile::Study;

use crate::fit::joint::MOST_FEATURES;
use crate::options::Options;

/// Reason why a study cannot be analysed at all. Completes "failed to analyse: …".
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyzeError {
    /// No workload has counts.
    #[error("no workload of {program} has counts{}", match failed { 0 => String::new(), _ => format!(" ({failed} failed)") })]
    NoWorkloads {
        /// Name of the program.
        program: String,
        /// Number of workloads whose runs failed.
        failed: usize,
    },
    /// Loops were counted in some workloads only, as the program was built with another probe between runs. The counts
    /// are not comparable.
    #[error(
        "loops were counted in only {counted} of {all} workloads, and the others count something else; \
         count all again with `trend-prof run --fresh`"
    )]
    MixedCounts {
        /// Number of workloads whose loops were counted.
        counted: usize,
        /// Number of all workloads.
        all: usize,
    },
    /// A size or a joint model was requested for a feature that the study does not have.
    #[error("no feature named `{name}`; the study has {}", features.join(", "))]
    UnknownFeature {
        /// Name of the requested feature.
        name: String,
        /// The names of the study's features.
        features: Vec<String>,
    },
    /// A joint model was requested in more features than can be searched.
    #[error("a model can have {most} features, not {requested}")]
    TooManyFeatures {
        /// Number of requested features.
        requested: usize,
        /// Maximum number of features.
        most: usize,
    },
    /// A size was requested that is not a positive number.
    #[error("cannot predict at {feature} = {at}: sizes are positive numbers")]
    InvalidSize {
        /// Name of the feature.
        feature: String,
        /// The size that was requested.
        at: f64,
    },
}

/// Returns an error if the study cannot be analysed with these options.
pub(crate) fn check(study: &Study, options: &Options) -> Result<(), AnalyzeError> {
    if study.workloads().is_empty() {
        let failed = study.failed().len();
        return Err(AnalyzeError::NoWorkloads { program: study.program().to_owned(), failed });
    }
    let counted = study.loops().iter().map(|run| run.workload).collect::<BTreeSet<_>>().len();
    let all = study.workloads().len();
    if counted > 0 && counted < all {
        return Err(AnalyzeError::MixedCounts { counted, all });
    }
    let names = options.at.iter().map(|(name, _)| name).chain(&options.joint);
    if let Some(name) = names.into_iter().find(|name| study.feature_named(name).is_none()) {
        let features = study.features().iter().map(|f| f.name.clone()).collect();
        return Err(AnalyzeError::UnknownFeature { name: name.clone(), features });
    }
    let joint: BTreeSet<&String> = options.joint.iter().collect();
    if joint.len() > MOST_FEATURES {
        return Err(AnalyzeError::TooManyFeatures { requested: joint.len(), most: MOST_FEATURES });
    }
    for (name, at) in &options.at {
        if !(at.is_finite() && *at > 0.0) {
            return Err(AnalyzeError::InvalidSize { feature: name.clone(), at: *at });
        }
    }
    Ok(())
}
