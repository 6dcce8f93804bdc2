//! Tests whether points on log-log axes bend away from a straight line, and estimates how much. This module does not
//! interpret the bend.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::statistics::centred::{Centred, dot};

/// The quadratic term that least squares adds to a line.
///
/// The trend is a polynomial of degree up to four. It is written in polynomials `p₀, p₁, p₂, …` that are orthogonal
/// over the data, so that no coefficient depends on the others. The second-degree one is the bend. The third and
/// fourth degrees are neither bend nor noise: they describe the smooth difference between a real cost function and a
/// parabola. Counted as noise, that difference would make a bend look doubtful in noiseless data.
#[derive(Debug)]
pub(crate) struct Curvature {
    /// Two-sided p-value of the hypothesis that there is no bend: the larger one of the t test with equal variances and
    /// the t test that allows for unequal variances.
    pub(crate) p_value: f64,
    /// Slope of the quadratic fit at the smallest `x`.
    pub(crate) slope_small: f64,
    /// Slope of the quadratic fit at the largest `x`.
    pub(crate) slope_large: f64,
    /// Residuals of the whole trend in the order given, divided by their standard error up to a common factor:
    /// `eᵢ/√(1−hᵢ)`. They have equal variance if the noise has.
    pub(crate) residuals: Vec<f64>,
    /// Number of distinct `x`.
    pub(crate) different: usize,
}

/// Maximum degree of the trend: two for the bend, and two for the rest of a smooth function.
const LARGEST_DEGREE: usize = 4;

/// Minimum of one minus the leverage. Below it, the trend must pass through the point, so nothing can be tested.
const SMALLEST_FREEDOM: f64 = 1e-9;

/// Minimum fraction of a power's sum of squares that orthogonalization must leave. Below it, the power of `x` is a
/// combination of the lower powers, and only rounding is left.
const SMALLEST_INDEPENDENT_PART: f64 = 1e-12;

impl Curvature {
    /// Fits and tests the trend; `x` must ascend. Returns `None` below five points, below four distinct `x`, or if the
    /// trend must pass through a point. The degree leaves at least one distinct `x` more than there are coefficients.
    ///
    /// # Formula
    ///
    /// `c = Σp₂y / Σp₂²`, `t = c / s` with n−d−1 degrees of freedom for degree d, once with
    /// `s² = Σe²/(n−d−1)/Σp₂²` and once with the HC3 variance `s² = Σp₂²e²/(1−h)² / (Σp₂²)²` of MacKinnon and White,
    /// *Some heteroskedasticity-consistent covariance matrix estimators*, 1985.
    ///
    /// - Time: O(n).
    pub(crate) fn new(x: &[f64], y: &[f64]) -> Option<Self> {
        let different = x.chunk_by(|p, q| p == q).count();
        if x.len() < 5 || different < 4 {
            return None;
        }
        let degree = (different - 2).min(LARGEST_DEGREE);
        let (x, y) = (Centred::new(x), Centred::new(y));
        let n = y.deviations.len();
        let polynomials = orthonormal_polynomials(&x.deviations, degree)?;
        let coefficients: Vec<f64> = polynomials.iter().map(|p| dot(p, &y.deviations)).collect();
        let mut errors = y.deviations;
        let mut freedoms = vec![1.0; n];
        for (p, c) in polynomials.iter().zip(&coefficients) {
            for ((error, freedom), p) in errors.iter_mut().zip(&mut freedoms).zip(p) {
                *error -= p * c;
                *freedom -= p * p;
            }
        }
        if !freedoms.iter().all(|&freedom| freedom > SMALLEST_FREEDOM) {
            return None;
        }

        let (bend, c) = (&polynomials[2], coefficients[2]);
        let freedom = (n - polynomials.len()) as f64;
        let plain = dot(&errors, &errors) / freedom;
        let parts = bend.iter().zip(&errors).zip(&freedoms).map(|((p, e), f)| (p * e / f).powi(2));
        let robust: f64 = parts.sum();
        let p_value = if c == 0.0 { 1.0 } else { two_sided_p(c / plain.max(robust).sqrt(), freedom) };

        // The quadratic part, as slope + 2·square·z around the middle of the data.
        let line = &polynomials[1];
        let z = &x.deviations;
        let (first, last) = (0, n - 1);
        let inner = (1..n).find(|&i| z[first] < z[i] && z[i] < z[last])?;
        let quadratic = |i: usize| coefficients[1] * line[i] + c * bend[i];
        let (rise, run) = (quadratic(last) - quadratic(first), z[last] - z[first]);
        let square = (quadratic(inner) - quadratic(first) - rise / run * (z[inner] - z[first]))
            / ((z[inner] - z[first]) * (z[inner] - z[last]));
        let unit = y.scale / x.scale;
        let residuals = errors.iter().zip(&freedoms).map(|(e, f)| e / f.sqrt() * y.scale).collect();
        Some(Self {
            p_value,
            slope_small: (rise / run - square * run) * unit,
            slope_large: (rise / run + square * run) * unit,
            residuals,
            different,
        })
    }
}

/// Returns polynomials in `z` of degrees 0 to `degree` that are orthonormal over the data; `None` if the powers of `z`
/// are linearly dependent.
pub(crate) fn orthonormal_polynomials(z: &[f64], degree: usize) -> Option<Vec<Vec<f64>>> {
    let mut basis: Vec<Vec<f64>> = vec![vec![1.0 / (z.len() as f64).sqrt(); z.len()]];
    for _ in 0..degree {
        let mut next: Vec<f64> = basis.last()?.iter().zip(z).map(|(p, z)| p * z).collect();
        let before = dot(&next, &next);
        // Two passes are enough: the second one removes the rounding of the first.
        for _ in 0..2 {
            for p in &basis {
                let along = dot(&next, p);
                for (v, p) in next.iter_mut().zip(p) {
                    *v -= along * p;
                }
            }
        }
        let remainder = dot(&next, &next);
        if remainder.is_nan() || remainder <= SMALLEST_INDEPENDENT_PART * before {
            return None;
        }
        for v in &mut next {
            *v /= remainder.sqrt();
        }
        basis.push(next);
    }
    Some(basis)
}

/// Returns the probability that Student's t is at least as far from 0 as `t`.
pub(crate) fn two_sided_p(t: f64, degrees_of_freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, degrees_of_freedom) {
        Ok(_) if t.is_infinite() => 0.0,
        Ok(distribution) => 2.0 * distribution.sf(t.abs()),
        Err(_) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_and_slopes_are_those_of_numpy() {
        // Oracle: NumPy and SciPy on log x, log y. Slopes from numpy.linalg.lstsq on 1, x, x²; the rest from
        // numpy.linalg.qr of the powers up to 4, scipy.stats.t.sf with the plain (p = 0.266) and the HC3
        // (p = 0.691) variance.
        let x = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0_f64].map(f64::ln);
        let y = [3.0, 7.0, 12.0, 15.0, 28.0, 33.0, 60.0, 70.0, 130.0, 150.0_f64].map(f64::ln);
        let curvature = Curvature::new(&x, &y).unwrap();
        assert!((curvature.p_value - 0.690_897_624_209_194_3).abs() < 1e-9);
        assert!((curvature.slope_small - 1.263_658_271_919_089).abs() < 1e-9);
        assert!((curvature.slope_large - 1.025_896_847_867_764_6).abs() < 1e-9);
        assert!((curvature.residuals[0] - 0.036_416_64).abs() < 1e-8);
        assert!((curvature.residuals[5] + 0.088_249_63).abs() < 1e-8);
    }

    #[test]
    fn a_parabola_is_bent_for_certain() {
        let x: Vec<f64> = (0..9).map(f64::from).collect();
        let y: Vec<f64> = x.iter().map(|x| 1.0 + 2.0 * x + 0.5 * x * x).collect();
        let curvature = Curvature::new(&x, &y).unwrap();
        assert!(curvature.p_value < 1e-12);
        assert!((curvature.slope_small - 2.0).abs() < 1e-12 && (curvature.slope_large - 10.0).abs() < 1e-12);
    }

    #[test]
    fn a_trend_that_must_pass_through_a_point_is_not_tested() {
        assert!(Curvature::new(&[1.0, 1.0, 1.0, 2.0, 2.0, 9.0], &[1.0, 2.0, 3.0, 2.0, 3.0, 30.0]).is_none());
        assert!(Curvature::new(&[1.0, 1.0, 1.0, 2.0, 2.0], &[1.0, 2.0, 3.0, 2.0, 3.0]).is_none());
        assert!(Curvature::new(&[1.0; 6], &[1.0, 2.0, 3.0, 2.0, 3.0, 1.0]).is_none());
    }
}
