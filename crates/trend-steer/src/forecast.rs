//! Predicts the time of runs at a size from recorded runs. If in doubt, the prediction is too long.

use trend_analyze::{Findings, Model};
use trend_model::{PowerLaw, largest_that};
use trend_profile::Study;

/// Time below which runs are mostly startup, and show nothing about growth.
const STARTUP_SECONDS: f64 = 0.02;

/// Minimum number of runs for a law of the time.
const FEWEST_RUNS: usize = 4;

/// Minimum ratio between the times of runs for their difference to count as growth.
const CLEARLY: f64 = 1.5;

/// Factor from the largest size up to which sizes are considered.
const FAR: f64 = 1e6;

/// Times of the recorded runs by size.
pub(crate) struct Forecast<'a> {
    /// Sizes and elapsed seconds, by ascending size.
    times: Vec<(f64, f64)>,
    law: Option<PowerLaw>,
    /// Model of the program's total cost.
    total: Option<&'a Model>,
    /// Expensive parts whose growth is decided: the program costs at least as much as each of them.
    parts: Vec<&'a Model>,
    jobs: usize,
}

impl<'a> Forecast<'a> {
    /// Creates a forecast from the runs of a study that have this feature.
    pub(crate) fn new(study: &Study, findings: &'a Findings, feature: usize, jobs: usize) -> Self {
        let values = &study.features()[feature].values;
        let timed = study.workloads().iter().zip(values);
        let times = timed.filter_map(|(w, x)| Some(((*x)?, w.usage?.wall.as_secs_f64()))).collect();
        let costly = findings.clusters.iter().filter(|cluster| cluster.costly);
        let is_decided = |m: &&Model| m.is_sound() && m.growth.as_ref().is_some_and(|growth| growth.decided);
        let parts =
            costly.filter_map(|cluster| cluster.fits.models.get(feature)).filter(is_decided).collect();
        Self { parts, ..Self::from_times(times, findings.total.fits.models.get(feature), jobs) }
    }

    /// Creates a forecast from sizes and seconds, and from the model of the program's total cost if there is one.
    pub(crate) fn from_times(mut times: Vec<(f64, f64)>, total: Option<&'a Model>, jobs: usize) -> Self {
        times.retain(|&(x, seconds)| x > 0.0 && seconds > 0.0);
        times.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
        let (x, y): (Vec<f64>, Vec<f64>) = times.iter().copied().filter(|t| t.1 >= STARTUP_SECONDS).unzip();
        let law = (x.len() >= FEWEST_RUNS).then(|| PowerLaw::fit(&x, &y).ok()).flatten();
        Self { times, law, total, parts: Vec::new(), jobs: jobs.max(1) }
    }

    /// Returns true if runs took long enough to predict how their time grows.
    pub(crate) fn has_law(&self) -> bool {
        self.law.is_some()
    }

    /// Returns the elapsed seconds of runs at some sizes, each with a number of runs; runs are parallel if there are
    /// several jobs. Returns `None` if no run was timed.
    pub(crate) fn seconds(&self, runs: &[(f64, usize)]) -> Option<f64> {
        let (mut sum, mut longest) = (0.0, 0.0);
        for &(x, count) in runs {
            let one = self.one(x)?;
            sum += one * count.max(1) as f64;
            longest = f64::max(longest, one);
        }
        Some((sum / self.jobs as f64).max(longest))
    }

    /// Returns the largest size at which this number of inputs takes at most `seconds`; `None` if no run was timed.
    pub(crate) fn largest(&self, seconds: f64, inputs: usize) -> Option<f64> {
        let &(most, _) = self.times.last()?;
        let fits = |x: f64| self.seconds(&[(x, inputs)]).is_some_and(|s| s <= seconds);
        if fits(most * FAR) {
            return Some(most * FAR);
        }
        Some(largest_that(self.times[0].0 / FAR, most * FAR, fits))
    }

    /// Predicts one run. Within the recorded sizes, the run takes as long as the longest run of the next larger size.
    /// Beyond them, the time grows from the largest size. It grows like the steepest of three: the time law, the time
    /// over the largest sizes, and the cost.
    fn one(&self, x: f64) -> Option<f64> {
        let &(most, _) = self.times.last()?;
        let from = self.times[self.times.partition_point(|t| t.0 < x.min(most))].0;
        let seconds = self.times.iter().filter(|t| t.0 == from).map(|t| t.1).fold(0.0, f64::max);
        if x <= most {
            return Some(seconds);
        }
        let slope = self.law.as_ref().map(|law| law.b).into_iter().chain(self.local_slope(most));
        let by_time = slope.map(|slope| (x / most).powf(slope.max(0.0)));
        let by_cost = self.total.and_then(|total| {
            // A cost too large for a number takes too long.
            let of = |model: &&Model| model.predict(x).unwrap_or(f64::INFINITY);
            Some(self.parts.iter().map(of).fold(of(&total), f64::max) / total.predict(most)?)
        });
        let growth = by_time.into_iter().chain(by_cost).filter(|g| !g.is_nan()).fold(1.0, f64::max);
        Some(seconds * growth)
    }

    /// Returns the slope of log time over log size, between the largest size and the next smaller one whose runs took
    /// clearly less time.
    fn local_slope(&self, most: f64) -> Option<f64> {
        let longest = |size: f64| self.times.iter().filter(|t| t.0 == size).map(|t| t.1).fold(0.0, f64::max);
        let last = longest(most);
        let is_clear =
            |t: &&(f64, f64)| t.0 < most && t.1 >= STARTUP_SECONDS && last >= CLEARLY * longest(t.0);
        let before = self.times.iter().rev().find(is_clear)?;
        Some((last / longest(before.0)).ln() / (most / before.0).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quadratic times, 0.1 s at 1000.
    fn quadratic(jobs: usize) -> Forecast<'static> {
        let sizes = [100.0, 500.0, 600.0, 700.0, 800.0, 1000.0];
        Forecast::from_times(sizes.map(|n: f64| (n, n * n * 1e-7)).to_vec(), None, jobs)
    }

    #[test]
    fn times_grow_by_their_law_and_share_the_jobs() {
        let close = |a: Option<f64>, b: f64| assert!((a.unwrap() / b - 1.0).abs() < 1e-6, "{a:?} {b}");
        close(quadratic(1).seconds(&[(2000.0, 1), (4000.0, 1)]), 0.4 + 1.6);
        close(quadratic(2).seconds(&[(2000.0, 3), (4000.0, 3)]), 3.0);
        close(quadratic(2).seconds(&[(4000.0, 1)]), 1.6);
        // Within the recorded sizes, the next larger size decides.
        close(quadratic(1).seconds(&[(550.0, 1)]), 0.036);
    }

    #[test]
    fn the_largest_size_in_time_is_that_whose_run_fills_it() {
        let largest = quadratic(1).largest(10.0, 1).unwrap();
        assert!((largest / 10_000.0 - 1.0).abs() < 1e-6, "{largest}");
        let of_four = quadratic(2).largest(10.0, 4).unwrap();
        assert!((of_four / 50f64.sqrt() / 1000.0 - 1.0).abs() < 1e-6, "{of_four}");
        assert!(quadratic(1).largest(1e-9, 1).unwrap() < 100.0);
    }

    #[test]
    fn what_grows_faster_over_the_largest_sizes_goes_on_so() {
        // 0.02 s at 10, and twice as much with every unit.
        let doubling = |n: i32| (f64::from(n), 0.02 * 2f64.powi(n - 10));
        let few = Forecast::from_times([10, 11, 12].map(doubling).to_vec(), None, 1);
        let seconds = few.seconds(&[(13.0, 1)]).unwrap();
        assert!((0.12..0.17).contains(&seconds), "{seconds}");
        let flat = Forecast::from_times(vec![(10.0, 1.0), (11.0, 1.2), (12.0, 1.1)], None, 1);
        assert!(flat.seconds(&[(13.0, 1)]).is_some_and(|s| s == 1.1));
    }

    #[test]
    fn without_times_nothing_is_said() {
        let nothing = Forecast::from_times(Vec::new(), None, 1);
        assert_eq!((nothing.seconds(&[(1.0, 1)]), nothing.largest(1.0, 1)), (None, None));
    }
}
