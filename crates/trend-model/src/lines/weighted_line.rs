//! Weighted least-squares lines and their robust intervals. This module does not compute weights.
//!
//! Let `zᵢ = (√wᵢ/√W, √wᵢ·(xᵢ−x̄)/√S)`, with W the sum of the weights, x̄ the weighted mean of x and S the weighted sum
//! of squares about it. The columns of z are then orthonormal, and everything is as for a line without weights. A
//! parameter is a sum `Σ aᵢ √wᵢ yᵢ` with a a combination of the columns. The leverage of a point is `|zᵢ|²`, and its
//! residual is `√wᵢ eᵢ`.

use super::regression::{Regression, check_points};
use crate::error::FitError;
use crate::statistics::centred::Centred;
use crate::statistics::interval::Interval;
use crate::statistics::students::Students;

/// Residual, as a fraction of the largest deviation of the values, below which it is rounding and the line is exact.
const ARITHMETIC: f64 = 1e-13;

/// Minimum of one minus the leverage: below it, the residual contains nothing to estimate a variance from.
const SMALLEST_FREEDOM: f64 = 1e-9;

/// A line with the points from which its intervals are computed.
pub(crate) struct WeightedLine {
    pub(crate) line: Regression,
    /// Weighted mean of x.
    centre: f64,
    /// Root of the weighted sum of squares about that mean.
    length: f64,
    /// Root of the sum of the weights.
    root: f64,
    points: Vec<Point>,
}

/// A point in the coordinates of the line.
struct Point {
    z: [f64; 2],
    /// Residual times the root of the weight.
    error: f64,
}

impl WeightedLine {
    /// Fits `y = intercept + slope·x` by minimizing `Σ wᵢ (yᵢ − ŷᵢ)²`; only ratios of the weights matter. R² is
    /// computed from the weighted squares.
    ///
    /// - Time: O(k).
    ///
    /// # Errors
    ///
    /// The errors of [`linear_regression`](crate::linear_regression), and [`FitError::NonFinite`] for a weight that is
    /// not a positive number.
    pub(crate) fn fit(x: &[f64], y: &[f64], weights: &[f64]) -> Result<Self, FitError> {
        check_points(x, y)?;
        if weights.len() != x.len() {
            return Err(FitError::LengthMismatch { expected: x.len(), actual: weights.len() });
        }
        if let Some(index) = weights.iter().position(|w| !(w.is_finite() && *w > 0.0)) {
            return Err(FitError::NonFinite { index });
        }
        if x.len() < 2 {
            return Err(FitError::TooFewPoints { points: x.len(), needed: 2 });
        }
        // About the unweighted means, in units of the largest deviation, nothing overflows or cancels.
        let (cx, cy) = (Centred::new(x), Centred::new(y));
        if !(cx.scale.is_finite() && cy.scale.is_finite()) {
            let huge = |values: &[f64]| values.iter().position(|v| v.abs() > f64::MAX / 4.0);
            return Err(FitError::NonFinite { index: huge(x).or_else(|| huge(y)).unwrap_or(0) });
        }
        if cx.is_constant() {
            return Err(FitError::ConstantFeature);
        }
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let weights: Vec<f64> = weights.iter().map(|w| w / largest).collect();
        let total: f64 = weights.iter().sum();
        let mean = |values: &[f64]| weights.iter().zip(values).map(|(w, v)| w * v).sum::<f64>() / total;
        let (u_mean, v_mean) = (mean(&cx.deviations), mean(&cy.deviations));
        let (mut uu, mut uv, mut vv) = (0.0, 0.0, 0.0);
        for ((u, v), w) in cx.deviations.iter().zip(&cy.deviations).zip(&weights) {
            let (u, v) = (u - u_mean, v - v_mean);
            uu += w * u * u;
            uv += w * u * v;
            vv += w * v * v;
        }
        let slope = uv / uu;
        let point = |((u, v), w): ((&f64, &f64), &f64)| {
            let (u, v) = (u - u_mean, v - v_mean);
            let error = v - slope * u;
            let error = if error.abs() <= ARITHMETIC { 0.0 } else { error * cy.scale };
            Point { z: [(w / total).sqrt(), (w / uu).sqrt() * u], error: error * w.sqrt() }
        };
        let points: Vec<Point> = cx.deviations.iter().zip(&cy.deviations).zip(&weights).map(point).collect();
        let slope = if cy.is_constant() { 0.0 } else { slope * (cy.scale / cx.scale) };
        let centre = cx.mean + u_mean * cx.scale;
        let intercept = cy.mean + v_mean * cy.scale - slope * centre;
        if !(slope.is_finite() && intercept.is_finite()) {
            return Err(FitError::ParametersOutOfRange);
        }
        let r2 = if vv > 0.0 { (uv * uv / (uu * vv)).min(1.0) } else { 1.0 };
        let line = Regression { intercept, slope, r2, points: x.len() };
        Ok(Self { line, centre, length: uu.sqrt() * cx.scale, root: total.sqrt(), points })
    }

    /// Returns the interval of the slope.
    ///
    /// - Time: O(k), like all intervals.
    pub(crate) fn slope(&self, level: f64) -> Interval {
        self.interval(self.line.slope, [0.0, 1.0 / self.length], level)
    }

    /// Returns the interval of the line's value at `x`.
    pub(crate) fn at(&self, x: f64, level: f64) -> Interval {
        let value = self.line.intercept + self.line.slope * x;
        self.interval(value, [1.0 / self.root, (x - self.centre) / self.length], level)
    }

    /// Returns the interval of the estimate `Σ aᵢ √wᵢ yᵢ` with `aᵢ = along·zᵢ`.
    ///
    /// # Formula
    ///
    /// HC2 with the degrees of freedom of Bell and McCaffrey, as in [`intervals()`](crate::intervals()): `V = Σ aᵢ²
    /// eᵢ²/(1−hᵢ)`, and `(tr M)²/tr M²` with `Mᵢⱼ = gᵢ(δᵢⱼ − hᵢⱼ)gⱼ`, `gᵢ² = aᵢ²/(1−hᵢ)` and `hᵢⱼ = zᵢ·zⱼ`.
    fn interval(&self, estimate: f64, along: [f64; 2], level: f64) -> Interval {
        let k = self.points.len() as f64;
        let (mut variance, mut trace, mut diagonal, mut pairs) = (0.0, 0.0, 0.0, [0.0; 3]);
        let (mut squares, mut is_degenerate) = (0.0, false);
        for Point { z, error } in &self.points {
            let a = along[0] * z[0] + along[1] * z[1];
            let h = z[0] * z[0] + z[1] * z[1];
            let freedom = 1.0 - h;
            let g = a * a / freedom;
            variance += g * error * error;
            squares += error * error;
            trace += a * a;
            diagonal += g * g * (freedom * freedom - h * h);
            pairs[0] += g * z[0] * z[0];
            pairs[1] += g * z[0] * z[1];
            pairs[2] += g * z[1] * z[1];
            is_degenerate |= freedom < SMALLEST_FREEDOM;
        }
        let of_pairs = pairs[0] * pairs[0] + 2.0 * pairs[1] * pairs[1] + pairs[2] * pairs[2];
        let (variance, freedom) = if is_degenerate {
            (squares / (k - 2.0) * trace, k - 2.0)
        } else {
            (variance, (trace * trace / (diagonal + of_pairs)).clamp(1.0, k - 2.0))
        };
        let half = if variance > 0.0 {
            let quantile =
                Students::new(freedom).map_or(f64::INFINITY, |t| t.quantile(f64::midpoint(1.0, level)));
            variance.sqrt() * quantile
        } else {
            0.0
        };
        Interval { lo: estimate - half, hi: estimate + half, level }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::regression::linear_regression;
    use crate::models::axes::Axes;
    use crate::models::intervals::intervals;

    const X: [f64; 6] = [1.0, 2.0, 3.0, 5.0, 8.0, 13.0];
    const Y: [f64; 6] = [2.0, 3.5, 4.0, 8.0, 11.0, 20.0];

    #[test]
    fn whole_weights_fit_as_repeated_points_do() {
        let weights = [3.0, 1.0, 2.0, 1.0, 4.0, 1.0];
        let repeated = |values: [f64; 6]| -> Vec<f64> {
            values.iter().zip(weights).flat_map(|(v, w)| vec![*v; w as usize]).collect()
        };
        let expected = linear_regression(&repeated(X), &repeated(Y)).unwrap();
        let weighted = WeightedLine::fit(&X, &Y, &weights.map(|w| w * 1e-7)).unwrap().line;
        assert!((weighted.slope - expected.slope).abs() < 1e-14, "{weighted:?} {expected:?}");
        assert!(
            (weighted.intercept - expected.intercept).abs() < 1e-13
                && (weighted.r2 - expected.r2).abs() < 1e-14
        );
    }

    #[test]
    fn even_weights_have_the_intervals_of_none() {
        let expected = intervals(Axes::Plain, &X, &Y, &[40.0], 0.9).unwrap();
        let line = WeightedLine::fit(&X, &Y, &[0.3; 6]).unwrap();
        for (actual, expected) in [
            (line.slope(0.9), expected.b),
            (line.at(0.0, 0.9), expected.a),
            (line.at(40.0, 0.9), expected.predictions[0]),
        ] {
            assert!(
                (actual.lo - expected.lo).abs() < 1e-11 && (actual.hi - expected.hi).abs() < 1e-11,
                "{actual:?}"
            );
        }
    }

    #[test]
    fn intervals_are_those_of_the_matrix_formula() {
        // Oracle: NumPy and SciPy with explicit hat and G matrices of the points times the roots of their weights.
        let line = WeightedLine::fit(&X, &Y, &[1.0, 4.0, 0.5, 2.0, 9.0, 3.0]).unwrap();
        let (slope, far) = (line.slope(0.95), line.at(40.0, 0.95));
        let is = |actual: f64, expected: f64| (actual - expected).abs() < 1e-7;
        assert!(is(slope.lo, 0.898_078_948_316) && is(slope.hi, 1.989_192_385_847), "{slope:?}");
        assert!(is(far.lo, 36.694_893_802_979) && is(far.hi, 79.120_258_002_404), "{far:?}");
    }

    #[test]
    fn what_cannot_be_fitted_says_why() {
        let fit = |x: &[f64], w: &[f64]| WeightedLine::fit(x, &Y[..x.len()], w).err().unwrap();
        assert_eq!(fit(&[2.0; 3], &[1.0; 3]), FitError::ConstantFeature);
        assert_eq!(fit(&[1.0], &[1.0]), FitError::TooFewPoints { points: 1, needed: 2 });
        assert_eq!(fit(&X, &[1.0; 5]), FitError::LengthMismatch { expected: 6, actual: 5 });
        assert_eq!(fit(&X, &[1.0, 0.0, 1.0, 1.0, 1.0, 1.0]), FitError::NonFinite { index: 1 });
    }
}
