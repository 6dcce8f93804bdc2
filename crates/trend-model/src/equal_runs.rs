//! Runs of equal feature value: which of them differ, by how much, and which are mere copies. Judges nothing.

use std::borrow::Cow;
use std::ops::Range;

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
pub(crate) fn equal_runs(logs: &LogPoints<'_>) -> Option<(EqualRuns, f64)> {
    let mut points: Vec<(f64, f64)> = if logs.x.is_sorted() {
        let shared = runs_of_equals(&logs.x).flatten();
        shared.map(|i| (logs.x[i], logs.y[i])).collect()
    } else {
        logs.x.iter().copied().zip(logs.y.iter().copied()).collect()
    };
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
pub(crate) fn different_points<'a>(logs: &'a LogPoints<'_>) -> LogPoints<'a> {
    let is_sorted = logs.x.is_sorted();
    if is_sorted && !runs_of_equals(&logs.x).any(|run| has_copies(&logs.y[run])) {
        return LogPoints { x: Cow::Borrowed(&logs.x), y: Cow::Borrowed(&logs.y) };
    }
    let points = logs.x.iter().zip(logs.y.iter()).enumerate().map(|(i, (&x, &y))| (x, y, i));
    let mut points: Vec<(f64, f64, usize)> = points.collect();
    if !is_sorted {
        points.sort_by(|p, q| p.0.total_cmp(&q.0));
    }
    let (mut x, mut y) = (Vec::with_capacity(points.len()), Vec::with_capacity(points.len()));
    for equal in points.chunk_by_mut(|p, q| p.0 == q.0) {
        if let [point] = equal {
            x.push(point.0);
            y.push(point.1);
            continue;
        }
        equal.sort_unstable_by(|p, q| p.1.total_cmp(&q.1).then(p.2.cmp(&q.2)));
        let mut firsts: Vec<&(f64, f64, usize)> =
            equal.chunk_by(|p, q| p.1 == q.1).map(|same| &same[0]).collect();
        firsts.sort_unstable_by_key(|point| point.2);
        x.extend(firsts.iter().map(|point| point.0));
        y.extend(firsts.iter().map(|point| point.1));
    }
    LogPoints { x: x.into(), y: y.into() }
}

/// Where values that ascend are the same as their neighbours.
fn runs_of_equals(values: &[f64]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        start += values.get(start..)?.windows(2).position(|w| w[0] == w[1])?;
        let run = start..start + values[start..].iter().take_while(|v| **v == values[start]).count();
        start = run.end;
        Some(run)
    })
}

/// Whether some of the values are the same.
fn has_copies(values: &[f64]) -> bool {
    /// So few are sooner compared each with each than sorted.
    const FEW: usize = 8;
    if values.len() <= FEW {
        return values.iter().enumerate().any(|(i, v)| values[..i].contains(v));
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.windows(2).any(|w| w[0] == w[1])
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
            let of = |points: &[(f64, f64)]| {
                let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
                let logs = LogPoints { x: x.into(), y: y.into() };
                let different = different_points(&logs);
                let different: Vec<(f64, f64)> = different.x.iter().copied().zip(different.y.iter().copied()).collect();
                (equal_runs(&logs), different)
            };
            let (runs, different) = of(&points);
            points.sort_by(|p, q| p.0.total_cmp(&q.0));
            prop_assert_eq!(of(&points), (runs, different.clone()));
            // Oracle: every point where it is for the first time.
            let firsts = points.iter().enumerate().filter(|(i, p)| !points[..*i].contains(p)).map(|(_, p)| *p);
            prop_assert_eq!(different, firsts.collect::<Vec<_>>());
        }
    }

    #[test]
    fn many_equal_values_are_found_like_few() {
        assert!(has_copies(&[3.0, 1.0, 3.0]) && !has_copies(&[3.0, 1.0, 2.0]));
        let many: Vec<f64> = (0..20).map(|i| f64::from(i * 7 % 20)).collect();
        assert!(!has_copies(&many));
        assert!(has_copies(&[many, vec![4.0]].concat()));
        let runs: Vec<_> = runs_of_equals(&[1.0, 1.0, 2.0, 3.0, 3.0, 3.0]).collect();
        assert_eq!(runs, [0..2, 3..6]);
        assert_eq!(runs_of_equals(&[]).count() + runs_of_equals(&[1.0]).count(), 0);
    }
}
