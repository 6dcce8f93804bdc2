//! Bins the points for comparison with many laws. Neighbouring points share a bin, because all plausible laws are alike
//! between them. This module knows no laws.

use crate::growth::fits::points::Points;
use crate::laws::class::{GrowthClass, Term};
use crate::numerics::logarithms::replace_by_ln;

/// Number of bins. These distinguish laws as well as all points do, because two plausible laws differ smoothly.
const BINS: usize = 12;

/// Terms that sums consist of, by growth: the powers and logarithms among the named classes.
pub(super) const TERMS: [GrowthClass; 9] = *GrowthClass::FIXED.first_chunk().unwrap();

/// Bins by ascending size.
pub(super) struct Bins {
    /// `ln(x/x_max)`.
    pub(super) log_x: Vec<f64>,
    /// The logarithmic factor, 1 at the largest size.
    pub(super) log_factors: Vec<f64>,
    /// Logarithm of the mean cost, in units of the largest.
    pub(super) log_y: Vec<f64>,
    /// Logarithm of the cost by a law that is about right, in the same unit.
    pub(super) curve: Vec<f64>,
    /// Inverse variances of the bins.
    pub(super) weights: Vec<f64>,
    /// Sum of the inverse variances.
    pub(super) weight: f64,
    /// Terms, `[class][bin]`, each 1 at the largest size.
    pub(super) terms: Vec<Vec<f64>>,
    /// Weighted squares of the points around their bins.
    within: f64,
    worth: Worth,
    buffer: Vec<f64>,
}

/// Amount of information in the points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    pub(super) points: f64,
    /// Number of independent observations that the points are worth.
    pub(super) observations: f64,
    /// Known part of their variance.
    pub(super) known_share: f64,
}

impl Worth {
    /// Returns the log likelihood of weighted squares, integrated over total and scatter with the priors `1/total` and
    /// `1/scatter`. The known part of the variance counts as the same part of the observations.
    pub(super) fn log_likelihood(self, squares: f64) -> f64 {
        let known_observations = self.known_share * self.observations;
        let all = known_observations + squares * self.observations / self.points;
        let freedom = known_observations + self.observations - 1.0;
        if all.is_finite() && all > 0.0 { -0.5 * freedom * all.ln() } else { f64::NEG_INFINITY }
    }
}

impl Bins {
    /// Bins points with inverse variances, around the logarithms of a law that is about right.
    pub(super) fn new(points: &Points, weights: &[f64], curve: &[f64], worth: Worth) -> Self {
        let n = points.len();
        let bins = n.min(BINS);
        let (log_x, log_factors) = (points.log_x(), points.log_factors());
        let new = || Vec::with_capacity(bins);
        let mut all = Self {
            log_x: new(),
            log_factors: new(),
            log_y: new(),
            curve: new(),
            weights: new(),
            weight: weights.iter().sum(),
            terms: Vec::new(),
            within: 0.0,
            worth,
            buffer: new(),
        };
        for bin in 0..bins {
            let range = bin * n / bins..(bin + 1) * n / bins;
            let weight: f64 = weights[range.clone()].iter().sum();
            let mean = |value: &dyn Fn(usize) -> f64| -> f64 {
                range.clone().map(|i| weights[i] * value(i)).sum::<f64>() / weight
            };
            let off = |i: usize| points.log_y[i] - curve[i];
            let (middle, mean_off) = (mean(&|i| log_x[i]), mean(&off));
            let distance = |i: usize| (log_x[i] - middle).abs();
            let nearest = range.clone().min_by(|&i, &j| distance(i).total_cmp(&distance(j)));
            let nearest = nearest.unwrap_or(range.start);
            all.within += range.map(|i| weights[i] * (off(i) - mean_off).powi(2)).sum::<f64>();
            all.log_x.push(log_x[nearest]);
            all.log_factors.push(log_factors[nearest]);
            all.curve.push(curve[nearest]);
            all.log_y.push(curve[nearest] + mean_off);
            all.weights.push(weight);
        }
        all.terms = TERMS.iter().map(|class| all.term(class.term())).collect();
        all
    }

    fn term(&self, term: Term) -> Vec<f64> {
        let Term::Power { exponent, log } = term else { return Vec::new() };
        let value = |(x, factor): (&f64, &f64)| (exponent * x).exp() * if log { *factor } else { 1.0 };
        self.log_x.iter().zip(&self.log_factors).map(value).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.log_x.len()
    }

    /// Returns the number of points per independent observation.
    pub(super) fn repeated(&self) -> f64 {
        self.worth.points / self.worth.observations
    }

    /// Returns the log likelihood of squares that were divided by [`Self::repeated`].
    pub(super) fn log_likelihood_of(&self, squares: f64) -> f64 {
        self.worth.log_likelihood(self.within + squares * self.repeated())
    }

    /// Returns the logarithm of the best factor of a law's shape, and the log likelihood with it. `shape` returns the
    /// shape at a bin.
    ///
    /// - Time: some 0.1 µs.
    pub(super) fn likelihood(&mut self, shape: impl Fn(&Self, usize) -> f64) -> (f64, f64) {
        let mut off = std::mem::take(&mut self.buffer);
        off.clear();
        off.extend((0..self.len()).map(|i| shape(self, i)));
        replace_by_ln(&mut off);
        let mut sum = 0.0;
        for ((off, y), weight) in off.iter_mut().zip(&self.log_y).zip(&self.weights) {
            *off = y - *off;
            sum += weight * *off;
        }
        let factor = sum / self.weight;
        let squares = off.iter().zip(&self.weights).map(|(off, w)| w * (off - factor) * (off - factor));
        let squares = self.within + squares.sum::<f64>();
        self.buffer = off;
        (factor, self.worth.log_likelihood(squares))
    }
}
