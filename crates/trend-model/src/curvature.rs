//! Whether points on log-log axes bend away from a straight line, and how much. Does not interpret the bend.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::regression::{Centred, dot};
use crate::wide::widely;

/// The quadratic term that least squares adds to a line.
///
/// The trend is a polynomial of degree up to four, written in polynomials `p₀, p₁, p₂, …` that are orthogonal over
/// the data, so that no coefficient depends on the others. The second one is the bend. What the third and fourth
/// take up is neither: the smooth rest that a real cost function leaves of a parabola. Counted as noise, it would
/// make a bend look doubtful in data that have no noise at all.
#[derive(Debug)]
pub(crate) struct Curvature {
    /// Two-sided p-value of the hypothesis that there is no bend: the larger of the t test with equal variances and
    /// the one that allows for unequal variances.
    pub(crate) p_value: f64,
    /// Slope of the quadratic fit at the smallest `x`.
    pub(crate) slope_small: f64,
    /// Slope of the quadratic fit at the largest `x`.
    pub(crate) slope_large: f64,
    /// Residuals of the whole trend divided by their standard error up to a common factor, in the order given:
    /// `eᵢ/√(1−hᵢ)`, of equal variance when the noise is.
    pub(crate) residuals: Vec<f64>,
    /// How many different `x` there are.
    pub(crate) different: usize,
}

/// What all curves over the same `x` have in common.
#[derive(Debug)]
pub(crate) struct Basis {
    /// As given.
    pub(crate) x: Vec<f64>,
    centred: Centred,
    different: usize,
    /// By degree, from 0; `[degrees × points]`.
    polynomials: Vec<Vec<f64>>,
    /// What the leverage `h` of a point leaves: `1 − h`, and its root.
    freedoms: Vec<f64>,
    roots: Vec<f64>,
    /// A point that is neither at the smallest nor at the largest `x`.
    inner: usize,
}

/// Largest degree of the trend: two for the bend, two for what a smooth function has besides.
const LARGEST_DEGREE: usize = 4;

/// Leverages nearer to 1 than this belong to points that the trend must pass through; nothing can be tested.
const LARGEST_LEVERAGE: f64 = 1.0 - 1e-9;

/// A power of `x` of which orthogonalization leaves a smaller fraction (of the sum of squares) is a combination of
/// the lower powers, and what is left is rounding.
const SMALLEST_INDEPENDENT_PART: f64 = 1e-12;

impl Curvature {
    /// Fits and tests; `x` ascending. `None` below five points, below four different `x`, or when the trend must pass
    /// through a point. The degree of the trend leaves at least one different `x` more than it has coefficients.
    ///
    /// # Formula
    ///
    /// `c = Σp₂y / Σp₂²`, `t = c / s` with n−d−1 degrees of freedom for degree d, once with
    /// `s² = Σe²/(n−d−1)/Σp₂²` and once with the HC3 variance `s² = Σp₂²e²/(1−h)² / (Σp₂²)²` of MacKinnon and White,
    /// *Some heteroskedasticity-consistent covariance matrix estimators*, 1985.
    ///
    /// - Time: O(n).
    pub(crate) fn new(x: &[f64], y: &[f64]) -> Option<Self> {
        Some(Basis::new(x)?.curvature(y))
    }
}

impl Basis {
    /// Of the curves over `x`, which ascends; `None` as for [`Curvature::new`].
    ///
    /// - Time: O(n).
    pub(crate) fn new(x: &[f64]) -> Option<Self> {
        let different = x.chunk_by(|p, q| p == q).count();
        if x.len() < 5 || different < 4 {
            return None;
        }
        let degree = (different - 2).min(LARGEST_DEGREE);
        let centred = Centred::new(x);
        let polynomials = orthonormal_polynomials(&centred.deviations, degree)?;
        let leverage = |i: usize| polynomials.iter().map(|p| p[i] * p[i]).sum::<f64>();
        let leverages: Vec<f64> = (0..x.len()).map(leverage).collect();
        if !leverages.iter().all(|&h| h < LARGEST_LEVERAGE) {
            return None;
        }
        let freedoms: Vec<f64> = leverages.into_iter().map(|h| 1.0 - h).collect();
        let (z0, z1) = (centred.deviations[0], centred.deviations[x.len() - 1]);
        let inner = (1..x.len()).find(|&i| z0 < centred.deviations[i] && centred.deviations[i] < z1)?;
        let roots = freedoms.iter().map(|f| f.sqrt()).collect();
        Some(Self { x: x.to_vec(), centred, different, polynomials, freedoms, roots, inner })
    }

    /// Fits and tests as many `y`.
    ///
    /// - Time: O(n).
    pub(crate) fn curvature(&self, y: &[f64]) -> Curvature {
        let (x, y) = (&self.centred, Centred::new(y));
        let coefficients: Vec<f64> = self.polynomials.iter().map(|p| dot(p, &y.deviations)).collect();
        let n = y.deviations.len();
        let mut errors = vec![0.0; n];
        for (p, &c) in self.polynomials.iter().zip(&coefficients) {
            add_times(&mut errors, p, c);
        }
        subtract_from(&mut errors, &y.deviations);

        let (bend, c) = (&self.polynomials[2], coefficients[2]);
        let freedom = (n - self.polynomials.len()) as f64;
        let plain = dot(&errors, &errors) / freedom;
        let mut residuals = vec![0.0; n];
        fill_squares(&mut residuals, bend, &errors, &self.freedoms);
        let robust: f64 = residuals.iter().sum();
        let p_value = if c == 0.0 { 1.0 } else { two_sided_p(c / plain.max(robust).sqrt(), freedom) };

        // The quadratic part, as slope + 2·square·z about the middle of the data.
        let line = &self.polynomials[1];
        let (first, last, inner) = (0, n - 1, self.inner);
        let (z0, z, z1) = (x.deviations[first], x.deviations[inner], x.deviations[last]);
        let quadratic = |i: usize| coefficients[1] * line[i] + c * bend[i];
        let (rise, run) = (quadratic(last) - quadratic(first), z1 - z0);
        let square = (quadratic(inner) - quadratic(first) - rise / run * (z - z0)) / ((z - z0) * (z - z1));
        let unit = y.scale / x.scale;
        fill_residuals(&mut residuals, &errors, &self.roots, y.scale);
        Curvature {
            p_value,
            slope_small: (rise / run - square * run) * unit,
            slope_large: (rise / run + square * run) * unit,
            residuals,
            different: self.different,
        }
    }
}

widely! {
    fn add_times(sums: &mut [f64], values: &[f64], factor: f64) {
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += value * factor;
        }
    }
}

widely! {
    fn subtract_from(values: &mut [f64], from: &[f64]) {
        for (value, from) in values.iter_mut().zip(from) {
            *value = from - *value;
        }
    }
}

widely! {
    /// Terms of the robust variance.
    fn fill_squares(squares: &mut [f64], bend: &[f64], errors: &[f64], freedoms: &[f64]) {
        for (((square, bend), error), freedom) in squares.iter_mut().zip(bend).zip(errors).zip(freedoms) {
            let part = bend * error / freedom;
            *square = part * part;
        }
    }
}

widely! {
    fn fill_residuals(residuals: &mut [f64], errors: &[f64], roots: &[f64], scale: f64) {
        for ((residual, error), root) in residuals.iter_mut().zip(errors).zip(roots) {
            *residual = error / root * scale;
        }
    }
}

/// Polynomials in `z` of degrees 0 to `degree`, of length 1 and at right angles over the data; `None` when the
/// powers of `z` are not independent.
pub(crate) fn orthonormal_polynomials(z: &[f64], degree: usize) -> Option<Vec<Vec<f64>>> {
    let mut basis: Vec<Vec<f64>> = vec![vec![1.0 / (z.len() as f64).sqrt(); z.len()]];
    for _ in 0..degree {
        let mut next: Vec<f64> = basis.last()?.iter().zip(z).map(|(p, z)| p * z).collect();
        let before = dot(&next, &next);
        // Twice is enough: the second pass removes what rounding left in the first.
        for _ in 0..2 {
            for p in &basis {
                let along = dot(&next, p);
                for (v, p) in next.iter_mut().zip(p) {
                    *v -= along * p;
                }
            }
        }
        let left = dot(&next, &next);
        if left.is_nan() || left <= SMALLEST_INDEPENDENT_PART * before {
            return None;
        }
        for v in &mut next {
            *v /= left.sqrt();
        }
        basis.push(next);
    }
    Some(basis)
}

/// The probability that Student's t is at least as far from 0 as `t`.
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
