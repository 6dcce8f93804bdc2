//! Quantiles of a mixture of Student's t distributions: predictions of several models as one interval. Knows no models.

use crate::students::{Students, normal_quantile};

/// One model's prediction: Student's t about a logarithm.
pub(crate) struct Part {
    weight: f64,
    centre: f64,
    error: f64,
    t: Students,
}

impl Part {
    /// `None` where there are no degrees of freedom.
    pub(crate) fn new(weight: f64, centre: f64, error: f64, degrees_of_freedom: f64) -> Option<Self> {
        /// Beyond `e^±800` is beyond `f64`; a model that goes below 0 says that the cost is nothing there.
        const LARGEST_LOG: f64 = 800.0;
        let centre = if centre.is_nan() { -LARGEST_LOG } else { centre.clamp(-LARGEST_LOG, LARGEST_LOG) };
        let error = if error.is_nan() { 0.0 } else { error.min(LARGEST_LOG) };
        let t = Students::new(degrees_of_freedom)?;
        Some(Self { weight, centre, error, t })
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

/// Models with less than this share of the weight are left out of intervals: quantiles of 1 % and more do not see them.
pub(crate) const SMALLEST_PART: f64 = 1e-6;

/// The `q`-quantile of the mixture, by false position in the manner of Illinois, as M. Dowell and P. Jarratt, *A modified
/// regula falsi method for computing the root of an equation* (1971), with a bisection in every third step: a model
/// without error is a step, which no chord approaches.
pub(crate) fn quantile(parts: &[Part], q: f64) -> f64 {
    const STEPS: usize = 100;
    /// Of a logarithm.
    const PRECISION: f64 = 1e-10;
    let total: f64 = parts.iter().map(|part| part.weight).sum();
    let excess = |value: f64| {
        parts.iter().map(|part| part.weight * part.probability_below(value)).sum::<f64>() / total - q
    };
    let (mut low, mut high) = bracket(parts, q);
    let (mut below, mut above) = (excess(low), excess(high));
    if below >= 0.0 || above < 0.0 {
        let reach = |part: &Part| 1e-12 + part.error * FARTHEST;
        low = parts.iter().map(|part| part.centre - reach(part)).fold(f64::INFINITY, f64::min);
        high = parts.iter().map(|part| part.centre + reach(part)).fold(f64::NEG_INFINITY, f64::max);
        (below, above) = (-q, 1.0 - q);
    }
    let mut was_below = None;
    for step in 0..STEPS {
        if high - low <= PRECISION {
            break;
        }
        let chord = low + (high - low) * below / (below - above);
        let next = if step % 3 == 2 || !(low..=high).contains(&chord) { low.midpoint(high) } else { chord };
        let value = excess(next);
        let is_below = value < 0.0;
        // The end that stays for a second time loses weight.
        let stays = was_below.replace(is_below) == Some(is_below);
        if is_below {
            (low, below) = (next, value);
            above *= if stays { 0.5 } else { 1.0 };
        } else {
            (high, above) = (next, value);
            below *= if stays { 0.5 } else { 1.0 };
        }
    }
    low.midpoint(high)
}

/// Errors beyond which a part has next to nothing.
const FARTHEST: f64 = 40.0;

/// Between which values the quantile should be: the mixture's is between the least and the greatest of the parts'.
fn bracket(parts: &[Part], q: f64) -> (f64, f64) {
    /// For the expansion's error.
    const MARGIN: f64 = 0.02;
    let normal = normal_quantile(q);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for part in parts {
        let (least, greatest) = match part.t.rough_quantile(normal) {
            Some(t) => (t - MARGIN, t + MARGIN),
            None => (-FARTHEST, FARTHEST),
        };
        low = low.min(part.centre + least * part.error - 1e-12);
        high = high.max(part.centre + greatest * part.error + 1e-12);
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_one_part_and_of_two_are_those_of_closed_forms() {
        // SciPy 1.17.1: stats.t.ppf(0.975, 30) = 2.0422724563012373.
        let one = [Part::new(1.0, 5.0, 0.5, 30.0).unwrap()];
        assert!((quantile(&one, 0.975) - (5.0 + 0.5 * 2.042_272_456_301_237_3)).abs() < 1e-7);
        // Two steps: a third of the weight at 1, the rest at 4.
        let steps = [Part::new(1.0, 1.0, 0.0, 9.0).unwrap(), Part::new(2.0, 4.0, 0.0, 9.0).unwrap()];
        assert!((quantile(&steps, 0.3) - 1.0).abs() < 1e-9 && (quantile(&steps, 0.4) - 4.0).abs() < 1e-9);
    }
}
