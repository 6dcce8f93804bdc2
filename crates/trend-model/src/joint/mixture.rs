//! Quantiles of a mixture of Student's t distributions, which combine the predictions of several models into one
//! interval. This module knows no models.

use crate::statistics::interval::Interval;
use crate::statistics::students::Students;

/// One model's prediction: the logarithm of a cost, with errors of Student's t distribution.
pub(crate) struct MixturePart {
    /// Weight of the model among the parts; the weights need not sum to 1.
    weight: f64,
    /// Logarithm of the predicted cost.
    log_cost: f64,
    /// Standard error of the logarithm; 0 for an exact prediction.
    error: f64,
    /// Distribution of the error, in units of the standard error.
    students: Students,
}

impl MixturePart {
    /// Creates a part from the logarithm of a predicted cost. Returns `None` without degrees of freedom.
    pub(crate) fn new(weight: f64, log_cost: f64, error: f64, degrees_of_freedom: f64) -> Option<Self> {
        /// Limit of the logarithm: `e^±800` is beyond `f64`. A model that goes below 0 predicts that nothing is left of
        /// the cost.
        const LARGEST_LOG: f64 = 800.0;
        let log_cost =
            if log_cost.is_nan() { -LARGEST_LOG } else { log_cost.clamp(-LARGEST_LOG, LARGEST_LOG) };
        let error = if error.is_nan() { 0.0 } else { error.min(LARGEST_LOG) };
        let students = Students::new(degrees_of_freedom)?;
        Some(Self { weight, log_cost, error, students })
    }

    /// Returns the logarithm that the cost is below with this probability.
    fn quantile(&self, probability: f64) -> f64 {
        if self.error > 0.0 {
            self.log_cost + self.error * self.students.quantile(probability)
        } else {
            self.log_cost
        }
    }

    /// Returns the probability that the logarithm of the cost is at most `limit`.
    fn probability_below(&self, limit: f64) -> f64 {
        if self.error > 0.0 {
            self.students.cdf((limit - self.log_cost) / self.error)
        } else if limit < self.log_cost {
            0.0
        } else {
            1.0
        }
    }
}

/// Minimum share of the total weight for a model to count in intervals. Smaller ones do not affect quantiles of 1 % and
/// more.
pub(crate) const SMALLEST_PART: f64 = 1e-4;

/// Returns the central interval of the mixture at this level, in logarithms of costs.
pub(crate) fn interval(parts: &[MixturePart], level: f64) -> Interval {
    let tail = (1.0 - level) / 2.0;
    Interval { lo: quantile(parts, tail), hi: quantile(parts, 1.0 - tail), level }
}

/// Returns the logarithm that the cost is below with this probability. It lies between the quantiles of the parts. Uses
/// bisection: a part without error is a step, which defeats faster methods.
fn quantile(parts: &[MixturePart], probability: f64) -> f64 {
    /// Precision of the logarithm: more digits of an interval are useless.
    const PRECISION: f64 = 1e-7;
    let total_weight: f64 = parts.iter().map(|part| part.weight).sum();
    let is_below_quantile = |limit: f64| {
        let weight_below: f64 = parts.iter().map(|part| part.weight * part.probability_below(limit)).sum();
        weight_below < probability * total_weight
    };
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for quantile in parts.iter().map(|part| part.quantile(probability)) {
        (low, high) = (low.min(quantile), high.max(quantile));
    }
    while high - low > PRECISION {
        let middle = low.midpoint(high);
        if is_below_quantile(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.midpoint(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_one_part_and_of_two_are_those_of_closed_forms() {
        // SciPy 1.17.1: stats.t.ppf(0.975, 30) = 2.0422724563012373.
        let one = [MixturePart::new(1.0, 5.0, 0.5, 30.0).unwrap()];
        assert!((quantile(&one, 0.975) - (5.0 + 0.5 * 2.042_272_456_301_237_3)).abs() < 1e-7);
        // Two steps: a third of the weight at 1, the rest at 4.
        let steps =
            [MixturePart::new(1.0, 1.0, 0.0, 9.0).unwrap(), MixturePart::new(2.0, 4.0, 0.0, 9.0).unwrap()];
        assert!((quantile(&steps, 0.3) - 1.0).abs() < 1e-7 && (quantile(&steps, 0.4) - 4.0).abs() < 1e-7);
    }
}
