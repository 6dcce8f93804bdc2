//! Two percentiles of many values, one near either end, without looking twice at what lies between. Computes no others:
//! those are in `order_statistics`.
//!
//! ```text
//!              · · ·
//!            · · · · ·            what is further than 1.6 standard deviations from the mean is some fifty of a
//!          · · · · · · ·          thousand values, and the percentile is one of them; where there turn out to be
//!      · ·│· · · · · · ·│· ·      too few, all are looked at
//!    ─────┴──────────────┴─────
//! ```

use crate::order_statistics::{interpolated, key, neighbours, percentile_of};
use crate::wide::widely;

/// Standard deviations from the mean beyond which a tail is looked for: of a normal distribution 5.5 % on either side, so
/// that the 2.5 % of the usual intervals are in there but for one time in ten thousand.
const BEYOND: f64 = 1.6;

/// Tails that [`BEYOND`] is for.
const LARGEST_TAIL: f64 = 0.03;

/// Finds percentiles near the ends of samples; keeps its memory between them.
#[derive(Debug, Default)]
pub(crate) struct Tails {
    below: Vec<f64>,
    above: Vec<f64>,
    keys: Vec<i64>,
}

impl Tails {
    /// The `tail` and the `1 − tail` quantile of values in any order, to the last bit what
    /// [`percentile`](crate::percentile) gives of the sorted ones (by [`f64::total_cmp`]).
    ///
    /// - Time: O(n).
    pub(crate) fn percentiles(&mut self, values: &[f64], tail: f64) -> [f64; 2] {
        if let Some(found) = self.outer(values, tail) {
            return found;
        }
        self.keys.clear();
        self.keys.extend(values.iter().copied().map(key));
        [tail, 1.0 - tail].map(|q| percentile_of(&mut self.keys, q))
    }

    /// The same, of the outer values alone; `None` when these are too few.
    fn outer(&mut self, values: &[f64], tail: f64) -> Option<[f64; 2]> {
        if !(0.0..=LARGEST_TAIL).contains(&tail) {
            return None;
        }
        let last = values.len().checked_sub(1)?;
        let (mean, deviation) = mean_and_deviation(values);
        let (low, high) = (mean - BEYOND * deviation, mean + BEYOND * deviation);
        // With an infinity or NaN among the values these are no numbers.
        if !(low.is_finite() && high.is_finite()) {
            return None;
        }
        self.below.resize(values.len(), 0.0);
        self.above.resize(values.len(), 0.0);
        let (below, above) = outside(values, low, high, &mut self.below, &mut self.above);
        let [h_low, h_high] = [tail, 1.0 - tail].map(|q| q * last as f64);
        let rank = h_low.floor() as usize;
        let rank_above = (h_high.floor() as usize).checked_sub(values.len() - above)?;
        if rank + 1 >= below {
            return None;
        }
        let low = self.percentile_at(below, true, rank, h_low);
        let high = self.percentile_at(above, false, rank_above, h_high);
        Some([low, high])
    }

    /// Of the first `count` values that are outside on one side: the one of this rank, and a part of the way to the next.
    fn percentile_at(&mut self, count: usize, is_below: bool, rank: usize, h: f64) -> f64 {
        let values = if is_below { &self.below } else { &self.above };
        self.keys.clear();
        self.keys.extend(values[..count].iter().copied().map(key));
        let (low, high) = neighbours(&mut self.keys, rank);
        interpolated(low, high, h)
    }
}

widely! {
    /// Mean and standard deviation; no numbers where a value is not finite.
    fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
        const LANES: usize = 8;
        let first = values.first().copied().unwrap_or(0.0);
        let (mut sums, mut squares) = ([0.0; LANES], [0.0; LANES]);
        let (chunks, rest) = values.as_chunks::<LANES>();
        for chunk in chunks {
            for lane in 0..LANES {
                let value = chunk[lane] - first;
                sums[lane] += value;
                squares[lane] += value * value;
            }
        }
        for (lane, value) in rest.iter().enumerate() {
            sums[lane] += value - first;
            squares[lane] += (value - first) * (value - first);
        }
        let n = values.len() as f64;
        let (mean, square) = (sums.iter().sum::<f64>() / n, squares.iter().sum::<f64>() / n);
        // Rounding may leave less than nothing of values that are all the same.
        (first + mean, (square - mean * mean).max(0.0).sqrt())
    }
}

/// Copies the values below `low` and those above `high`, in their order; how many they are. Either slice is at least as
/// long as the values.
fn outside(values: &[f64], low: f64, high: f64, below: &mut [f64], above: &mut [f64]) -> (usize, usize) {
    let (mut lower, mut upper) = (0, 0);
    // Every value is written, and the next one over it unless it counts: a branch would be mistaken one time in ten.
    for &value in values {
        below[lower] = value;
        lower += usize::from(value < low);
        above[upper] = value;
        upper += usize::from(value > high);
    }
    (lower, upper)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::noise::Noise;
    use crate::percentile;

    fn of_sorted(values: &[f64], tail: f64) -> [u64; 2] {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        [tail, 1.0 - tail].map(|q| percentile(&sorted, q).to_bits())
    }

    fn found(values: &[f64], tail: f64) -> [u64; 2] {
        Tails::default().percentiles(values, tail).map(f64::to_bits)
    }

    #[test]
    fn of_a_thousand_normal_values_the_outer_ones_are_enough() {
        let mut noise = Noise::new(1);
        let mut tails = Tails::default();
        for round in 0..200 {
            let values: Vec<f64> = (0..1000).map(|_| 20.0 + f64::from(round) * noise.normal()).collect();
            let outer = tails.outer(&values, 0.025);
            assert!(outer.is_some() || round == 0, "{round}");
            let bits = tails.percentiles(&values, 0.025).map(f64::to_bits);
            assert_eq!(bits, of_sorted(&values, 0.025));
            assert!(outer.is_none_or(|outer| outer.map(f64::to_bits) == bits));
        }
    }

    #[test]
    fn few_equal_and_endless_values_have_the_percentiles_of_the_sorted_ones() {
        for n in [1, 2, 3, 10, 40, 41, 79, 80, 999, 1000] {
            assert_eq!(found(&vec![0.1; n], 0.025), of_sorted(&vec![0.1; n], 0.025));
            let two: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { -0.0 } else { 0.0 }).collect();
            assert_eq!(found(&two, 0.025), of_sorted(&two, 0.025));
            let mut endless: Vec<f64> = (0..n).map(|i| f64::from(i as u32)).collect();
            endless[n / 2] = f64::INFINITY;
            endless[0] = f64::NEG_INFINITY;
            assert_eq!(found(&endless, 0.025), of_sorted(&endless, 0.025));
            // Nearly all in one place: the tails are within it.
            let mut outlier = vec![5.0; n];
            outlier[n - 1] = 1e300;
            assert_eq!(found(&outlier, 0.025), of_sorted(&outlier, 0.025));
        }
        assert!(Tails::default().percentiles(&[], 0.025).iter().all(|p| p.is_nan()));
    }

    proptest! {
        #[test]
        fn percentiles_are_those_of_the_sorted_values(
            values in prop::collection::vec(
                prop_oneof![3 => -1.0..1.0f64, 1 => (-3..3_i32).prop_map(f64::from), 1 => -1e6..1e9f64, 1 => Just(-0.0)],
                1..600,
            ),
            smooth in prop::bool::ANY,
            tail in prop_oneof![0.0..0.03f64, 0.0..0.5f64],
        ) {
            let values: Vec<f64> = if smooth { values.iter().map(|v| v.clamp(-1.0, 1.0)).collect() } else { values };
            prop_assert_eq!(found(&values, tail), of_sorted(&values, tail));
        }
    }
}
