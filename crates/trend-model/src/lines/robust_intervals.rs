//! Confidence intervals of lines whose coverage is right for few points and uneven scatter. This module does not
//! resample.
//!
//! A parameter of a line, or its value at a point, is a sum `Σ wᵢ yᵢ`. Its variance is estimated from the residual of
//! every single point (HC2: `Σ wᵢ² eᵢ²/(1−hᵢ)`). This is unbiased if the scatter is even, and consistent otherwise. The
//! quantile is that of Student's t with the degrees of freedom of that estimate (Bell and McCaffrey, *Bias reduction in
//! standard errors for linear regression with multi-stage samples*, 2002; Imbens and Kolesár, *Robust standard errors
//! in small samples*, 2016).

use super::regression::linear_regression;
use crate::error::FitError;
use crate::statistics::centred::{Centred, dot};
use crate::statistics::interval::Interval;
use crate::statistics::students::Students;

/// Residual, as a fraction of the largest deviation of the values, below which it is rounding and the line is exact.
const ARITHMETIC: f64 = 1e-13;

/// Minimum of one minus the leverage: below it, the residual contains nothing to estimate a variance from.
const SMALLEST_FREEDOM: f64 = 1e-9;

/// A least-squares line with the sums from which its intervals are computed.
pub(crate) struct RobustLine {
    intercept: f64,
    slope: f64,
    /// Mean of x.
    centre: f64,
    /// Root of `Σ(x − centre)²`.
    length: f64,
    moments: Moments,
    level: f64,
}

/// Sums over points of powers of u, which is x about its mean, divided by the root of its sum of squares. Every
/// interval is a polynomial in these sums. Errors are e, and freedoms are `f = 1 − h` with h the leverage.
#[derive(Default)]
struct Moments {
    points: f64,
    /// `Σ e²`.
    squares: f64,
    /// `Σ uʲ e²/f`.
    errors: [f64; 3],
    /// `Σ uʲ/f`.
    inverse: [f64; 5],
    /// `Σ uʲ (f² − h²)/f²`.
    diagonal: [f64; 5],
    /// True if a leverage leaves nothing of a residual.
    is_degenerate: bool,
}

impl Moments {
    fn add(&mut self, u: f64, error: f64, freedom: f64) {
        let (inverse, h) = (1.0 / freedom, 1.0 - freedom);
        let square = error * error;
        let diagonal = 1.0 - (h * inverse).powi(2);
        self.squares += square;
        let mut power = 1.0;
        for j in 0..5 {
            if j < 3 {
                self.errors[j] += power * inverse * square;
            }
            self.inverse[j] += power * inverse;
            self.diagonal[j] += power * diagonal;
            power *= u;
        }
        self.is_degenerate |= freedom < SMALLEST_FREEDOM;
    }
}

impl RobustLine {
    /// Fits the line.
    ///
    /// - Time: O(k).
    ///
    /// # Errors
    ///
    /// The errors of [`linear_regression`], [`FitError::TooFewPoints`] below three points, [`FitError::InvalidLevel`].
    pub(crate) fn new(x: &[f64], y: &[f64], level: f64) -> Result<Self, FitError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(FitError::InvalidLevel { level });
        }
        let line = linear_regression(x, y)?;
        let points = x.len();
        if points < 3 {
            return Err(FitError::TooFewPoints { points, needed: 3 });
        }
        let (cx, cy) = (Centred::new(x), Centred::new(y));
        let root = dot(&cx.deviations, &cx.deviations).sqrt();
        let direction: Vec<f64> = cx.deviations.iter().map(|d| d / root).collect();
        let slope = dot(&direction, &cy.deviations);
        let exact = |error: f64| if error.abs() <= ARITHMETIC { 0.0 } else { error * cy.scale };
        let mut moments = Moments { points: points as f64, ..Moments::default() };
        for (u, v) in direction.iter().zip(&cy.deviations) {
            moments.add(*u, exact(v - slope * u), 1.0 - 1.0 / points as f64 - u * u);
        }
        let length = root * cx.scale;
        Ok(Self { intercept: line.intercept, slope: line.slope, centre: cx.mean, length, moments, level })
    }

    /// Returns the interval of the slope.
    ///
    /// - Time: O(1), like all intervals.
    pub(crate) fn slope(&self) -> Interval {
        self.interval(self.slope, 0.0, 1.0 / self.length)
    }

    /// Returns the interval of the line's value at `x`.
    pub(crate) fn at(&self, x: f64) -> Interval {
        self.interval(self.intercept + self.slope * x, 1.0, (x - self.centre) / self.length)
    }

    /// Returns the interval of the estimate `Σ wᵢ yᵢ` with `wᵢ = mean/k + along·directionᵢ`.
    ///
    /// # Formula
    ///
    /// The degrees of freedom are `(tr M)²/tr M²` with `Mᵢⱼ = gᵢ(δᵢⱼ − hᵢⱼ)gⱼ` and `gᵢ² = wᵢ²/(1−hᵢ)`. `hᵢⱼ` is a
    /// product of vectors with two components, so the sums over pairs are squares of sums over points.
    ///
    /// - Time: O(1).
    fn interval(&self, estimate: f64, mean: f64, along: f64) -> Interval {
        let Moments { points: k, squares, errors, inverse, diagonal, is_degenerate } = self.moments;
        let even = squares / (k - 2.0);
        // Coefficients of the powers of u in w² and in w⁴.
        let base = mean / k;
        let w2 = [base * base, 2.0 * base * along, along * along];
        let w4 = [
            w2[0] * w2[0],
            2.0 * w2[0] * w2[1],
            2.0 * w2[0] * w2[2] + w2[1] * w2[1],
            2.0 * w2[1] * w2[2],
            w2[2] * w2[2],
        ];
        let sum = |sums: &[f64]| w2.iter().zip(sums).map(|(w, s)| w * s).sum::<f64>();
        let trace = mean * mean / k + along * along;
        let pairs = [sum(&inverse) / k, sum(&inverse[1..]) / k.sqrt(), sum(&inverse[2..])];
        let diagonal: f64 = w4.iter().zip(diagonal).map(|(w, s)| w * s).sum();
        let squares = diagonal + pairs[0] * pairs[0] + 2.0 * pairs[1] * pairs[1] + pairs[2] * pairs[2];
        let (variance, freedom) = if is_degenerate {
            (even * trace, k - 2.0)
        } else {
            (sum(&errors), (trace * trace / squares).clamp(1.0, k - 2.0))
        };
        let half = if variance > 0.0 {
            let probability = f64::midpoint(1.0, self.level);
            let quantile = Students::new(freedom).map_or(f64::INFINITY, |t| t.quantile(probability));
            variance.sqrt() * quantile
        } else {
            0.0
        };
        Interval { lo: estimate - half, hi: estimate + half, level: self.level }
    }
}

#[cfg(test)]
mod tests {
    use crate::error::FitError;
    use crate::models::axes::Axes;
    use crate::models::intervals::intervals;
    use crate::models::linear::Linear;
    use crate::models::power_law::PowerLaw;
    use crate::statistics::interval::Interval;
    use crate::statistics::noise::Noise;

    /// Points that NumPy reproduces: `i = arange(12); x = 10*1.7**i; y = 3*x**1.5*exp(0.2*sin(7.0*i*i))`.
    fn reproducible() -> (Vec<f64>, Vec<f64>) {
        let cost = |i: i32, x: f64| 3.0 * x.powf(1.5) * (0.2 * f64::from(7 * i * i).sin()).exp();
        (0..12).map(|i| (i, 10.0 * 1.7f64.powi(i))).map(|(i, x)| (x, cost(i, x))).unzip()
    }

    fn assert_is(interval: Interval, lo: f64, hi: f64) {
        let near = |value: f64, expected: f64| (value - expected).abs() < 1e-6 * (hi - lo);
        assert!(near(interval.lo, lo) && near(interval.hi, hi), "{interval:?}: {lo} {hi}");
    }

    #[test]
    fn intervals_are_those_of_the_matrix_formula() {
        // Oracle: NumPy and SciPy with explicit hat and G matrices, dof = tr(GᵀG)²/tr((GᵀG)²), stats.t.ppf.
        let (x, y) = reproducible();
        let estimates = intervals(Axes::LogLog, &x, &y, &[1e6], 0.95).unwrap();
        assert_is(estimates.a, 2.299_450_174, 4.046_483_95);
        assert_is(estimates.b, 1.440_601_478, 1.559_652_719);
        assert_is(estimates.predictions[0], 1_707_044_253.0, 5_469_935_783.0);
        let estimates = intervals(Axes::Plain, &x, &y, &[1e6], 0.95).unwrap();
        assert_is(estimates.a, -25_304.118_05, -4_490.545_859);
        assert_is(estimates.b, 136.846_880_1, 161.559_236_6);
        assert_is(estimates.predictions[0], 136_820_913.7, 161_555_408.3);
    }

    #[test]
    fn data_without_noise_has_intervals_without_width() {
        let x = [60.0, 200.0, 500.0, 1000.0, 60_000.0];
        let y = x.map(|x: f64| 7.0 * x.powf(1.3));
        let fit = PowerLaw::fit(&x, &y).unwrap();
        let estimates = intervals(Axes::LogLog, &x, &y, &[1e6], 0.95).unwrap();
        assert_eq!((estimates.b.lo, estimates.b.hi), (fit.b, fit.b));
        assert_eq!(estimates.predictions[0].lo, estimates.predictions[0].hi);
        let estimates = intervals(Axes::Plain, &x, &[5.0; 5], &[1e6], 0.95).unwrap();
        assert_eq!((estimates.b.lo, estimates.b.hi, estimates.a.lo, estimates.a.hi), (0.0, 0.0, 5.0, 5.0));
    }

    #[test]
    fn what_has_no_interval_says_why() {
        let at = |x: &[f64], y: &[f64], at: f64, level: f64| {
            intervals(Axes::LogLog, x, y, &[at], level).unwrap_err()
        };
        let (x, y) = ([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]);
        assert_eq!(at(&x[..2], &y[..2], 1.0, 0.95), FitError::TooFewPoints { points: 2, needed: 3 });
        assert_eq!(at(&x, &y, 0.0, 0.95), FitError::PredictionOutOfDomain { at: 0.0 });
        assert_eq!(at(&x, &y, 1.0, 1.0), FitError::InvalidLevel { level: 1.0 });
        assert_eq!(at(&[2.0; 3], &y, 1.0, 0.95), FitError::ConstantFeature);
        assert_eq!(at(&x, &[1.0, f64::NAN, 1.0], 1.0, 0.95), FitError::NonFinite { index: 1 });
    }

    #[test]
    fn a_point_that_decides_the_slope_alone_leaves_a_finite_interval() {
        let (x, y) = ([1.0, 1.0, 1.0, 5.0], [1.0, 2.0, 3.0, 10.0]);
        let estimates = intervals(Axes::Plain, &x, &y, &[9.0], 0.95).unwrap();
        let fit = Linear::fit(&x, &y).unwrap();
        assert!(
            estimates.b.contains(fit.b) && estimates.b.lo < estimates.b.hi && estimates.b.hi.is_finite(),
            "{estimates:?}"
        );
    }

    #[test]
    fn nominal_coverage_is_the_true_coverage() {
        // Oracle: simulation; 3000 data sets per line, standard error 0.4 %.
        for (k, uneven) in [(10, false), (30, false), (30, true), (100, true)] {
            let mut held = [0; 4];
            for seed in 0..3000 {
                let mut noise = Noise::new(seed);
                let x = noise.log_uniform(k, 100.0, 1e5);
                let scatter = |x: f64| if uneven { 0.1 + 0.2 * (x / 100.0).log10() / 3.0 } else { 0.2 };
                let y: Vec<f64> =
                    x.iter().map(|&x| 3.0 * x.powf(1.4) * (scatter(x) * noise.normal()).exp()).collect();
                let at = [2e5, 1e6];
                let estimates = intervals(Axes::LogLog, &x, &y, &at, 0.95).unwrap();
                held[0] += u32::from(estimates.b.contains(1.4));
                held[1] += u32::from(estimates.a.contains(3.0));
                for (i, at) in at.iter().enumerate() {
                    held[2 + i] += u32::from(estimates.predictions[i].contains(3.0 * at.powf(1.4)));
                }
            }
            for share in held.map(|count| f64::from(count) / 3000.0) {
                assert!((0.93..0.972).contains(&share), "k = {k}, uneven {uneven}: {share}");
            }
        }
    }
}
