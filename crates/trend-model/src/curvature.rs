//! Whether points on log-log axes bend away from a straight line, and how much. Does not interpret the bend.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::regression::{Centred, dot};

/// The quadratic term that least squares adds to a line, made orthogonal to the line.
///
/// With `z = x − x̄` and `p = z² − αz − β` such that `Σp = Σpz = 0`, the quadratic fit is the line plus `c·p`, and
/// `c = Σp·y / Σp²` does not depend on the line.
#[derive(Debug)]
pub(crate) struct Curvature {
    /// Two-sided p-value of the hypothesis that the points are on a line: the larger of the t test with equal
    /// variances and the one that allows for unequal variances.
    pub(crate) p_value: f64,
    /// Slope of the quadratic fit at the smallest `x`.
    pub(crate) slope_small: f64,
    /// Slope of the quadratic fit at the largest `x`.
    pub(crate) slope_large: f64,
    /// Residuals of the quadratic fit divided by their standard error up to a common factor, in the order
    /// given: `eᵢ/√(1−hᵢ)`, of equal variance when the noise is.
    pub(crate) residuals: Vec<f64>,
}

/// Leverages nearer to 1 than this belong to points that the fit must pass through; nothing can be tested.
const LARGEST_LEVERAGE: f64 = 1.0 - 1e-9;

impl Curvature {
    /// Fits and tests. `None` below five points, below three different `x`, or when one point alone determines
    /// the bend.
    ///
    /// # Formula
    ///
    /// `t = c / s` with n−3 degrees of freedom, once with `s² = Σe²/(n−3)/Σp²` (its square is the F test of the
    /// added term) and once with the HC3 variance `s² = Σp²e²/(1−h)² / (Σp²)²` of MacKinnon and White, *Some
    /// heteroskedasticity-consistent covariance matrix estimators*, 1985.
    ///
    /// - Time: O(n).
    pub(crate) fn new(x: &[f64], y: &[f64]) -> Option<Self> {
        if x.len() < 5 {
            return None;
        }
        let n = x.len() as f64;
        let (x, y) = (Centred::new(x), Centred::new(y));
        let z = &x.deviations;
        let szz = dot(z, z);
        let squares: Vec<f64> = z.iter().map(|z| z * z).collect();
        let (alpha, beta) = (dot(&squares, z) / szz, szz / n);
        let p: Vec<f64> = z.iter().map(|z| z * z - alpha * z - beta).collect();
        let spp = dot(&p, &p);
        let slope = dot(z, &y.deviations) / szz;
        let c = dot(&p, &y.deviations) / spp;
        let errors: Vec<f64> = (0..z.len()).map(|i| y.deviations[i] - slope * z[i] - c * p[i]).collect();
        let leverages: Vec<f64> =
            z.iter().zip(&p).map(|(z, p)| 1.0 / n + z * z / szz + p * p / spp).collect();
        // Also refuses NaN, from a constant x or one with two values.
        if !leverages.iter().all(|&h| h < LARGEST_LEVERAGE) {
            return None;
        }

        let plain = dot(&errors, &errors) / (n - 3.0) / spp;
        let weighted = |i: usize| (p[i] * errors[i] / (1.0 - leverages[i])).powi(2);
        let robust = (0..z.len()).map(weighted).sum::<f64>() / (spp * spp);
        let p_value = if c == 0.0 { 1.0 } else { two_sided_p(c / plain.max(robust).sqrt(), n - 3.0) };

        let (low, high) = z.iter().fold((0.0, 0.0), |(l, h): (f64, f64), &z| (l.min(z), h.max(z)));
        let unit = y.scale / x.scale;
        let slope_at = |z: f64| (slope + c * (2.0 * z - alpha)) * unit;
        let residuals = errors.iter().zip(&leverages).map(|(e, h)| e / (1.0 - h).sqrt() * y.scale).collect();
        Some(Self { p_value, slope_small: slope_at(low), slope_large: slope_at(high), residuals })
    }
}

/// The probability that Student's t is at least as far from 0 as `t`.
pub(crate) fn two_sided_p(t: f64, degrees_of_freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, degrees_of_freedom) {
        Ok(_) if t.is_infinite() => 0.0,
        Ok(distribution) => 2.0 * distribution.sf(t.abs()),
        Err(_) => 1.0,
    }
}
