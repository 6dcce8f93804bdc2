//! Finds runs of equal feature value: those that differ, their largest ratio, and those that are mere copies. This
//! module judges nothing.

use crate::models::log_points::LogPoints;
use crate::statistics::order_statistics::{sample_standard_deviation, sort_points};

/// Minimum degrees of freedom for an estimate of the scatter among runs of equal feature value.
const FEWEST_EQUAL: usize = 3;

/// Runs that share their feature value with another run of different cost. No function of the feature yields both
/// costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EqualRuns {
    /// Number of these runs.
    pub runs: usize,
    /// Largest ratio of the costs of two runs of equal feature value.
    pub factor: f64,
}

/// Returns the runs that share their feature value, and the standard deviation of log cost among them. The standard
/// deviation counts copies of a run once, and is 0 if there are too few.
pub(crate) fn equal_runs(logs: &LogPoints) -> Option<(EqualRuns, f64)> {
    let mut points: Vec<(f64, f64)> = logs.x.iter().copied().zip(logs.y.iter().copied()).collect();
    sort_points(&mut points);
    let (mut runs, mut widest, mut squares, mut freedom) = (0, 0.0_f64, 0.0, 0);
    for equal in points.chunk_by(|p, q| p.0 == q.0) {
        let width = equal[equal.len() - 1].1 - equal[0].1;
        if width > 0.0 {
            runs += equal.len();
            widest = widest.max(width);
            let different: Vec<f64> = equal.chunk_by(|p, q| p.1 == q.1).map(|copies| copies[0].1).collect();
            freedom += different.len() - 1;
            squares += sample_standard_deviation(&different).powi(2) * (different.len() - 1) as f64;
        }
    }
    let spread = if freedom >= FEWEST_EQUAL { (squares / freedom as f64).sqrt() } else { 0.0 };
    (runs > 0).then(|| (EqualRuns { runs, factor: widest.exp() }, spread))
}

/// Returns the logarithms of the usable points, each once, by ascending x. Points of equal x keep their order, so that
/// their scatter does not look sorted.
pub(crate) fn different_points(logs: &LogPoints) -> LogPoints {
    let points = logs.x.iter().zip(&logs.y).enumerate().map(|(i, (&x, &y))| (x, y, i));
    let mut points: Vec<(f64, f64, usize)> = points.collect();
    points.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
    points.dedup_by(|q, p| (q.0, q.1) == (p.0, p.1));
    points.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.2.cmp(&q.2)));
    let (x, y) = points.into_iter().map(|(x, y, _)| (x, y)).unzip();
    LogPoints { x, y }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn points_in_order_have_the_equal_runs_of_the_same_in_any_order(
            points in prop::collection::vec((0..6_u32, 0..4_u32), 0..40),
        ) {
            let mut points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).collect();
            let count_runs = |points: &[(f64, f64)]| {
                let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
                let logs = LogPoints { x, y };
                let different = different_points(&logs);
                let different: Vec<(f64, f64)> = different.x.iter().copied().zip(different.y.iter().copied()).collect();
                (equal_runs(&logs), different)
            };
            let (runs, different) = count_runs(&points);
            points.sort_by(|p, q| p.0.total_cmp(&q.0));
            prop_assert_eq!(count_runs(&points), (runs, different.clone()));
            // Oracle: every point at its first occurrence.
            let firsts = points.iter().enumerate().filter(|(i, p)| !points[..*i].contains(p)).map(|(_, p)| *p);
            prop_assert_eq!(different, firsts.collect::<Vec<_>>());
        }
    }
}
