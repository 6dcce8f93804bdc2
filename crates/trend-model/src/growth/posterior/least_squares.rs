//! Estimates the shares of a sum's terms and their precision, by least squares around a law that is about right.

use super::bins::{Bins, TERMS};
use crate::numerics::linear_system::{NormalEquations, cholesky, solve};

/// Standard error of a log ratio from which it counts as unknown.
const UNKNOWN: f64 = 2.0;

/// Least squares for all sums of terms at once.
pub(super) struct LeastSquares {
    equations: NormalEquations<{ TERMS.len() }>,
}

/// Log ratios of three terms: of the second to the first, and of the third to the sum of both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ratios {
    pub(super) at: [f64; 2],
    /// Cholesky factor of the covariance of the ratios.
    pub(super) factor: [[f64; 2]; 2],
}

impl Ratios {
    /// Returns the ratios at the given numbers of standard deviations.
    pub(super) fn place(&self, z: [f64; 2]) -> [f64; 2] {
        let [first, second] = self.factor;
        [self.at[0] + first[0] * z[0], self.at[1] + second[0] * z[0] + second[1] * z[1]]
    }

    /// Returns the distance of ratios in standard deviations.
    pub(super) fn distance(&self, u: f64, v: f64) -> f64 {
        let first = (u - self.at[0]) / self.factor[0][0];
        let second = (v - self.at[1] - self.factor[1][0] * first) / self.factor[1][1];
        first.hypot(second)
    }

    /// Returns the area of a square of one standard deviation.
    pub(super) fn area(&self) -> f64 {
        self.factor[0][0] * self.factor[1][1]
    }
}

impl LeastSquares {
    pub(super) fn new(bins: &Bins) -> Self {
        let mut equations = NormalEquations::new();
        for i in 0..bins.len() {
            let z = std::array::from_fn(|class| bins.terms[class][i] / bins.curve[i].exp());
            let target = 1.0 + bins.log_y[i] - bins.curve[i];
            equations.add(&z, bins.weights[i] / bins.repeated(), target, TERMS.len());
        }
        Self { equations }
    }

    /// Returns the least squares of a sum of terms with any coefficients.
    pub(super) fn squares<const P: usize>(&self, classes: [usize; P]) -> f64 {
        let right: [f64; P] = std::array::from_fn(|i| self.equations.right[classes[i]]);
        let Some(solution) = solve(&self.normal(classes), &right, P) else { return 0.0 };
        let explained: f64 = solution.iter().zip(right).map(|(c, right)| c * right).sum();
        (self.equations.squares - explained).max(0.0)
    }

    fn normal<const P: usize>(&self, classes: [usize; P]) -> [[f64; P]; P] {
        let normal = |i: usize, j: usize| self.equations.normal[i.max(j)][i.min(j)];
        std::array::from_fn(|i| std::array::from_fn(|j| normal(classes[i], classes[j])))
    }

    /// Returns the coefficients and their covariance.
    fn solve<const P: usize>(&self, classes: [usize; P]) -> Option<([f64; P], [[f64; P]; P])> {
        let matrix = self.normal(classes);
        let right = std::array::from_fn(|i| self.equations.right[classes[i]]);
        let mut inverse = [[0.0; P]; P];
        for (j, row) in inverse.iter_mut().enumerate() {
            let unit = std::array::from_fn(|i| if i == j { 1.0 } else { 0.0 });
            *row = solve(&matrix, &unit, P)?;
        }
        Some((solve(&matrix, &right, P)?, inverse))
    }

    /// Returns the log ratio of the higher of two terms to the lower one, and its standard error, if both are positive.
    pub(super) fn pair(&self, low: usize, high: usize) -> Option<(f64, f64)> {
        let ([a, b], v) = self.solve([low, high])?;
        let variance = v[0][0] / (a * a) + v[1][1] / (b * b) - 2.0 * v[0][1] / (a * b);
        (a > 0.0 && b > 0.0 && variance > 0.0).then(|| ((b / a).ln(), variance.sqrt()))
    }

    /// Returns the ratios of three terms, if all are positive and known.
    pub(super) fn triple(&self, classes: [usize; 3]) -> Option<Ratios> {
        let (c, v) = self.solve(classes)?;
        if c.iter().any(|&c| c <= 0.0) {
            return None;
        }
        let both = c[0] + c[1];
        let gradients = [[-1.0 / c[0], 1.0 / c[1], 0.0], [-1.0 / both, -1.0 / both, 1.0 / c[2]]];
        let covariance = |p: &[f64; 3], q: &[f64; 3]| -> f64 {
            (0..3).map(|i| (0..3).map(|j| p[i] * v[i][j] * q[j]).sum::<f64>()).sum()
        };
        let matrix =
            std::array::from_fn(|i| std::array::from_fn(|j| covariance(&gradients[i], &gradients[j])));
        let factor = cholesky(&matrix, 2)?;
        let is_resolved = factor[0][0] < UNKNOWN && factor[1][1] < UNKNOWN;
        is_resolved.then(|| Ratios { at: [(c[1] / c[0]).ln(), (c[2] / both).ln()], factor })
    }
}
