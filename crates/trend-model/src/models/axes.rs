//! Axes on which the models are straight lines: places points on them, and turns intervals of a line into those of a
//! model. This module fits nothing.

use super::log_points::{LogPoints, is_usable};
use crate::error::FitError;
use crate::lines::regression::check_points;
use crate::statistics::interval::Interval;

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
            return Err(FitError::LengthMismatch { expected: x.len(), actual: weights.len() });
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
