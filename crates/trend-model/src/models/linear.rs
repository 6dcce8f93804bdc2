//! The linear model of a cost. The regression itself is shared with power laws and lives elsewhere.

use crate::error::FitError;
use crate::lines::regression::{Regression, linear_regression};
use crate::lines::weighted_line::WeightedLine;

/// A linear model `ŷ = a + b·x` of a cost in a feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    /// Cost at feature value 0.
    pub a: f64,
    /// Cost per unit of the feature.
    pub b: f64,
    /// R² in the original (not logarithmic) domain; 1 for a constant cost.
    pub r2: f64,
    /// Number of points fitted.
    pub points: usize,
}

impl Linear {
    /// Fits the model by least squares; points with zeros take part.
    ///
    /// - Time: O(k).
    ///
    /// # Errors
    ///
    /// The errors of [`linear_regression`].
    pub fn fit(x: &[f64], y: &[f64]) -> Result<Self, FitError> {
        Ok(Self::of_line(&linear_regression(x, y)?))
    }

    /// Fits the model by minimizing `Σ wᵢ (yᵢ − ŷᵢ)²`. `weights` is `[points]`, and only their ratios matter. R² is
    /// computed from the weighted squares.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::fit`], and [`FitError::NonFinite`] for a weight that is not a positive number.
    pub fn fit_weighted(x: &[f64], y: &[f64], weights: &[f64]) -> Result<Self, FitError> {
        Ok(Self::of_line(&WeightedLine::fit(x, y, weights)?.line))
    }

    fn of_line(line: &Regression) -> Self {
        Self { a: line.intercept, b: line.slope, r2: line.r2, points: line.points }
    }

    /// Returns the model's cost at feature value `x`.
    pub fn predict(&self, x: f64) -> f64 {
        self.a + self.b * x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_recovered_exactly_with_its_zeros() {
        let fit = Linear::fit(&[0.0, 1.0, 2.0, 4.0], &[-4.0, -2.0, 0.0, 4.0]).unwrap();
        assert_eq!(fit, Linear { a: -4.0, b: 2.0, r2: 1.0, points: 4 });
        assert_eq!(fit.predict(10.0), 16.0);
    }
}
