//! What peak memory a program will have at the target: a constant and a part that grows with the input, by the largest runs.
//! Says nothing where memory does not follow that.

use trend_model::Linear;
use trend_profile::Study;

use crate::{Given, Point};

/// Sizes from which a line is more than a guess.
const FEWEST_SIZES: usize = 4;

/// The largest size divided by the smallest.
const LEAST_SPAN: f64 = 3.0;

/// Where the largest three sizes differ by no more than this factor, memory does not grow.
const FLAT: f64 = 1.05;

/// How far the largest three sizes may be from the line: memory that grows in steps is further.
const CLOSE: f64 = 0.1;

/// Peak memory in bytes at a point with one given feature; `None` where too little was recorded, or it is no line.
pub(crate) fn memory(study: &Study, point: &Point) -> Option<f64> {
    let mut given = point.values.iter().filter(|v| matches!(v.given, Given::Asked | Given::Multiple { .. }));
    let (target, None) = (given.next()?, given.next()) else { return None };
    let values = &study.features()[target.id.index()].values;
    let peak = |i: usize| study.workloads()[i].usage.as_ref().map(|usage| usage.peak_rss_bytes as f64);
    let measured = values.iter().enumerate().filter_map(|(i, x)| Some(((*x)?, peak(i)?)));
    let mut runs: Vec<(f64, f64)> = measured.filter(|&(x, bytes)| x > 0.0 && bytes > 0.0).collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    // Of runs of one size, the last is the greatest.
    let sizes: Vec<(f64, f64)> =
        runs.chunk_by(|a, b| a.0 == b.0).filter_map(|runs| runs.last().copied()).collect();
    at(&sizes, target.at)
}

fn at(sizes: &[(f64, f64)], target: f64) -> Option<f64> {
    let (first, last) = (sizes.first()?, sizes.last()?);
    if sizes.len() < FEWEST_SIZES || last.0 < LEAST_SPAN * first.0 {
        return None;
    }
    let largest = &sizes[sizes.len() - 3..];
    let most = largest.iter().map(|s| s.1).fold(0.0, f64::max);
    if largest.iter().all(|s| most <= FLAT * s.1) {
        return Some(most);
    }
    // Relative errors count.
    let (x, y): (Vec<f64>, Vec<f64>) = sizes.iter().copied().unzip();
    let weights: Vec<f64> = y.iter().map(|y| 1.0 / (y * y)).collect();
    let line = Linear::fit_weighted(&x, &y, &weights).ok()?;
    let is_close = largest.iter().all(|(x, y)| (line.predict(*x) / y - 1.0).abs() <= CLOSE);
    let bytes = line.predict(target);
    (is_close && line.b > 0.0 && bytes.is_finite()).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(of: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        (0..8).map(|i| f64::from(1000 << i)).map(|n| (n, of(n))).collect()
    }

    #[test]
    fn memory_is_a_line_or_flat_or_unknown() {
        let line = at(&sizes(|n| 1.4e6 + 16.0 * n), 1e6).unwrap();
        assert!((line / (1.4e6 + 16e6) - 1.0).abs() < 1e-9);
        assert_eq!(at(&sizes(|_| 1.4e6), 1e9), Some(1.4e6));
        assert_eq!(at(&sizes(|n| n * n), 1e6), None);
        assert_eq!(at(&sizes(|n| 8.0 * n)[..3], 1e6), None);
    }
}
