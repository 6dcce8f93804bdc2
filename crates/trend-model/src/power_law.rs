//! Power laws `ŷ = a·x^b`, fitted as lines through logarithms. Says nothing about whether the power law is
//! the right model: that is `diagnose`.

use crate::regression::check_points;
use crate::{FitError, linear_regression};

/// A power law `ŷ = a·x^b`; `b` is how a cost scales: 1 linearly, 2 quadratically.
///
/// `a` is positive and normal, `b` finite, for every value that [`PowerLaw::fit`] returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// The coefficient: cost at feature value 1.
    pub a: f64,
    /// The exponent.
    pub b: f64,
    /// R² of log y on log x; 1 for a constant y.
    pub r2: f64,
    /// Number of points fitted: those where both x and y are positive.
    pub points: usize,
    /// Number of points left out because x or y is zero or negative, where no logarithm exists.
    pub ignored_zeros: usize,
}

impl PowerLaw {
    /// Fits by least squares in the log domain, to the points where both `x` and `y` are positive: the
    /// result says what the cost is *if there is any*.
    ///
    /// Two points with different `x` are enough, and then the fit is perfect; whether so few mean anything
    /// is for the caller to say.
    ///
    /// # Formula
    ///
    /// `a`, `b` minimize `Σ (ln yᵢ − (ln a + b·ln xᵢ))²`.
    ///
    /// - Time: O(k), two logarithms per point.
    ///
    /// # Errors
    ///
    /// [`FitError::LengthMismatch`], [`FitError::NonFinite`], [`FitError::TooFewPoints`] below two usable
    /// points, [`FitError::ConstantFeature`], [`FitError::ParametersOutOfRange`] when `a` is not a normal number.
    pub fn fit(x: &[f64], y: &[f64]) -> Result<Self, FitError> {
        check_points(x, y)?;
        let logs = LogPoints::new(x, y);
        let line = linear_regression(&logs.x, &logs.y)?;
        let a = line.intercept.exp();
        if !a.is_normal() {
            return Err(FitError::ParametersOutOfRange);
        }
        Ok(Self { a, b: line.slope, r2: line.r2, points: line.points, ignored_zeros: x.len() - line.points })
    }

    /// The model's cost at feature value `x`, computed in the log domain so that `x^b` may overflow where
    /// `a·x^b` does not. NaN for a negative `x`.
    pub fn predict(&self, x: f64) -> f64 {
        if self.b == 0.0 && x >= 0.0 {
            return self.a;
        }
        (self.a.ln() + self.b * x.ln()).exp()
    }

    /// `ln(a·x^b) − ln y` at every point, in the order given; positive where the model is above the cost.
    /// `None` for points that [`PowerLaw::fit`] ignores. As long as the shorter argument.
    pub fn residuals(&self, x: &[f64], y: &[f64]) -> Vec<Option<f64>> {
        let log_a = self.a.ln();
        let residual = |(&x, &y)| is_usable(x, y).then(|| log_a + self.b * x.ln() - y.ln());
        x.iter().zip(y).map(residual).collect()
    }

    /// The feature value at which the two models cost the same; above it the one with the larger exponent
    /// costs more. `None` when they are parallel or the value is not a normal number.
    ///
    /// # Formula
    ///
    /// `x = exp((ln a₂ − ln a₁) / (b₁ − b₂))`
    pub fn crossing(&self, other: &PowerLaw) -> Option<f64> {
        let x = ((other.a.ln() - self.a.ln()) / (self.b - other.b)).exp();
        (self.b != other.b && x.is_normal()).then_some(x)
    }
}

/// Logarithms exist for both, and are finite.
pub(crate) fn is_usable(x: f64, y: f64) -> bool {
    x > 0.0 && y > 0.0 && x.is_finite() && y.is_finite()
}

/// Natural logarithms of the usable points, in the order given.
pub(crate) struct LogPoints {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
}

impl LogPoints {
    pub(crate) fn new(x: &[f64], y: &[f64]) -> Self {
        let usable = x.iter().zip(y).filter(|&(&x, &y)| is_usable(x, y));
        let (x, y) = usable.map(|(x, y)| (x.ln(), y.ln())).unzip();
        Self { x, y }
    }
}
