//! Finds the largest inputs whose runs stay within a limit.

use trend_answer::Law;
use trend_model::{TimeLaw, largest_that};

use crate::findings::fitting::{FittingSize, RunLimit};
use crate::findings::model::CurvePoint;
use crate::study::point::two_digits_below;

/// Maximum size that is considered, as a multiple of the largest run's.
const FAR: f64 = 1e9;

/// Returns the largest size within a limit. `sizes` are those of the runs, ascending and positive. `predicted` returns
/// the time or memory of a run of a size, and `at_most` the upper end of its interval. Returns `None` if a run of the
/// smallest predicted size exceeds the limit, or if no size does.
pub(crate) fn fitting(
    limit: RunLimit,
    sizes: &[f64],
    predicted: impl Fn(f64) -> Option<f64>,
    at_most: impl Fn(f64) -> Option<f64>,
) -> Option<FittingSize> {
    let largest = |taken: &dyn Fn(f64) -> Option<f64>| {
        // Neither the law nor its interval needs to reach down to the smallest run.
        let from = sizes.iter().copied().find(|size| taken(*size).is_some())?;
        let far = sizes.last()? * FAR;
        let is_within = |size: f64| taken(size).is_some_and(|taken| taken <= limit.amount());
        (is_within(from) && !is_within(far)).then(|| largest_that(from, far, is_within))
    };
    let size = largest(&predicted)?;
    // The interval of a time is known only up to the end of the curve, and the law need not be in its middle.
    let is_known = |at_least: &f64| at_most(at_least * 1.01).is_some();
    let at_least = largest(&at_most).filter(is_known).map(|at_least| two_digits_below(at_least.min(size)));
    Some(FittingSize { limit, size: two_digits_below(size), at_least })
}

/// The time of a run as a function of its size alone.
pub(crate) struct TimeBySize<'a> {
    law: &'a TimeLaw,
    counts: &'a Law,
    /// The counts with their intervals, by ascending size.
    curve: &'a [CurvePoint],
    /// The sizes that were timed, ascending.
    sizes: Vec<f64>,
}

impl<'a> TimeBySize<'a> {
    pub(crate) fn new(law: &'a TimeLaw, counts: &'a Law, curve: &'a [CurvePoint], sizes: Vec<f64>) -> Self {
        Self { law, counts, curve, sizes }
    }

    /// Returns the largest size within a time; `None` if the smallest run takes longer, or if no run does.
    pub(crate) fn up_to(&self, seconds: f64) -> Option<FittingSize> {
        let limit = RunLimit::Seconds(seconds);
        fitting(limit, &self.sizes, |size| self.seconds(size), |size| self.at_most(size))
    }

    fn seconds(&self, size: f64) -> Option<f64> {
        Some(self.law.at(self.counts.cost(&[size])?, None, Some(size)).seconds)
    }

    /// Returns the upper end of the time's interval.
    fn at_most(&self, size: f64) -> Option<f64> {
        let after = self.curve.partition_point(|point| point.at <= size);
        let [before, after] = [self.curve.get(after.checked_sub(1)?)?, self.curve.get(after)?];
        let upper = |point: &CurvePoint| Some((point.ci?[1]).ln());
        let part = (size / before.at).ln() / (after.at / before.at).ln();
        let high = (upper(before)? * (1.0 - part) + upper(after)? * part).exp();
        let counts = self.counts.cost(&[size])?;
        Some(self.law.at(counts, Some([counts, high.max(counts)]), Some(size)).ci[1])
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use trend_profile::{Study, StudyParts, Timing, Usage};

    use crate::analyze::analyze;
    use crate::findings::fitting::{FittingSize, RunLimit};
    use crate::options::Options;

    /// Findings of a program that executes `n^2` blocks of 2 ns each, for n from 2,000 to 20,000.
    fn fits(within: &[f64], reach: f64) -> (Vec<FittingSize>, Option<f64>) {
        fits_with(|_| 0, within, reach)
    }

    /// Findings of that program with another function, which executes this many blocks more and takes no time.
    fn fits_with(more: fn(u64) -> u64, within: &[f64], reach: f64) -> (Vec<FittingSize>, Option<f64>) {
        let sizes: Vec<u64> = (1..=10).map(|i| 2000 * i).collect();
        let row = |value: &dyn Fn(u64) -> u64| {
            sizes.iter().map(|&n| value(n).to_string()).collect::<Vec<_>>().join(" ")
        };
        let (squares, more) = (row(&|n| n * n), row(&more));
        let text = format!("n: {}\na.c:1:f: {squares}\na.c:9:g: {more}", row(&|n| n));
        let mut parts = StudyParts::from_text(&text).unwrap();
        for (workload, n) in parts.workloads.iter_mut().zip(&sizes) {
            let user = Duration::from_nanos(2 * n * n);
            let usage = Usage { wall: user, user, ..Usage::default() };
            workload.timing = Some(Timing { machine_memory_bytes: 0, runs: vec![usage] });
        }
        let within = within.iter().map(|seconds| RunLimit::Seconds(*seconds)).collect();
        let options = Options { reach, within, ..Options::default() };
        let findings = analyze(&Study::new(parts).unwrap(), &options).unwrap();
        let time = findings.answer.unwrap().time.unwrap();
        (time.fits, time.day_up_to)
    }

    #[test]
    fn the_largest_sizes_within_a_time_are_those_of_the_law() {
        // 2·10⁻⁹·n² is 0.08 s at 6,324, 10 s at 70,710 and an hour at 1,341,640; all are rounded down to two digits.
        let (fits, day) = fits(&[0.08, 10.0, 3600.0], 1e6);
        let sizes: Vec<f64> = fits.iter().map(|fit| fit.size).collect();
        assert_eq!(sizes, [6300.0, 70_000.0, 1_300_000.0]);
        assert_eq!(day, Some(6_500_000.0));
        for fit in &fits {
            let at_least = fit.at_least.unwrap();
            assert!(at_least < fit.size && at_least > 0.7 * fit.size, "{fit:?}");
        }
    }

    #[test]
    fn a_law_that_does_not_reach_down_to_the_smallest_run_has_fitting_sizes() {
        // The line of the second function is negative below n = 7,000.
        let (fits, _) = fits_with(|n| (40 * n).saturating_sub(280_000), &[10.0, 3600.0], 1e6);
        let sizes: Vec<f64> = fits.iter().map(|fit| fit.size).collect();
        assert_eq!(sizes, [70_000.0, 1_300_000.0]);
        assert!(fits.iter().all(|fit| fit.at_least.is_some()), "{fits:?}");
    }

    #[test]
    fn nothing_is_said_of_times_that_no_run_was_as_short_as_and_of_unknown_intervals() {
        // The shortest run takes 8 ms. The curve ends at ten times the largest size.
        let (fits, _) = fits(&[0.001, 1e6], 10.0);
        assert_eq!(fits, [FittingSize { limit: RunLimit::Seconds(1e6), size: 22_000_000.0, at_least: None }]);
    }
}
