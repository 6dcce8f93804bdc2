//! Fits sums of terms robustly, with relative errors, and computes the log density of the points. This module chooses
//! nothing: `growth` does.
//!
//! The error of a cost is a factor: `ln y = ln ŷ + s·t`, with `s² = σ² + known`. t is Student's with a few degrees of
//! freedom, so that a few outliers weigh little. Gauss-Newton steps solve
//!
//! ```text
//!   Σ wᵢ (ln yᵢ − ln ŷᵢ − Σⱼ zᵢⱼ δⱼ)²  →  min,      zᵢⱼ = termⱼ(xᵢ)/ŷᵢ,     wᵢ = (ν+1)/(ν+tᵢ²)/sᵢ²
//! ```
//!
//! for the changes δ of the coefficients. Because only changes are solved for, rounding in the normal equations slows
//! the convergence but does not affect the result.

use super::points::{NU, Points};
use crate::numerics::linear_system::{MOST, Matrix, Vector, cholesky, solve, substitute};

/// A model's terms as columns over the points; the first column leads.
pub(crate) struct Design<'a> {
    pub(crate) columns: Vec<&'a [f64]>,
    /// Present if the leading term's exponent, or the logarithm of its base, is fitted too.
    pub(crate) exponent: Option<FreeExponent<'a>>,
}

/// Leading term of a free class: `exp(exponent·along)·factor`. `along` is the logarithm of x for powers, and x itself
/// for exponentials.
#[derive(Clone, Copy)]
pub(crate) struct FreeExponent<'a> {
    pub(crate) start: f64,
    pub(crate) along: &'a [f64],
    pub(crate) factor: &'a [f64],
    pub(crate) searched: Searched,
}

/// Range of the exponents that are searched.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Searched {
    pub(crate) least: f64,
    pub(crate) greatest: f64,
    /// Largest change in one step.
    pub(crate) step: f64,
}

impl Searched {
    /// The range for powers of x.
    pub(crate) const POWERS: Self = Self { least: 0.02, greatest: 8.0, step: 0.5 };
}

impl Design<'_> {
    pub(crate) fn parameters(&self) -> usize {
        self.columns.len() + usize::from(self.exponent.is_some())
    }
}

/// A fit of a design to points.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// One coefficient per column, in units of the largest cost at the largest size.
    pub(crate) coefficients: Vector,
    pub(crate) exponent: f64,
    /// Standard deviation of the logarithms, besides the known variance of the points.
    pub(crate) sigma: f64,
    /// Information (inverse covariance) of coefficients and exponent.
    pub(crate) information: Matrix,
    pub(crate) parameters: usize,
    pub(crate) degrees_of_freedom: f64,
    /// Log density of the points at the fit.
    pub(crate) log_likelihood: f64,
    /// `(ln y − ln ŷ)/s` by ascending x.
    pub(crate) standardized: Vec<f64>,
}

impl Fit {
    /// Returns the fit of a single term. `log_value` is the logarithm of its value at the largest size, and `error`
    /// is the standard error of that logarithm, estimated from `points` points.
    pub(crate) fn through(log_value: f64, error: f64, points: usize) -> Self {
        let mut coefficients = Vector::default();
        coefficients[0] = log_value.exp();
        let mut information = Matrix::default();
        information[0][0] = (error * coefficients[0]).powi(-2);
        Self {
            coefficients,
            exponent: 0.0,
            sigma: error,
            information,
            parameters: 1,
            degrees_of_freedom: points as f64 - 1.0,
            log_likelihood: 0.0,
            standardized: Vec::new(),
        }
    }

    /// Returns the variance of `ln ŷ`, given the gradient of `ln ŷ`.
    pub(crate) fn variance(&self, gradient: &Vector) -> f64 {
        let Some(solution) = solve(&self.information, gradient, self.parameters) else {
            return f64::INFINITY;
        };
        (0..self.parameters).map(|j| solution[j] * gradient[j]).sum::<f64>().max(0.0)
    }

    /// Returns the log density of the points at index `from` and above, as predicted by this fit. The density is
    /// heavy-tailed around the prediction.
    ///
    /// - Time: O(k·p²).
    pub(crate) fn log_predictive(&self, points: &Points, from: usize, design: &Design) -> f64 {
        let Some(factor) = cholesky(&self.information, self.parameters) else { return f64::NEG_INFINITY };
        let mut density = LogDensity::new();
        for i in from..points.len() {
            let mut terms = [0.0; MOST];
            for (term, column) in terms.iter_mut().zip(&design.columns) {
                *term = column[i];
            }
            if let Some(free) = design.exponent {
                terms[0] = (self.exponent * free.along[i]).exp() * free.factor[i];
            }
            let value: f64 = self.coefficients.iter().zip(&terms).map(|(c, t)| c * t).sum();
            if value <= 0.0 {
                return f64::NEG_INFINITY;
            }
            let mut gradient = terms.map(|term| term / value);
            if let Some(free) = design.exponent {
                gradient[design.columns.len()] = self.coefficients[0] * gradient[0] * free.along[i];
            }
            let part = substitute(&factor, &gradient, self.parameters);
            let variance = part.iter().map(|v| v * v).sum::<f64>();
            let variance = self.sigma * self.sigma + points.known_variances[i] + variance;
            density.add(points.log_y[i] - value.ln(), variance);
        }
        density.sum()
    }
}

/// `ln Γ(5/2) − ln Γ(2) − ½ ln 4π`, for four degrees of freedom.
const NORMALIZATION: f64 = -0.980_829_253_011_726_2;

/// The log density of residuals that each follow Student's t with a scale of `√variance`. The variance must exceed the
/// rounding of arithmetic. Factors are multiplied first, so that one logarithm serves many residuals.
pub(crate) struct LogDensity {
    points: usize,
    logs: f64,
    product: f64,
}

impl LogDensity {
    pub(crate) fn new() -> Self {
        Self { points: 0, logs: 0.0, product: 1.0 }
    }

    pub(crate) fn add(&mut self, residual: f64, variance: f64) {
        /// Largest `t²/ν`: points farther out get the density at this distance.
        const FARTHEST: f64 = 1e30;
        /// Bound of the product; one more factor does not overflow.
        const LARGE: f64 = 1e100;
        let tail = 1.0 + (residual * residual / variance / NU).min(FARTHEST);
        // (1 + t²/ν)^((ν+1)/2), squared.
        self.product *= variance * (tail * tail) * (tail * tail) * tail;
        self.points += 1;
        if !(1.0 / LARGE..LARGE).contains(&self.product) {
            self.logs += self.product.ln();
            self.product = 1.0;
        }
    }

    pub(crate) fn sum(&self) -> f64 {
        self.points as f64 * NORMALIZATION - 0.5 * (self.logs + self.product.ln())
    }
}
