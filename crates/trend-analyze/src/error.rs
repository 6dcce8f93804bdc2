//! What cannot be analysed, found before anything is computed.

use std::collections::BTreeSet;

use trend_profile::Study;

use crate::Options;
use crate::joint::MOST_FEATURES;

/// Why a study cannot be analysed at all. Completes "failed to analyse: …".
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyzeError {
    /// No workload has counts.
    #[error("no workload of {program} has counts{}", match failed { 0 => String::new(), _ => format!(" ({failed} failed)") })]
    NoWorkloads {
        /// The program.
        program: String,
        /// How many workloads were run without success.
        failed: usize,
    },
    /// The program was built with another probe between runs: what was counted of some is not what was counted of others.
    #[error(
        "loops were counted in {counted} of {all} workloads and not in the others, whose counts are of something else: \
         `trend-prof run --fresh` counts all anew"
    )]
    MixedCounts {
        /// Workloads whose loops were counted.
        counted: usize,
        /// All workloads.
        all: usize,
    },
    /// A size was given for a feature that there is not, or a model in it asked for.
    #[error("there is no feature `{name}`; the study has {}", known.join(", "))]
    UnknownFeature {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A model in more features than can be searched.
    #[error("{asked} features in one model are too many; it can have {most}")]
    TooManyFeatures {
        /// How many were named.
        asked: usize,
        /// How many are possible.
        most: usize,
    },
    /// A size at which no cost can be predicted.
    #[error("cannot predict at {feature} = {at}: sizes are positive numbers")]
    InvalidSize {
        /// The feature.
        feature: String,
        /// The size.
        at: f64,
    },
}

/// Refuses what cannot be analysed.
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
    let asked = options.at.iter().map(|(name, _)| name).chain(&options.joint);
    if let Some(name) = asked.into_iter().find(|name| study.feature_named(name).is_none()) {
        let known = study.features().iter().map(|f| f.name.clone()).collect();
        return Err(AnalyzeError::UnknownFeature { name: name.clone(), known });
    }
    let joint: BTreeSet<&String> = options.joint.iter().collect();
    if joint.len() > MOST_FEATURES {
        return Err(AnalyzeError::TooManyFeatures { asked: joint.len(), most: MOST_FEATURES });
    }
    for (name, at) in &options.at {
        if !(at.is_finite() && *at > 0.0) {
            return Err(AnalyzeError::InvalidSize { feature: name.clone(), at: *at });
        }
    }
    Ok(())
}
