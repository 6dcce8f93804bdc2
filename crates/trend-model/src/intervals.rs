//! Confidence intervals of fits, by the robust method or by the bootstrap percentile method. This module draws nothing
//! and chooses no seeds: [`Resamples`](crate::Resamples) does.

use crate::power_law::{LogPoints, is_usable};
use crate::regression::check_points;
use crate::robust_intervals::RobustLine;
use crate::weighted_line::WeightedLine;
use crate::{FitError, Interval};

/// Intervals of a [`PowerLaw`](crate::PowerLaw) or a [`Linear`](crate::Linear) model, and of its predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct LineIntervals {
    /// Interval of a power law's coefficient, or of the cost at 0.
    pub a: Interval,
    /// Interval of the exponent, or of the cost per unit.
    pub b: Interval,
    /// Intervals of the predicted cost, one per requested feature value, in the given order.
    pub predictions: Vec<Interval>,
}

/// Axes on which a model is a straight line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// [`PowerLaw`](crate::PowerLaw): both axes are logarithmic. Points that it ignores are ignored here too.
    LogLog,
    /// [`Linear`](crate::Linear): both axes are linear.
    Plain,
}

impl Axes {
    /// Returns the position of a number on an axis.
    pub(crate) fn place(self, value: f64) -> f64 {
        match self {
            Self::LogLog => value.ln(),
            Self::Plain => value,
        }
    }

    /// Returns true if the model is fitted to this point.
    pub(crate) fn uses(self, x: f64, y: f64) -> bool {
        self == Self::Plain || is_usable(x, y)
    }

    /// Returns the positions of the points to which the model is fitted.
    pub(crate) fn places(self, x: &[f64], y: &[f64]) -> Result<LogPoints, FitError> {
        check_points(x, y)?;
        Ok(match self {
            Self::LogLog => LogPoints::new(x, y),
            Self::Plain => LogPoints { x: x.to_vec(), y: y.to_vec() },
        })
    }

    /// Returns these positions with the weights of the points.
    pub(crate) fn weighted_places(
        self,
        x: &[f64],
        y: &[f64],
        weights: &[f64],
    ) -> Result<(LogPoints, Vec<f64>), FitError> {
        if weights.len() != x.len() {
            return Err(FitError::LengthMismatch { expected: x.len(), found: weights.len() });
        }
        let places = self.places(x, y)?;
        let points = x.iter().zip(y).zip(weights);
        Ok((places, points.filter(|((x, y), _)| self.uses(**x, **y)).map(|(_, w)| *w).collect()))
    }

    /// Returns the intervals of a model from its line: `value_at` and `slope` are the line's intervals.
    pub(crate) fn intervals(
        self,
        at: &[f64],
        mut value_at: impl FnMut(f64) -> Interval,
        slope: Interval,
    ) -> Result<LineIntervals, FitError> {
        let is_outside = |at: &&f64| !at.is_finite() || (self == Self::LogLog && **at <= 0.0);
        if let Some(&at) = at.iter().find(is_outside) {
            return Err(FitError::PredictionOutOfDomain { at });
        }
        let mut cost_at = |place: f64| match self {
            Self::LogLog => value_at(place).map(f64::exp),
            Self::Plain => value_at(place),
        };
        let a = cost_at(0.0);
        let predictions = at.iter().map(|&at| cost_at(self.place(at))).collect();
        Ok(LineIntervals { a, b: slope, predictions })
    }
}

/// Returns intervals for [`PowerLaw::fit`](crate::PowerLaw::fit) or [`Linear::fit`](crate::Linear::fit), and for its
/// predictions of the typical cost at the feature values `at`. The method is Student's t with a variance that allows
/// for uneven scatter (HC2 with the degrees of freedom of Bell and McCaffrey).
///
/// For power laws, 93 to 97 % of the 95 % intervals contain the truth from 10 points on, for even and uneven, normal,
/// skewed, heavy- and short-tailed scatter (simulated, `examples/coverage`). For lines over sizes that span decades,
/// few points decide the slope: 95 to 99 % contain it with even scatter. With scatter proportional to the size, 85 to
/// 98 % do at 10 points, and 92 to 94 % at 30 and 100. Data without noise has intervals without width. An end that is
/// too large for `f64` is infinite.
///
/// - Time: O(k).
///
/// # Errors
///
/// The errors of the fit, [`FitError::TooFewPoints`] below three usable points, [`FitError::InvalidLevel`], and
/// [`FitError::PredictionOutOfDomain`] for an `at` that is not finite or, for a power law, not positive.
pub fn intervals(
    axes: Axes,
    x: &[f64],
    y: &[f64],
    at: &[f64],
    level: f64,
) -> Result<LineIntervals, FitError> {
    let places = axes.places(x, y)?;
    let line = RobustLine::new(&places.x, &places.y, level)?;
    axes.intervals(at, |place| line.at(place), line.slope())
}

/// Computes [`intervals()`] for [`PowerLaw::fit_weighted`](crate::PowerLaw::fit_weighted) or
/// [`Linear::fit_weighted`](crate::Linear::fit_weighted). The method is the same, applied to points times the roots of
/// their weights.
///
/// - Time: O(k) for each interval.
///
/// # Errors
///
/// The errors of [`intervals()`] and of the fit.
pub fn weighted_intervals(
    axes: Axes,
    x: &[f64],
    y: &[f64],
    weights: &[f64],
    at: &[f64],
    level: f64,
) -> Result<LineIntervals, FitError> {
    if !(level > 0.0 && level < 1.0) {
        return Err(FitError::InvalidLevel { level });
    }
    let (places, weights) = axes.weighted_places(x, y, weights)?;
    let line = WeightedLine::fit(&places.x, &places.y, &weights)?;
    let points = places.x.len();
    if points < 3 {
        return Err(FitError::TooFewPoints { points, needed: 3 });
    }
    axes.intervals(at, |place| line.at(place, level), line.slope(level))
}
