//! Finds doubts about a model of one row in one feature. Tests no residuals; `trend_model` does that.

use trend_model::{FitError, PowerLaw};

use super::column::{Column, span};
use crate::findings::doubt::{Doubt, Unfit};

/// Number of points below which an interval of the percentile bootstrap is known to be too narrow, and hardly any doubt
/// about a model shows.
pub(crate) const FEW_POINTS: usize = 10;

/// Span below which a feature says little about growth. Over a third of a decade, a log factor looks like 10 % of
/// noise.
pub(crate) const NARROW_RANGE: f64 = 10.0;

/// Returns the doubt that explains the missing power law.
pub(crate) fn no_law(error: &FitError, column: &Column, y: &[f64]) -> Doubt {
    let why = match error {
        FitError::TooFewPoints { .. } if y.iter().all(|&cost| cost == 0.0) => Unfit::NeverExecuted,
        other => Unfit::from(other),
    };
    Doubt::NoLaw { feature: column.name.clone(), why }
}

impl From<&FitError> for Unfit {
    fn from(error: &FitError) -> Self {
        match *error {
            FitError::TooFewPoints { points, needed } => Self::TooFew { points, needed },
            FitError::ConstantFeature => Self::ConstantFeature,
            other => Self::Other(other),
        }
    }
}

/// Returns the doubts about a fit. `explodes` is true if it grows exponentially, which shows over a few units.
pub(crate) fn doubts(column: &Column, fit: &PowerLaw, sizes: &[f64], explodes: bool) -> Vec<Doubt> {
    let (mut doubts, feature) = (Vec::new(), || column.name.clone());
    if fit.points < FEW_POINTS {
        doubts.push(Doubt::FewPoints { points: fit.points, narrow: column.resamples.is_some() });
    }
    let span = span(sizes);
    if span < NARROW_RANGE && !explodes {
        doubts.push(Doubt::NarrowRange { feature: feature(), span, of_study: false });
    }
    let workloads = column.values.len() - fit.points;
    if workloads > 0 {
        doubts.push(Doubt::IgnoredZeros { feature: feature(), workloads });
    }
    doubts
}

/// Returns the last of ascending `sizes` at which a row ran. `None` unless it ran in nearly all runs up to there, and
/// in none of at least the largest quarter. A row that runs in four of five runs is missing from three more by chance
/// in 1 case of 100.
pub(crate) fn runs_until(sizes: &[f64], costs: &[f64]) -> Option<f64> {
    let until = costs.iter().rposition(|&cost| cost > 0.0)? + 1;
    let (ran, after) = (costs[..until].iter().filter(|&&cost| cost > 0.0).count(), costs.len() - until);
    let ends = after >= 3 && after * 4 >= costs.len() && ran * 5 >= until * 4;
    ends.then(|| sizes[until - 1])
}
