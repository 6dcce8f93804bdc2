//! Percentiles and the spread of a sample. Two percentiles, on purpose: one interpolates, for intervals; the
//! other is always a value that occurred, for "the 95th percentile of the inputs".

use crate::regression::{Centred, dot};

/// The `q`-quantile of values sorted in ascending order, interpolated linearly between neighbours.
///
/// `q` outside of 0 to 1 gives the nearest end; no values give NaN.
///
/// # Formula
///
/// With `h = q·(n−1)`: `v[⌊h⌋] + (h−⌊h⌋)·(v[⌊h⌋+1] − v[⌊h⌋])`; type 7 of Hyndman and Fan, *Sample quantiles in
/// statistical packages*, 1996, and the default of NumPy, R and Excel.
///
/// - Time: O(1).
pub fn percentile(sorted: &[f64], q: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let h = q.clamp(0.0, 1.0) * last as f64;
    let below = h.floor() as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    // Equal neighbours may be infinite, where the formula gives NaN.
    if low == high { low } else { low + (h - h.floor()) * (high - low) }
}

/// The `⌈q·k⌉`-th smallest of k values (at least the first): the smallest value that at least a fraction `q` of
/// the values does not exceed. The 950th of 1000 for `q = 0.95`.
///
/// `None` without values or with a NaN among them or as `q`.
///
/// - Time: O(k log k).
pub fn nearest_rank(values: &[f64], q: f64) -> Option<f64> {
    // q·k is meant to be exact: 0.95·20 is 19, though in floating point it may land just above.
    const RANK_TOLERANCE: f64 = 1e-9;
    if values.is_empty() || q.is_nan() || values.iter().any(|v| v.is_nan()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let rank = (q.clamp(0.0, 1.0) * sorted.len() as f64 - RANK_TOLERANCE).ceil().max(1.0) as usize;
    Some(sorted[rank.min(sorted.len()) - 1])
}

/// The bias-corrected standard deviation of a sample; 0 below two values.
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
