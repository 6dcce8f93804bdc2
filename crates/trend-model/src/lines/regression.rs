//! Least-squares lines and R², stable for any offset and scale. This module knows nothing about logarithms or costs.

use crate::error::FitError;
use crate::statistics::centred::{Centred, dot};

/// A least-squares line `ŷ = intercept + slope·x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regression {
    /// `ŷ` at `x = 0`, in units of `y`.
    pub intercept: f64,
    /// Change of `ŷ` per unit of `x`.
    pub slope: f64,
    /// Fraction of the variance of `y` that the line explains, 0 to 1; 1 for a constant `y`.
    pub r2: f64,
    /// Number of points fitted.
    pub points: usize,
}

/// Fits `y = intercept + slope·x` by least squares.
///
/// # Formula
///
/// `slope = Σ(xᵢ−x̄)(yᵢ−ȳ) / Σ(xᵢ−x̄)²`, `intercept = ȳ − slope·x̄`,
/// `R² = (Σ(xᵢ−x̄)(yᵢ−ȳ))² / (Σ(xᵢ−x̄)²·Σ(yᵢ−ȳ)²)`.
///
/// For a constant `y`, the R² formula is 0/0. The line then passes through all points, and R² is 1 by the equivalent `1
/// − Σ(yᵢ−ŷᵢ)²/Σ(yᵢ−ȳ)²` with nothing left over.
///
/// - Time: O(k). Memory: O(k).
///
/// # Errors
///
/// [`FitError::LengthMismatch`], [`FitError::NonFinite`], [`FitError::TooFewPoints`] below two points,
/// [`FitError::ConstantFeature`], [`FitError::ParametersOutOfRange`] if a parameter overflows.
pub fn linear_regression(x: &[f64], y: &[f64]) -> Result<Regression, FitError> {
    check_points(x, y)?;
    let points = y.len();
    if points < 2 {
        return Err(FitError::TooFewPoints { points, needed: 2 });
    }
    let (cx, cy) = (Centred::new(x), Centred::new(y));
    for c in [&cx, &cy] {
        if let Some(index) = c.overflow() {
            return Err(FitError::NonFinite { index });
        }
    }
    if cx.is_constant() {
        return Err(FitError::ConstantFeature);
    }
    let (sxx, sxy) = (dot(&cx.deviations, &cx.deviations), dot(&cx.deviations, &cy.deviations));
    let slope = sxy / sxx * (cy.scale / cx.scale);
    let intercept = cy.mean - slope * cx.mean;
    if !(slope.is_finite() && intercept.is_finite()) {
        return Err(FitError::ParametersOutOfRange);
    }
    Ok(Regression { intercept, slope, r2: cx.r2(&cy).unwrap_or(1.0), points })
}

/// Returns the squared Pearson correlation of two vectors: the part of one's variance that a line in the other
/// explains. Symmetric.
///
/// Returns `None` if either is constant, the lengths differ, or a value is not finite.
///
/// # Formula
///
/// `R² = (Σ(xᵢ−x̄)(yᵢ−ȳ))² / (Σ(xᵢ−x̄)²·Σ(yᵢ−ȳ)²)`
///
/// - Time: O(k). Memory: O(k).
pub fn r_squared(x: &[f64], y: &[f64]) -> Option<f64> {
    check_points(x, y).ok()?;
    Centred::new(x).r2(&Centred::new(y))
}

/// Checks that `x` and `y` have equal length and that all values are finite.
pub(crate) fn check_points(x: &[f64], y: &[f64]) -> Result<(), FitError> {
    if x.len() != y.len() {
        return Err(FitError::LengthMismatch { expected: x.len(), actual: y.len() });
    }
    match x.iter().zip(y).position(|(x, y)| !(x.is_finite() && y.is_finite())) {
        Some(index) => Err(FitError::NonFinite { index }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Norris, from NIST's Statistical Reference Datasets: linear regression, lower difficulty.
    const NORRIS_X: [f64; 36] = [
        0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5, 666.9,
        338.0, 447.5, 11.6, 556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2, 999.0, 779.0,
        11.1, 118.3, 229.2, 669.1, 448.9, 0.5,
    ];
    const NORRIS_Y: [f64; 36] = [
        0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1, 668.8,
        339.3, 448.9, 10.8, 557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888.0, 998.5, 778.9,
        10.2, 117.6, 228.9, 668.4, 449.2, 0.2,
    ];

    fn assert_close(value: f64, expected: f64, relative: f64) {
        assert!((value - expected).abs() <= relative * expected.abs(), "{value} is not {expected}");
    }

    #[test]
    fn norris_has_the_certified_values_to_13_digits() {
        // Oracle: the certified values that NIST publishes with the data.
        let line = linear_regression(&NORRIS_X, &NORRIS_Y).unwrap();
        assert_close(line.intercept, -0.262_323_073_774_029, 1e-12);
        assert_close(line.slope, 1.002_116_818_020_45, 1e-13);
        assert_close(line.r2, 0.999_993_745_883_712, 1e-13);
        assert_eq!(line.points, 36);
        assert_close(r_squared(&NORRIS_X, &NORRIS_Y).unwrap(), 0.999_993_745_883_712, 1e-13);
    }

    #[test]
    fn a_large_offset_costs_no_digits() {
        // Oracle: closed form; the shifted values are exact in floating point.
        let x: Vec<f64> = (0..10).map(|i| 1e15 + f64::from(i)).collect();
        let y: Vec<f64> = (0..10).map(|i| 3.0 * f64::from(i) - 7.0).collect();
        let line = linear_regression(&x, &y).unwrap();
        assert_eq!(line.slope, 3.0);
        assert_eq!(line.r2, 1.0);
    }

    #[test]
    fn values_near_the_ends_of_the_number_range_neither_overflow_nor_vanish() {
        for unit in [1e300, 1e-300] {
            let x = [1.0, 2.0, 4.0].map(|v| v * unit);
            let y = [3.0, 5.0, 9.0].map(|v| v * unit);
            let line = linear_regression(&x, &y).unwrap();
            assert_close(line.slope, 2.0, 1e-14);
            assert_close(line.r2, 1.0, 1e-14);
        }
    }

    #[test]
    fn a_constant_cost_is_fitted_perfectly_and_correlates_with_nothing() {
        let (x, y) = ([1.0, 2.0, 5.0], [0.1; 3]);
        let line = linear_regression(&x, &y).unwrap();
        assert_eq!(line, Regression { intercept: 0.1, slope: 0.0, r2: 1.0, points: 3 });
        assert_eq!(r_squared(&x, &y), None);
        assert_eq!(r_squared(&y, &x), None);
    }

    #[test]
    fn what_cannot_be_fitted_says_why() {
        let fit = |x: &[f64], y: &[f64]| linear_regression(x, y).unwrap_err();
        assert_eq!(fit(&[1.0], &[1.0]), FitError::TooFewPoints { points: 1, needed: 2 });
        assert_eq!(fit(&[0.1; 3], &[1.0, 2.0, 3.0]), FitError::ConstantFeature);
        assert_eq!(fit(&[1.0, 2.0], &[1.0]), FitError::LengthMismatch { expected: 2, actual: 1 });
        assert_eq!(fit(&[1.0, 2.0], &[1.0, f64::NAN]), FitError::NonFinite { index: 1 });
        assert_eq!(fit(&[-1e308, 1.7e308], &[1.0, 2.0]), FitError::NonFinite { index: 1 });
        assert_eq!(fit(&[0.0, 1e-300], &[0.0, 1e300]), FitError::ParametersOutOfRange);
    }

    proptest! {
        #[test]
        fn r_squared_ignores_affine_changes(
            points in prop::collection::vec((-1e3..1e3f64, -1e3..1e3f64), 3..40),
            offset in -1e4..1e4f64,
            factor in prop_oneof![0.01..100.0f64, -100.0..-0.01f64],
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            let changed: Vec<f64> = x.iter().map(|x| offset + factor * x).collect();
            if let (Some(before), Some(after)) = (r_squared(&x, &y), r_squared(&changed, &y)) {
                prop_assert!((before - after).abs() < 1e-6, "{before} became {after}");
            }
        }

        #[test]
        fn no_other_line_leaves_less(
            points in prop::collection::vec((-1e3..1e3f64, -1e3..1e3f64), 3..40),
            da in -1.0..1.0f64,
            db in -1.0..1.0f64,
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            let Ok(line) = linear_regression(&x, &y) else { return Ok(()) };
            let squares = |a: f64, b: f64| x.iter().zip(&y).map(|(x, y)| (y - a - b * x).powi(2)).sum::<f64>();
            let least = squares(line.intercept, line.slope);
            prop_assert!(least <= squares(line.intercept + da, line.slope + db) * (1.0 + 1e-9) + 1e-9);
        }
    }
}
