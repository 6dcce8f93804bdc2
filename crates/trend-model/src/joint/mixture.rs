//! Quantiles of a mixture of Student's t distributions, which combine the predictions of several models into one
//! interval. This module knows no models.

use crate::statistics::interval::Interval;
use crate::statistics::students::Students;

/// One model's prediction: a Student's t distribution around a logarithm.
pub(crate) struct MixturePart {
    weight: f64,
    centre: f64,
    error: f64,
    t: Students,
}

impl MixturePart {
    /// Creates a part. Returns `None` without degrees of freedom.
    pub(crate) fn new(weight: f64, centre: f64, error: f64, degrees_of_freedom: f64) -> Option<Self> {
        /// Limit of the logarithm: `e^±800` is beyond `f64`. A model that goes below 0 predicts that nothing is left of
        /// the cost.
        const LARGEST_LOG: f64 = 800.0;
        let centre = if centre.is_nan() { -LARGEST_LOG } else { centre.clamp(-LARGEST_LOG, LARGEST_LOG) };
        let error = if error.is_nan() { 0.0 } else { error.min(LARGEST_LOG) };
        let t = Students::new(degrees_of_freedom)?;
        Some(Self { weight, centre, error, t })
    }

    fn quantile(&self, q: f64) -> f64 {
        if self.error > 0.0 { self.centre + self.error * self.t.quantile(q) } else { self.centre }
    }

    fn probability_below(&self, value: f64) -> f64 {
        if self.error > 0.0 {
            self.t.cdf((value - self.centre) / self.error)
        } else if value < self.centre {
            0.0
        } else {
            1.0
        }
    }
}

/// Minimum share of the weight for a model to count in intervals: it does not affect quantiles of 1 % and more.
pub(crate) const SMALLEST_PART: f64 = 1e-4;

/// Returns the central interval of the mixture at this level.
pub(crate) fn interval(parts: &[MixturePart], level: f64) -> Interval {
    let tail = (1.0 - level) / 2.0;
    Interval { lo: quantile(parts, tail), hi: quantile(parts, 1.0 - tail), level }
}

/// Returns the `q`-quantile of the mixture, which lies between the quantiles of its parts. Uses bisection, because a
/// part without error is a step, which defeats faster methods.
fn quantile(parts: &[MixturePart], q: f64) -> f64 {
    /// Precision of the logarithm: more digits of an interval are useless.
    const PRECISION: f64 = 1e-7;
    let total: f64 = parts.iter().map(|part| part.weight).sum();
    let is_below = |value: f64| {
        parts.iter().map(|part| part.weight * part.probability_below(value)).sum::<f64>() < q * total
    };
    let own = parts.iter().map(|part| part.quantile(q));
    let (mut low, mut high) =
        own.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), own| (low.min(own), high.max(own)));
    while high - low > PRECISION {
        let middle = low.midpoint(high);
        if is_below(middle) {
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
