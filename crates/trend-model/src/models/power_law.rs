//! Power laws `ŷ = a·x^b`, fitted as lines through logarithms. `diagnose` decides whether a power law is the right
//! model.

use super::axes::Axes;
use super::log_points::{LogPoints, is_usable};
use crate::error::FitError;
use crate::lines::regression::{Regression, check_points, linear_regression};
use crate::lines::weighted_line::WeightedLine;

/// A power law `ŷ = a·x^b`. `b` is how a cost scales: 1 linearly, 2 quadratically.
///
/// `a` is positive and normal, and `b` is finite, for every value that [`PowerLaw::fit`] returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// Coefficient: the cost at feature value 1.
    pub a: f64,
    /// Exponent.
    pub b: f64,
    /// R² of log y on log x; 1 for a constant y.
    pub r2: f64,
    /// Number of points fitted: those with positive x and y.
    pub points: usize,
    /// Number of points left out because x or y is zero or negative and has no logarithm.
    pub ignored_zeros: usize,
}

impl PowerLaw {
    /// Fits by least squares in the log domain, to the points with positive `x` and `y`. The result describes the cost
    /// *if there is any*.
    ///
    /// Two points with distinct `x` are enough, and the fit is then perfect. The caller must decide whether so few
    /// points mean anything.
    ///
    /// # Formula
    ///
    /// `a`, `b` minimize `Σ (ln yᵢ − (ln a + b·ln xᵢ))²`.
    ///
    /// - Time: O(k), two logarithms per point.
    ///
    /// # Errors
    ///
    /// [`FitError::LengthMismatch`], [`FitError::NonFinite`], [`FitError::TooFewPoints`] below two usable points,
    /// [`FitError::ConstantFeature`], [`FitError::ParametersOutOfRange`] if `a` is not a normal number.
    pub fn fit(x: &[f64], y: &[f64]) -> Result<Self, FitError> {
        check_points(x, y)?;
        let logs = LogPoints::new(x, y);
        Self::of_line(&linear_regression(&logs.x, &logs.y)?, x.len())
    }

    /// Fits by minimizing `Σ wᵢ (ln yᵢ − (ln a + b·ln xᵢ))²`. `weights` is `[points]`, and only their ratios matter. R²
    /// is computed from the weighted squares.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::fit`], [`FitError::LengthMismatch`] for another number of weights, and
    /// [`FitError::NonFinite`] for a weight that is not a positive number.
    pub fn fit_weighted(x: &[f64], y: &[f64], weights: &[f64]) -> Result<Self, FitError> {
        let (logs, weights) = Axes::LogLog.weighted_places(x, y, weights)?;
        Self::of_line(&WeightedLine::fit(&logs.x, &logs.y, &weights)?.line, x.len())
    }

    fn of_line(line: &Regression, all_points: usize) -> Result<Self, FitError> {
        let a = line.intercept.exp();
        if !a.is_normal() {
            return Err(FitError::ParametersOutOfRange);
        }
        Ok(Self {
            a,
            b: line.slope,
            r2: line.r2,
            points: line.points,
            ignored_zeros: all_points - line.points,
        })
    }

    /// Returns the model's cost at feature value `x`; NaN for a negative `x`. The cost is computed in the log domain,
    /// so it is right even if `x^b` alone overflows.
    pub fn predict(&self, x: f64) -> f64 {
        if self.b == 0.0 && x >= 0.0 {
            return self.a;
        }
        (self.a.ln() + self.b * x.ln()).exp()
    }

    /// Returns `ln(a·x^b) − ln y` at every point, in the given order; positive if the model is above the cost. `None`
    /// for points that [`PowerLaw::fit`] ignores. The result is as long as the shorter argument.
    pub fn residuals(&self, x: &[f64], y: &[f64]) -> Vec<Option<f64>> {
        let log_a = self.a.ln();
        let residual = |(&x, &y)| is_usable(x, y).then(|| log_a + self.b * x.ln() - y.ln());
        x.iter().zip(y).map(residual).collect()
    }

    /// Computes [`Self::residuals`] at the usable points only.
    pub(crate) fn residuals_of(&self, points: &LogPoints) -> Vec<f64> {
        let log_a = self.a.ln();
        points.x.iter().zip(&points.y).map(|(x, y)| log_a + self.b * x - y).collect()
    }

    /// Returns the feature value at which the two models cost the same; above it, the one with the larger exponent
    /// costs more. `None` if they are parallel or the value is not a normal number.
    ///
    /// # Formula
    ///
    /// `x = exp((ln a₂ − ln a₁) / (b₁ − b₂))`
    pub fn crossing(&self, other: &PowerLaw) -> Option<f64> {
        let x = ((other.a.ln() - self.a.ln()) / (self.b - other.b)).exp();
        (self.b != other.b && x.is_normal()).then_some(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn law(a: f64, b: f64) -> PowerLaw {
        PowerLaw { a, b, r2: 1.0, points: 2, ignored_zeros: 0 }
    }

    #[test]
    fn bubble_sorts_compares_fit_the_published_power_law() {
        // Oracle: numpy.polyfit(log n, log y, 1), which gives a = 1.491842, b = 2.000587.
        let sizes = [60.0, 200.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0, 15000.0, 30000.0, 60000.0];
        let x = sizes.repeat(3);
        let y: Vec<f64> = x.iter().map(|n| 1.5 * n * n - 0.5 * n).collect();
        let fit = PowerLaw::fit(&x, &y).unwrap();
        assert_eq!(format!("{:.6} {:.6}", fit.a, fit.b), "1.491842 2.000587");
        assert!(fit.r2 > 0.999_999 && fit.r2 <= 1.0);
        assert_eq!((fit.points, fit.ignored_zeros), (30, 0));
    }

    #[test]
    fn zeros_and_negatives_are_left_out_and_counted() {
        let fit = PowerLaw::fit(&[0.0, 1.0, 2.0, 4.0, -1.0], &[1.0, 3.0, 12.0, 0.0, 5.0]).unwrap();
        assert_eq!((fit.points, fit.ignored_zeros), (2, 3));
        assert!((fit.a - 3.0).abs() < 1e-14 && (fit.b - 2.0).abs() < 1e-14);
        let residuals = fit.residuals(&[0.0, 2.0], &[1.0, 6.0]);
        assert_eq!(residuals[0], None);
        assert!(
            (residuals[1].unwrap() - 2f64.ln()).abs() < 1e-14,
            "a cost of half the model is ln 2 below it"
        );
    }

    #[test]
    fn what_cannot_be_fitted_says_why() {
        let fit = |x: &[f64], y: &[f64]| PowerLaw::fit(x, y).unwrap_err();
        assert_eq!(fit(&[1.0, 0.0], &[1.0, 1.0]), FitError::TooFewPoints { points: 1, needed: 2 });
        assert_eq!(fit(&[3.0, 3.0], &[1.0, 2.0]), FitError::ConstantFeature);
        assert_eq!(fit(&[1.0, f64::INFINITY], &[1.0, 2.0]), FitError::NonFinite { index: 1 });
        assert_eq!(fit(&[1e9, 1e9 + 1.0], &[1.0, 1e9]), FitError::ParametersOutOfRange);
    }

    #[test]
    fn predictions_survive_intermediate_overflow() {
        assert!((law(1e-300, 4.0).predict(1e100) / 1e100 - 1.0).abs() < 1e-12);
        assert_eq!(law(7.0, 0.0).predict(0.0), 7.0);
        assert_eq!(law(7.0, 2.0).predict(0.0), 0.0);
    }

    #[test]
    fn parallel_laws_and_those_that_meet_out_of_range_do_not_cross() {
        assert_eq!(law(1.0, 2.0).crossing(&law(3.0, 2.0)), None);
        assert_eq!(law(1.0, 2.0).crossing(&law(1.0, 2.0)), None);
        assert_eq!(law(1.0, 2.0).crossing(&law(1e9, 2.0 - 1e-9)), None);
        assert_eq!(law(1.0, 2.0).crossing(&law(1e-9, 2.0 - 1e-9)), None);
    }

    proptest! {
        #[test]
        fn at_the_crossing_costs_are_equal_and_above_it_the_steeper_costs_more(
            log_a in -20.0..20.0f64, log_c in -20.0..20.0f64, b in -3.0..5.0f64, d in -3.0..5.0f64,
        ) {
            prop_assume!((b - d).abs() > 0.5);
            let (f, g) = (law(log_a.exp(), b), law(log_c.exp(), d));
            let x = f.crossing(&g).unwrap();
            prop_assert!((f.predict(x).ln() - g.predict(x).ln()).abs() < 1e-9);
            prop_assert_eq!(f.predict(x * 2.0) > g.predict(x * 2.0), b > d);
            prop_assert_eq!(f.predict(x / 2.0) < g.predict(x / 2.0), b > d);
            let back = g.crossing(&f).unwrap();
            prop_assert!((x.ln() - back.ln()).abs() < 1e-9);
        }

        #[test]
        fn units_change_the_coefficient_and_nothing_else(
            points in prop::collection::vec((1.0..1e6f64, 1.0..1e9f64), 3..30),
            x_unit in 1e-3..1e6f64,
            y_unit in 1e-3..1e6f64,
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            let Ok(fit) = PowerLaw::fit(&x, &y) else { return Ok(()) };
            prop_assume!(fit.b.abs() < 20.0);
            let x: Vec<f64> = x.iter().map(|x| x * x_unit).collect();
            let y: Vec<f64> = y.iter().map(|y| y * y_unit).collect();
            let scaled = PowerLaw::fit(&x, &y).unwrap();
            prop_assert!((scaled.b - fit.b).abs() < 1e-8 * (1.0 + fit.b.abs()));
            prop_assert!((scaled.r2 - fit.r2).abs() < 1e-8);
            let expected = fit.a.ln() + y_unit.ln() - fit.b * x_unit.ln();
            prop_assert!((scaled.a.ln() - expected).abs() < 1e-6);
        }
    }
}
