//! Runs of equal feature value: which of them differ, by how much, and which are mere copies. Judges nothing.

use crate::power_law::LogPoints;
use crate::sample_standard_deviation;

/// Degrees of freedom below which the scatter among runs of equal feature value is not known.
const FEWEST_EQUAL: usize = 3;

/// Runs that share their feature value with another run of different cost: no function of the feature gives both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EqualRuns {
    /// How many runs.
    pub runs: usize,
    /// The greatest ratio of the costs of two runs of equal feature value.
    pub factor: f64,
}

/// Runs that share their feature value, and the standard deviation of log cost among them; the latter counts copies
/// of a run once and is 0 where there are too few.
pub(crate) fn equal_runs(x: &[f64], y: &[f64]) -> Option<(EqualRuns, f64)> {
    let logs = LogPoints::new(x, y);
    let mut points: Vec<(f64, f64)> = logs.x.into_iter().zip(logs.y).collect();
    points.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
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

/// Logarithms of the usable points, each once, by ascending x; points of equal x stay in the order given, so that
/// their scatter does not look sorted.
pub(crate) fn different_points(x: &[f64], y: &[f64]) -> LogPoints {
    let logs = LogPoints::new(x, y);
    let mut points: Vec<(usize, f64, f64)> =
        logs.x.iter().zip(&logs.y).enumerate().map(|(i, (&x, &y))| (i, x, y)).collect();
    points.sort_by(|p, q| p.1.total_cmp(&q.1).then(p.2.total_cmp(&q.2)).then(p.0.cmp(&q.0)));
    points.dedup_by(|p, q| p.1 == q.1 && p.2 == q.2);
    points.sort_by(|p, q| p.1.total_cmp(&q.1).then(p.0.cmp(&q.0)));
    let (x, y) = points.into_iter().map(|(_, x, y)| (x, y)).unzip();
    LogPoints { x, y }
}
