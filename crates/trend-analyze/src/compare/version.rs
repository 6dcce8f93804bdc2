//! Versions of a program, and the sizes at which they are compared.

use trend_model::nearest_rank;
use trend_profile::Study;

use crate::findings::Findings;
use crate::study::point::MULTIPLES_OF_P95;

/// A study with its findings. Versions that are compared must predict at the same point.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The study of this version.
    pub study: &'a Study,
    /// The findings of the study. Their first point is the same in both versions.
    pub findings: &'a Findings,
}

/// A reason why two studies cannot be compared. Completes "failed to compare: …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// The studies have no feature in common.
    #[error("the studies have no feature in common: before {}, after {}", .before.join(", "), .after.join(", "))]
    NoFeature {
        /// Features before the change.
        before: Vec<String>,
        /// Features after the change.
        after: Vec<String>,
    },
    /// One of the studies lacks the requested feature.
    #[error("`{name}` is not a feature of both studies; choose one of {}", .common.join(", "))]
    UnknownFeature {
        /// The feature that was requested.
        name: String,
        /// The features that both studies have.
        common: Vec<String>,
    },
    /// The studies count different things.
    #[error("the studies count different things: {before} before, {after} after")]
    Units {
        /// The unit before the change.
        before: String,
        /// The unit after the change.
        after: String,
    },
}

/// Returns the feature in which two studies are compared: the requested one, or else the later study's first feature
/// that both have.
///
/// # Errors
/// Returns [`CompareError::NoFeature`] or [`CompareError::UnknownFeature`].
pub fn common_feature(
    before: &Study,
    after: &Study,
    requested: Option<&str>,
) -> Result<String, CompareError> {
    let names = |study: &Study| study.features().iter().map(|f| f.name.clone()).collect::<Vec<_>>();
    let (old, new) = (names(before), names(after));
    let common: Vec<String> = new.iter().filter(|name| old.contains(name)).cloned().collect();
    match requested {
        Some(name) if common.iter().any(|feature| feature == name) => Ok(name.to_owned()),
        Some(name) => Err(CompareError::UnknownFeature { name: name.to_owned(), common }),
        None => common.into_iter().next().ok_or(CompareError::NoFeature { before: old, after: new }),
    }
}

/// Returns the default size of a comparison: ten times the 95th percentile of the feature, in the study where that is
/// greater.
pub fn common_target(before: &Study, after: &Study, feature: &str) -> Option<f64> {
    common_targets(before, after, feature, [MULTIPLES_OF_P95[1]]).map(|[target]| target)
}

/// Returns the sizes of a comparison at several multiples of the 95th percentile.
pub fn common_targets<const N: usize>(
    before: &Study,
    after: &Study,
    feature: &str,
    multiples: [f64; N],
) -> Option<[f64; N]> {
    let p95 = |study: &Study| {
        let feature = study.features().iter().find(|f| f.name == feature)?;
        let values: Vec<f64> = feature.values.iter().flatten().copied().filter(|v| *v > 0.0).collect();
        nearest_rank(&values, 0.95)
    };
    let most = p95(before).into_iter().chain(p95(after)).fold(0.0, f64::max);
    (most > 0.0).then(|| multiples.map(|multiple| most * multiple))
}
