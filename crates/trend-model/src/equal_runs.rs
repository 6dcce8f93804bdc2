//! Runs of equal feature value: which of them differ, by how much, and which are mere copies. Judges nothing.

use crate::ascending::sort_by_feature;
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
pub(crate) fn equal_runs(logs: &LogPoints) -> Option<(EqualRuns, f64)> {
    let mut points: Vec<(f64, f64)> = logs.x.iter().copied().zip(logs.y.iter().copied()).collect();
    sort_by_feature(&mut points);
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
pub(crate) fn different_points(logs: &LogPoints) -> LogPoints {
    let points = logs.x.iter().zip(&logs.y).enumerate().map(|(i, (&x, &y))| (x, y, i));
    let mut points: Vec<(f64, f64, usize)> = points.collect();
    if !logs.x.is_sorted() {
        points.sort_by(|p, q| p.0.total_cmp(&q.0));
    }
    let mut different =
        LogPoints { x: Vec::with_capacity(points.len()), y: Vec::with_capacity(points.len()) };
    for equal in points.chunk_by_mut(|p, q| p.0 == q.0) {
        if let [point] = equal {
            different.x.push(point.0);
            different.y.push(point.1);
            continue;
        }
        equal.sort_unstable_by(|p, q| p.1.total_cmp(&q.1).then(p.2.cmp(&q.2)));
        let mut firsts: Vec<&(f64, f64, usize)> =
            equal.chunk_by(|p, q| p.1 == q.1).map(|same| &same[0]).collect();
        firsts.sort_unstable_by_key(|point| point.2);
        different.x.extend(firsts.iter().map(|point| point.0));
        different.y.extend(firsts.iter().map(|point| point.1));
    }
    different
}
