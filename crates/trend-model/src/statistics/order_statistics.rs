//! Percentiles and the spread of a sample. There are two kinds of percentiles on purpose. One interpolates, for
//! intervals. The other is always a value that occurred, for "the 95th percentile of the inputs".

use super::centred::{Centred, dot};

/// Returns the quantiles of values in any order, interpolated linearly between neighbours. NaN counts as the largest
/// value.
///
/// A `q` outside of 0 to 1 gives the nearest end; without values, the result is NaN.
///
/// # Formula
///
/// With `h = q·(n−1)` and v ascending: `v[⌊h⌋] + (h−⌊h⌋)·(v[⌊h⌋+1] − v[⌊h⌋])`. This is type 7 of Hyndman and Fan,
/// *Sample quantiles in statistical packages*, 1996, and the default of NumPy, R and Excel.
///
/// - Time: O(k) for each.
pub fn percentiles<const N: usize>(values: &[f64], qs: [f64; N]) -> [f64; N] {
    let Some(last) = values.len().checked_sub(1) else { return [f64::NAN; N] };
    let mut places: Vec<i64> = values.iter().map(|value| place(*value)).collect();
    qs.map(|q| {
        let h = q.clamp(0.0, 1.0) * last as f64;
        let (_, &mut low, above) = places.select_nth_unstable(h.floor() as usize);
        let (low, high) = (at(low), at(above.iter().copied().min().unwrap_or(low)));
        // Equal neighbours may be infinite; the formula would then give NaN.
        if low == high { low } else { low + (h - h.floor()) * (high - low) }
    })
}

/// Returns the values in ascending order.
///
/// - Time: O(k log k).
pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut places: Vec<i64> = values.iter().map(|value| place(*value)).collect();
    places.sort_unstable();
    places.into_iter().map(at).collect()
}

/// Returns the place of a number in [`f64::total_cmp`]'s order: integers sort faster.
fn place(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

/// Returns the number at a place.
fn at(place: i64) -> f64 {
    f64::from_bits((place ^ (((place >> 63) as u64) >> 1) as i64) as u64)
}

/// Sorts points `(x, y)` by x, and points of equal x by y.
///
/// - Time: O(k log k).
pub(crate) fn sort_points(points: &mut [(f64, f64)]) {
    points.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
}

/// Returns the `⌈q·k⌉`-th smallest of k values, at least the first. This is the smallest value that at least a fraction
/// `q` of the values does not exceed: the 950th of 1000 for `q = 0.95`.
///
/// Returns `None` without values, or if one of them or `q` is NaN.
///
/// - Time: O(k log k).
pub fn nearest_rank(values: &[f64], q: f64) -> Option<f64> {
    // The product q·k should be exact: 0.95·20 is 19, but in floating point it may be just above.
    const RANK_TOLERANCE: f64 = 1e-9;
    if values.is_empty() || q.is_nan() || values.iter().any(|v| v.is_nan()) {
        return None;
    }
    let sorted = sorted(values);
    let rank = (q.clamp(0.0, 1.0) * sorted.len() as f64 - RANK_TOLERANCE).ceil().max(1.0) as usize;
    Some(sorted[rank.min(sorted.len()) - 1])
}

/// Returns the rank of each value, from 0. Equal values share their middle rank. A missing value gets the middle of all
/// ranks, which is neutral.
///
/// - Time: O(k log k).
pub fn ranks(values: &[Option<f64>]) -> Vec<f64> {
    let mut order: Vec<(f64, usize)> =
        values.iter().enumerate().filter_map(|(i, value)| Some(((*value)?, i))).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut ranks = vec![(order.len() as f64 - 1.0) / 2.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|a, b| a.0 == b.0) {
        for (_, i) in equal {
            ranks[*i] = first as f64 + (equal.len() as f64 - 1.0) / 2.0;
        }
        first += equal.len();
    }
    ranks
}

/// Returns the bias-corrected standard deviation of a sample; 0 below two values.
///
/// # Formula
///
/// `√(Σ(vᵢ−v̄)² / (n−1))`
///
/// - Time: O(k). Memory: O(k).
pub fn sample_standard_deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let centred = Centred::new(values);
    (dot(&centred.deviations, &centred.deviations) / (values.len() - 1) as f64).sqrt() * centred.scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_numpy() {
        // Oracle: numpy.percentile([1, 2, 4, 8, 16], [2.5, 30, 50, 97.5]).
        let actual = percentiles(&[8.0, 1.0, 16.0, 4.0, 2.0], [0.025, 0.3, 0.5, 0.975, 0.0, 1.0]);
        for (actual, expected) in actual.iter().zip([1.1, 2.4, 4.0, 15.2, 1.0, 16.0]) {
            assert!((actual - expected).abs() < 1e-12, "{actual} {expected}");
        }
        assert!(percentiles(&[], [0.5])[0].is_nan());
        assert_eq!(percentiles(&[f64::INFINITY, 1.0, f64::INFINITY], [0.9]), [f64::INFINITY]);
        assert_eq!(
            percentiles(&[-1.0, 3.0, -4.0, -0.5, 0.0], [0.0, 0.25, 0.5, 1.0]),
            [-4.0, -1.0, -0.5, 3.0]
        );
    }

    #[test]
    fn the_95th_percentile_of_a_thousand_values_is_the_950th() {
        let values: Vec<f64> = (1..=1000).rev().map(f64::from).collect();
        assert_eq!(nearest_rank(&values, 0.95), Some(950.0));
        assert_eq!(nearest_rank(&values[..], 0.0), Some(1.0));
        assert_eq!(nearest_rank(&values[..], 1.0), Some(1000.0));
        assert_eq!(nearest_rank(&[], 0.95), None);
        assert_eq!(nearest_rank(&[f64::NAN], 0.95), None);
    }

    #[test]
    fn ranks_do_not_depend_on_how_products_round() {
        // Oracle: ⌈p·k/100⌉ in integers.
        for k in 1..=200_usize {
            let values: Vec<f64> = (1..=k).map(|v| v as f64).collect();
            for p in 1..=100_usize {
                let expected = (p * k).div_ceil(100) as f64;
                assert_eq!(nearest_rank(&values, p as f64 / 100.0), Some(expected), "{p} % of {k}");
            }
        }
    }

    #[test]
    fn equal_values_share_their_middle_rank_and_missing_ones_have_that_of_all() {
        assert_eq!(ranks(&[Some(3.0), None, Some(1.0), Some(3.0)]), [1.5, 1.0, 0.0, 1.5]);
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0, 3.0].map(Some)), [3.0, 0.0, 3.0, 1.0, 3.0]);
    }

    #[test]
    fn standard_deviation_of_a_known_sample() {
        // Oracle: closed form, Σ(v − 5)² = 32 over n − 1 = 7.
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].map(|v| v + 1e9);
        assert!((sample_standard_deviation(&values) - (32.0 / 7.0_f64).sqrt()).abs() < 1e-12);
        assert_eq!(sample_standard_deviation(&[0.1; 7]), 0.0);
        assert_eq!(sample_standard_deviation(&[3.0]), 0.0);
    }
}
