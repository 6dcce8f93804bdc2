//! A straight line. This module does not judge how well it fits.

use super::regression::linear_regression;
use crate::error::FitError;

/// The line `intercept + slope·x`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line {
    pub(crate) intercept: f64,
    pub(crate) slope: f64,
}

impl Line {
    /// Fits the least-squares line through the points.
    pub(crate) fn fit(x: &[f64], y: &[f64]) -> Result<Self, FitError> {
        let line = linear_regression(x, y)?;
        Ok(Self { intercept: line.intercept, slope: line.slope })
    }

    pub(crate) fn at(self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }
}
