//! Where to cut numbers into a lower and an upper group: two means in one dimension, solved exactly. Does not ask whether
//! there are two groups.
//!
//! ```text
//!   bins    ▂ ▅ █ ▇ ▃ ▁   ▁ ▃ ▅ ▂        how good the cuts at the edges of bins are is known from counts and sums
//!              └───────────┘             the best cut lies in one of the few bins that may hold a better one:
//!               · ·  ·   ··              these alone are sorted
//! ```

use std::ops::Range;

use crate::order_statistics::{key, of_key, sorted};
use crate::wide::widely;

/// Fewer values than this are sooner sorted than counted.
const FEWEST: usize = 100;

/// Bins between the least and the largest value.
const BINS: usize = 128;

/// Bins above which there is a cut.
const EDGES: Range<usize> = 0..BINS - 1;

/// Cuts that differ by less than this are told apart by the sums that are added up in ascending order, and by no others:
/// a thousand times what rounding leaves.
const NEARLY_EQUAL: f64 = 1e-9;

/// How many times the range the largest value may be, so that sums of differences are as good as those of the values.
const FARTHEST: f64 = 10.0;

/// Where to cut values into a lower and an upper group: values above it are in the upper one. The cut has the smallest
/// sum of squares within the groups, of those that leave at least the fraction `smallest_share` on either side; `None`
/// when there is no such cut.
///
/// Its optimum always cuts the sorted values.
///
/// - Time: O(n) where few cuts are nearly as good, else O(n log n).
pub(crate) fn best_cut(values: &[f64], smallest_share: f64) -> Option<f64> {
    let smallest = ((smallest_share * values.len() as f64).ceil() as usize).max(1);
    by_bins(values, smallest).or_else(|| by_sorting(values, smallest))
}

/// With at least `smallest` values in either group.
fn by_sorting(values: &[f64], smallest: usize) -> Option<f64> {
    let sorted = sorted(values);
    let n = sorted.len();
    let total: f64 = sorted.iter().sum();
    let mut lower_sum: f64 = 0.0;
    let mut best: Option<(f64, f64)> = None;
    for (i, value) in sorted.iter().enumerate() {
        lower_sum += value;
        let (lower, upper) = (i + 1, n - i - 1);
        if lower < smallest || upper < smallest {
            continue;
        }
        // The smallest sum within is the largest between.
        let distance = (total - lower_sum) / upper as f64 - lower_sum / lower as f64;
        let between = lower as f64 * upper as f64 * distance * distance;
        if best.is_none_or(|(most, _)| between > most) {
            best = Some((between, value.midpoint(sorted[i + 1])));
        }
    }
    best.map(|(_, threshold)| threshold)
}

/// The same by looking closely at few values; `None` where rounding would decide, or where that takes no less time.
fn by_bins(values: &[f64], smallest: usize) -> Option<f64> {
    if values.len() < FEWEST {
        return None;
    }
    let bins = Bins::new(values, smallest)?;
    let (edge, at_edge) = bins.best_edge()?;
    let may_hold = |bin: &usize| bins.most_within(*bin) >= at_edge * (1.0 - NEARLY_EQUAL);
    let first = (0..BINS).find(may_hold).unwrap_or(edge).min(edge);
    let last = (0..BINS).rfind(may_hold).unwrap_or(edge).max(edge);
    // The values on both sides of all these cuts: at the ends they are in the next bins with values.
    let last = (last + 1..BINS).find(|&bin| bins.count(bin) > 0)?;
    let first = (0..=first).rfind(|&bin| bins.count(bin) > 0)?;
    let mut keys = bins.keys_within(values, first, last);
    keys.sort_unstable();
    let mut best: Option<(f64, f64)> = None;
    let mut second = 0.0_f64;
    let mut at = bins.starts[first];
    for pair in keys.windows(2) {
        let (value, next) = (of_key(pair[0]), of_key(pair[1]));
        at = Start { count: at.count + 1, sum: at.sum + (value - bins.least) };
        let between = bins.between(at);
        match best {
            Some((most, _)) if between <= most => second = second.max(between),
            _ => {
                second = best.map_or(0.0, |(most, _)| most);
                best = Some((between, value.midpoint(next)));
            }
        }
    }
    let (most, threshold) = best?;
    let others = EDGES.filter(|edge| !(first..last).contains(edge));
    let second = others.map(|edge| bins.between(bins.starts[edge + 1])).fold(second, f64::max);
    (most > 0.0 && second <= most * (1.0 - NEARLY_EQUAL)).then_some(threshold)
}

/// How many values there are below some place, and the sum of their differences to the least.
#[derive(Clone, Copy, Debug, Default)]
struct Start {
    count: usize,
    sum: f64,
}

struct Bins {
    least: f64,
    /// Of the differences to the least.
    mean: f64,
    /// Values, and how many are needed on either side.
    n: usize,
    smallest: usize,
    /// Differences to the least at which bins begin.
    width: f64,
    /// Below every bin, and of all values.
    starts: [Start; BINS + 1],
    /// For every value its bin.
    of_values: Vec<u8>,
}

impl Bins {
    /// `None` where the values have no range.
    fn new(values: &[f64], smallest: usize) -> Option<Self> {
        let (least, largest) = range(values);
        let width = (largest - least) / BINS as f64;
        // Not for NaN either.
        let is_wide = width.is_normal() && least.abs().max(largest.abs()) <= FARTHEST * (largest - least);
        if !is_wide || !(1.0 / width).is_normal() {
            return None;
        }
        let mut of_values = vec![0_u8; values.len()];
        fill_bins(values, least, 1.0 / width, &mut of_values);
        let mut starts = [Start::default(); BINS + 1];
        for (value, &bin) in values.iter().zip(&of_values) {
            let start = &mut starts[usize::from(bin) + 1];
            start.count += 1;
            start.sum += value - least;
        }
        for bin in 0..BINS {
            starts[bin + 1].count += starts[bin].count;
            starts[bin + 1].sum += starts[bin].sum;
        }
        let n = values.len();
        Some(Self { least, mean: starts[BINS].sum / n as f64, n, smallest, width, starts, of_values })
    }

    fn count(&self, bin: usize) -> usize {
        self.starts[bin + 1].count - self.starts[bin].count
    }

    /// The values of the bins from `first` to `last`, as their [`key`]s.
    fn keys_within(&self, values: &[f64], first: usize, last: usize) -> Vec<i64> {
        let (first, last) = (first as u8, last as u8);
        let mut keys = vec![0; values.len()];
        let mut count = 0;
        // Every value is written, and the next one over it unless it counts: a branch would often be mistaken.
        for (value, &bin) in values.iter().zip(&self.of_values) {
            keys[count] = key(*value);
            count += usize::from(first <= bin && bin <= last);
        }
        keys.truncate(count);
        keys
    }

    /// The sum of squares between the groups of a cut, up to a factor; 0 where a group is too small.
    fn between(&self, cut: Start) -> f64 {
        let (lower, upper) = (cut.count, self.n - cut.count);
        if lower < self.smallest || upper < self.smallest {
            return 0.0;
        }
        let lack = lower as f64 * self.mean - cut.sum;
        lack * lack / (lower as f64 * upper as f64)
    }

    /// The bin above which the best cut of those between bins is, and how good that is.
    fn best_edge(&self) -> Option<(usize, f64)> {
        let edges = EDGES.map(|bin| (bin, self.between(self.starts[bin + 1])));
        edges.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, between)| *between > 0.0)
    }

    /// No cut within the bin is better than this.
    fn most_within(&self, bin: usize) -> f64 {
        let (from, to) = (self.starts[bin], self.starts[bin + 1]);
        let (fewest, most) =
            (from.count.max(self.smallest), to.count.min(self.n.saturating_sub(self.smallest)));
        if fewest > most || from.count == to.count {
            return 0.0;
        }
        // What the lower group lacks to its share of the sum grows by no more than this with every value; a bin's first
        // value may be below where the bin begins by what rounding does.
        let step = (self.mean - self.width * (bin as f64 - NEARLY_EQUAL)).max(0.0);
        let lack = from.count as f64 * self.mean - from.sum + step * (to.count - from.count) as f64;
        let product = |lower: usize| lower as f64 * (self.n - lower) as f64;
        lack * lack / product(fewest).min(product(most))
    }
}

widely! {
    /// The least and the largest value; no numbers where there is NaN.
    fn range(values: &[f64]) -> (f64, f64) {
        const LANES: usize = 8;
        let (mut least, mut largest, mut sums) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES], [0.0; LANES]);
        let (chunks, rest) = values.as_chunks::<LANES>();
        for chunk in chunks {
            for lane in 0..LANES {
                let value = chunk[lane];
                least[lane] = if value < least[lane] { value } else { least[lane] };
                largest[lane] = if value > largest[lane] { value } else { largest[lane] };
                sums[lane] += value * 0.0;
            }
        }
        // NaN where a value is none, or infinite.
        let nothing: f64 = sums.iter().sum::<f64>() + rest.iter().map(|value| value * 0.0).sum::<f64>();
        let least = least.into_iter().chain(rest.iter().copied()).fold(f64::INFINITY, f64::min);
        let largest = largest.into_iter().chain(rest.iter().copied()).fold(f64::NEG_INFINITY, f64::max);
        (least + nothing, largest + nothing)
    }
}

widely! {
    /// The bin of every value; never a lower one for a larger value.
    fn fill_bins(values: &[f64], least: f64, per_width: f64, bins: &mut [u8]) {
        for (bin, value) in bins.iter_mut().zip(values) {
            *bin = ((value - least) * per_width).min((BINS - 1) as f64) as i32 as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::noise::Noise;

    #[test]
    fn the_best_cut_is_the_one_that_trying_all_finds() {
        // Oracle: closed form. {0, 1, 2} and {10, 12}: squares within 2 + 2, and more for every other cut.
        assert_eq!(best_cut(&[12.0, 0.0, 2.0, 10.0, 1.0], 0.2), Some(6.0));
        assert_eq!(best_cut(&[12.0, 0.0, 2.0, 10.0, 11.0, 1.0], 0.2), Some(6.0));
        assert_eq!(best_cut(&[1.0, 2.0], 0.6), None);
    }

    #[test]
    fn many_values_need_not_be_sorted() {
        let mut found = 0;
        for seed in 0..200 {
            let mut noise = Noise::new(seed);
            let shift = if seed % 2 == 0 { 0.0 } else { 3.0 };
            let value = |i: usize| noise.normal() + if i.is_multiple_of(3) { shift } else { 0.0 };
            let values: Vec<f64> = (0..100 + 7 * seed as usize).map(value).collect();
            let smallest = values.len().div_ceil(5);
            let by_bins = by_bins(&values, smallest);
            assert!(by_bins.is_none() || by_bins == by_sorting(&values, smallest), "{seed}");
            found += usize::from(by_bins.is_some());
        }
        assert!(found > 190, "{found}");
    }

    #[test]
    fn equal_endless_and_missing_values_are_left_to_sorting() {
        for value in [0.0, 1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(by_bins(&[value; 200], 40), None);
        }
        let mut values: Vec<f64> = (0..200).map(f64::from).collect();
        assert_eq!(by_bins(&values, 40), by_sorting(&values, 40));
        values[7] = f64::NAN;
        assert_eq!(by_bins(&values, 40), None);
        values[7] = f64::INFINITY;
        assert_eq!(by_bins(&values, 40), None);
        let far: Vec<f64> = (0..200).map(|i| 1e9 + f64::from(i)).collect();
        assert_eq!(by_bins(&far, 40), None);
    }

    proptest! {
        #[test]
        fn whatever_is_found_by_bins_is_found_by_sorting(
            values in prop::collection::vec(
                prop_oneof![3 => -1.0..1.0f64, 1 => (-3..3_i32).prop_map(f64::from), 1 => 4.0..6.0f64, 1 => Just(-0.0)],
                90..400,
            ),
            share in 0.0..0.5f64,
        ) {
            let smallest = ((share * values.len() as f64).ceil() as usize).max(1);
            let found = by_bins(&values, smallest);
            if found.is_some() {
                prop_assert_eq!(found, by_sorting(&values, smallest));
            }
        }
    }
}
