//! A power law with an offset. For extrapolation with intervals, use growth classes instead.

use super::linear::Linear;
use crate::error::FitError;

/// Largest exponent that is tried; exponents start above 0.
const STEEPEST: f64 = 4.0;
/// Number of steps of the first search. The error has one or two minima over the exponent, farther apart than a step.
const STEPS: usize = 80;
/// Number of golden-section steps: 0.618^40 of a step is below 1e-9.
const REFINEMENTS: usize = 40;

/// The model `ŷ = a + b·x^c`, as aprof-plot fits it to the costs of a routine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffsetPower {
    /// Cost at 0.
    pub a: f64,
    /// Coefficient of the power.
    pub b: f64,
    /// Exponent, 0 to 4.
    pub c: f64,
    /// R² in the original domain; 1 for a constant cost.
    pub r2: f64,
    /// Number of points fitted.
    pub points: usize,
}

impl OffsetPower {
    /// Fits by least squares in the original domain, to the points with a positive `x`. For each exponent that is
    /// tried, the other two parameters come from a line over `x^c`.
    ///
    /// - Time: O(120·k).
    ///
    /// # Errors
    ///
    /// The errors of [`crate::linear_regression`]; three distinct `x` are needed.
    pub fn fit(x: &[f64], y: &[f64]) -> Result<Self, FitError> {
        Self::fit_with(x, y, Linear::fit)
    }

    /// Fits by minimizing `Σ wᵢ (yᵢ − ŷᵢ)²`. `weights` is `[points]`, and only their ratios matter.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::fit`], and [`FitError::NonFinite`] for a weight that is not a positive number.
    pub fn fit_weighted(x: &[f64], y: &[f64], weights: &[f64]) -> Result<Self, FitError> {
        if x.len() != weights.len() {
            return Err(FitError::LengthMismatch { expected: x.len(), actual: weights.len() });
        }
        let used = x.iter().zip(weights).filter(|(x, _)| **x > 0.0);
        let weights: Vec<f64> = used.map(|(_, w)| *w).collect();
        Self::fit_with(x, y, |x, y| Linear::fit_weighted(x, y, &weights))
    }

    /// Fits the model; `line_through` fits the line through `x^c` and y.
    fn fit_with(
        x: &[f64],
        y: &[f64],
        line_through: impl Fn(&[f64], &[f64]) -> Result<Linear, FitError>,
    ) -> Result<Self, FitError> {
        if x.len() != y.len() {
            return Err(FitError::LengthMismatch { expected: x.len(), actual: y.len() });
        }
        let (x, y): (Vec<f64>, Vec<f64>) = x.iter().zip(y).filter(|(x, _)| **x > 0.0).unzip();
        let mut sizes = x.clone();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        if sizes.len() < 3 {
            return Err(FitError::TooFewPoints { points: sizes.len(), needed: 3 });
        }
        // The unit is the largest size, so that no power overflows.
        let scale = sizes[sizes.len() - 1];
        let line = |c: f64| {
            let powers: Vec<f64> = x.iter().map(|x| (x / scale).powf(c)).collect();
            line_through(&powers, &y)
        };
        let r2 = |c: f64| line(c).map_or(f64::NEG_INFINITY, |l| l.r2);
        let step = STEEPEST / STEPS as f64;
        let best = (1..=STEPS).map(|i| step * i as f64).max_by(|a, b| r2(*a).total_cmp(&r2(*b)));
        let best = best.unwrap_or(1.0);
        let (mut lo, mut hi) = ((best - step).max(step / 16.0), (best + step).min(STEEPEST));
        let golden = (5_f64.sqrt() - 1.0) / 2.0;
        for _ in 0..REFINEMENTS {
            let (left, right) = (hi - golden * (hi - lo), lo + golden * (hi - lo));
            if r2(left) > r2(right) { hi = right } else { lo = left }
        }
        let c = f64::midpoint(lo, hi);
        let line = line(c)?;
        let b = line.b / scale.powf(c);
        if !(b.is_finite() && line.a.is_finite()) {
            return Err(FitError::ParametersOutOfRange);
        }
        Ok(Self { a: line.a, b, c, r2: line.r2, points: x.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_law_is_recovered() {
        for (a, b, c) in
            [(50.0, 2.0, 1.5), (1e6, 0.25, 2.0), (3.0, 7.0, 1.0), (-40.0, 5.0, 3.0), (10.0, 4.0, 0.5)]
        {
            let x: Vec<f64> = (1..40).map(|i| 5.0 * f64::from(i)).collect();
            let y: Vec<f64> = x.iter().map(|x| a + b * x.powf(c)).collect();
            let fit = OffsetPower::fit(&x, &y).unwrap();
            assert!((fit.c - c).abs() < 1e-4, "{fit:?}");
            assert!((fit.b / b - 1.0).abs() < 1e-3, "{fit:?}");
            assert!(fit.r2 > 1.0 - 1e-9);
        }
    }

    #[test]
    fn whole_weights_fit_as_repeated_points_do() {
        let x = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
        let (y, weights) = ([5.0, 8.0, 20.0, 60.0, 260.0, 1000.0], [3.0, 1.0, 2.0, 1.0, 4.0, 1.0]);
        let repeated = |values: [f64; 6]| -> Vec<f64> {
            values.iter().zip(weights).flat_map(|(v, w)| vec![*v; w as usize]).collect()
        };
        let expected = OffsetPower::fit(&repeated(x), &repeated(y)).unwrap();
        let weighted = OffsetPower::fit_weighted(&x, &y, &weights).unwrap();
        assert!(
            (weighted.c - expected.c).abs() < 1e-6 && (weighted.b / expected.b - 1.0).abs() < 1e-5,
            "{weighted:?}"
        );
        assert!((weighted.c - OffsetPower::fit(&x, &y).unwrap().c).abs() > 1e-3);
    }

    #[test]
    fn two_sizes_are_too_few_and_zeros_are_left_out() {
        let error = OffsetPower::fit(&[0.0, 1.0, 1.0, 2.0], &[9.0, 1.0, 1.0, 2.0]).unwrap_err();
        assert_eq!(error, FitError::TooFewPoints { points: 2, needed: 3 });
    }
}
