//! Predicts a program's time at a size that was not run, from its counts there and the times of the largest runs.
//!
//! Time per count is not constant: it rises when the working set outgrows the caches. A power law through the times of
//! the largest runs includes that, but not terms that only begin to show; the counts include these terms. Both together
//! are closer than either. Over 15 programs and ten times the largest size, their median error was 31 % (counts with a
//! constant rate), 17 % (power law) and 11 % (the geometric mean of both).
//!
//! Time per count falls if a run begins with work that has no counts: an interpreter that starts, or modules that are
//! loaded. That time is the same in every run, and both methods predict the time beyond it.

use crate::models::linear::Linear;
use crate::models::power_law::PowerLaw;

/// Maximum factor between the times of the longest run and of a fitted run.
const TOP: f64 = 10.0;

/// Minimum number of fitted runs, enough for a slope. [`TOP`] alone may leave fewer: if time grows quadratically, a
/// run of three times the size takes nine times as long.
const FEWEST: usize = 3;

/// Maximum drift: time per count grows with the memory in use, and at most as its square root.
const MOST_DRIFT: f64 = 0.5;

/// Number of standard errors by which time per count must fall to show a startup. With noise of 3 to 5 % and without a
/// startup, 0.1 to 1 % of simulated programs reach it.
const CERTAIN: f64 = 4.0;

/// A run with its counts and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedRun {
    /// Counts, such as executions of blocks.
    pub counts: f64,
    /// CPU time in seconds.
    pub seconds: f64,
    /// Size of the input, if there is one.
    pub size: Option<f64>,
}

/// Seconds as a function of the counts and the size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeLaw {
    /// Seconds that every run takes, whatever its counts.
    pub startup: f64,
    /// Seconds per count beyond the startup, at the counts of the largest run.
    pub rate: f64,
    /// Counts of the largest run.
    pub largest: f64,
    /// Exponent of the rate's growth with the counts, 0 to 0.5.
    pub drift: f64,
    /// Power law of seconds beyond the startup over size, through the longest runs.
    pub power: Option<PowerLaw>,
    /// Standard deviation of ln(time beyond the startup ÷ counts) around its line; `None` for fewer than three runs.
    pub scatter: Option<f64>,
    /// Seconds of the longest run.
    pub longest: f64,
    /// Number of runs used.
    pub runs: usize,
}

/// Prediction of a [`TimeLaw`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds {
    /// CPU time in seconds.
    pub seconds: f64,
    /// Range of the predictions by all methods, plus a margin of 20 %.
    pub ci: [f64; 2],
}

impl TimeLaw {
    /// Part of the drift that continues beyond the largest run: sooner or later, the memory exceeds all caches.
    pub const KEPT_DRIFT: f64 = 0.5;

    /// Relative margin by which the interval exceeds the range of the predictions at both ends.
    pub const MARGIN: f64 = 0.2;

    /// Fits runs in any order; returns `None` if no run has both a time and counts.
    ///
    /// - Time: O(runs · log runs).
    pub fn fit(runs: &[TimedRun]) -> Option<Self> {
        let is_usable = |run: &&TimedRun| {
            run.counts > 0.0 && run.counts.is_finite() && run.seconds > 0.0 && run.seconds.is_finite()
        };
        let mut top: Vec<&TimedRun> = runs.iter().filter(is_usable).collect();
        top.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        let longest = top.first()?.seconds;
        let within = top.iter().filter(|run| run.seconds * TOP >= longest).count();
        top.truncate(within.max(FEWEST));
        let largest = top.iter().map(|run| run.counts).reduce(f64::max)?;
        let log_counts: Vec<f64> = top.iter().map(|run| (run.counts / largest).ln()).collect();
        let log_rates: Vec<f64> = top.iter().map(|run| (run.seconds / run.counts).ln()).collect();
        let line = RateLine::fit(&log_counts, &log_rates).filter(|_| top.len() >= FEWEST);
        let affine = line.and_then(|line| startup(&top, line));
        let startup = affine.map_or(0.0, |affine| affine.a);
        let drift = line.map_or(0.0, |line| line.slope.clamp(0.0, MOST_DRIFT));
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / top.len() as f64;
        let proportional = || mean(&mut log_counts.iter().zip(&log_rates).map(|(x, y)| y - drift * x)).exp();
        let rate = affine.map_or_else(proportional, |affine| affine.b);
        let squares = affine.map(|affine| squares(&top, affine)).or(line.map(|line| line.squares));
        let scatter = line.and(squares).map(|squares| (squares / (top.len() - 2) as f64).sqrt());
        // The time beyond the startup is known only of runs that take much longer.
        let worked = top.iter().filter(|run| run.seconds >= 2.0 * startup);
        let points: Option<Vec<(f64, f64)>> =
            worked.map(|run| Some((run.size.filter(|size| *size > 0.0)?, run.seconds - startup))).collect();
        let (sizes, seconds): (Vec<f64>, Vec<f64>) = points.unwrap_or_default().into_iter().unzip();
        let power = PowerLaw::fit(&sizes, &seconds).ok().filter(|_| sizes.len() >= FEWEST);
        Some(Self { startup, rate, largest, drift, power, scatter, longest, runs: top.len() })
    }

    /// Predicts the time of a run with these counts and this size. `counts_ci` is the interval of the counts, if known.
    pub fn at(&self, counts: f64, counts_ci: Option<[f64; 2]>, size: Option<f64>) -> Seconds {
        let growth = counts / self.largest;
        let drift_share = if growth > 1.0 { Self::KEPT_DRIFT } else { 1.0 };
        let by_counts = |counts: f64, part: f64| counts * self.rate * growth.powf(part * self.drift);
        let by_power = self.power.zip(size).map(|(law, size)| law.predict(size));
        let first = by_counts(counts, drift_share);
        let seconds = by_power.map_or(first, |power| (first * power).sqrt());
        let [low, high] = counts_ci.unwrap_or([counts; 2]);
        let drifted = [0.0, 1.0].map(|part| [by_counts(low, part), by_counts(high, part)]);
        let all = drifted.into_iter().flatten().chain(by_power).chain([seconds]);
        let [least, most] =
            all.fold([f64::INFINITY, 0.0], |[least, most], s| [f64::min(least, s), f64::max(most, s)]);
        let ci =
            [(self.startup + least) * (1.0 - Self::MARGIN), (self.startup + most) * (1.0 + Self::MARGIN)];
        Seconds { seconds: self.startup + seconds, ci }
    }
}

/// The line of ln(time ÷ counts) over ln(counts).
#[derive(Clone, Copy)]
struct RateLine {
    slope: f64,
    /// Ratio of the slope to its standard error, without its sign.
    certainty: f64,
    /// Sum of the squared residuals.
    squares: f64,
}

impl RateLine {
    fn fit(log_counts: &[f64], log_rates: &[f64]) -> Option<Self> {
        let line = Linear::fit(log_counts, log_rates).ok()?;
        let residuals = log_counts.iter().zip(log_rates).map(|(x, y)| y - line.predict(*x));
        let squares: f64 = residuals.map(|residual| residual.powi(2)).sum();
        let freedom = log_counts.len().saturating_sub(2) as f64;
        Some(Self { slope: line.b, certainty: (freedom * line.r2 / (1.0 - line.r2)).sqrt(), squares })
    }
}

/// Returns the line of time over counts, whose value at 0 is the startup. Returns `None` if time per count does not
/// certainly fall, or if a power fits as well; `power` is that power.
fn startup(runs: &[&TimedRun], power: RateLine) -> Option<Linear> {
    if power.slope >= 0.0 || power.certainty < CERTAIN {
        return None;
    }
    let counts: Vec<f64> = runs.iter().map(|run| run.counts).collect();
    let seconds: Vec<f64> = runs.iter().map(|run| run.seconds).collect();
    // Times scatter in proportion to themselves.
    let weights: Vec<f64> = seconds.iter().map(|seconds| seconds.powi(-2)).collect();
    let affine = Linear::fit_weighted(&counts, &seconds, &weights).ok()?;
    (affine.a > 0.0 && affine.b > 0.0 && squares(runs, affine) < power.squares).then_some(affine)
}

/// Returns the sum of the squares of the relative differences between times and a line.
fn squares(runs: &[&TimedRun], affine: Linear) -> f64 {
    runs.iter().map(|run| (affine.predict(run.counts) / run.seconds - 1.0).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(seconds: impl Fn(f64) -> f64) -> Vec<TimedRun> {
        let sizes = (0..8).map(|i| f64::from(1000 << i));
        sizes.map(|n| TimedRun { counts: 7.0 * n, seconds: seconds(n), size: Some(n) }).collect()
    }

    #[test]
    fn a_constant_rate_is_found_and_gives_the_time_anywhere() {
        let law = TimeLaw::fit(&runs(|n| 7.0 * n * 3e-9)).unwrap();
        assert!((law.rate / 3e-9 - 1.0).abs() < 1e-9 && law.drift.abs() < 1e-9, "{law:?}");
        assert_eq!(law.runs, 4);
        let at = law.at(7e9, None, Some(1e9));
        assert!((at.seconds / 21.0 - 1.0).abs() < 1e-9, "{at:?}");
        assert!((at.ci[0] / 16.8 - 1.0).abs() < 1e-9 && (at.ci[1] / 25.2 - 1.0).abs() < 1e-9, "{at:?}");
    }

    #[test]
    fn half_of_a_drift_goes_on_and_the_interval_has_all_of_it() {
        let law = TimeLaw::fit(&runs(|n| 7e-9 * n.powf(1.2))).unwrap();
        assert!((law.drift - 0.2).abs() < 1e-9, "{law:?}");
        let (counts, size) = (law.largest * 10.0, 1.28e6);
        let full = 7e-9 * f64::powf(size, 1.2);
        let at = law.at(counts, None, Some(size));
        // The counts give 10^−0.1 of the full time, and the power law all of it.
        assert!((at.seconds / (full * 10_f64.powf(-0.05)) - 1.0).abs() < 1e-9, "{at:?}");
        assert!((at.ci[1] / (1.2 * full) - 1.0).abs() < 1e-9, "{at:?}");
        assert!((at.ci[0] / (0.8 * full * 10_f64.powf(-0.2)) - 1.0).abs() < 1e-9, "{at:?}");
    }

    #[test]
    fn a_startup_is_the_same_in_every_run() {
        let law = TimeLaw::fit(&runs(|n| 0.05 + n * 1e-6)).unwrap();
        assert!((law.startup / 0.05 - 1.0).abs() < 1e-9, "{law:?}");
        assert!(law.runs == 8 && law.scatter.is_some_and(|scatter| scatter < 1e-9), "{law:?}");
        let at = law.at(7.0 * 1.28e6, None, Some(1.28e6));
        assert!((at.seconds / 1.33 - 1.0).abs() < 1e-9, "{at:?}");
        assert!((at.ci[0] / (0.8 * 1.33) - 1.0).abs() < 1e-9, "{at:?}");
        assert!((at.ci[1] / (1.2 * 1.33) - 1.0).abs() < 1e-9, "{at:?}");
    }

    /// Runs with noise of 3 to 5 %.
    fn noisy(seconds: impl Fn(f64) -> f64) -> Vec<TimedRun> {
        let noise = [1.03, 0.98, 1.05, 1.01, 0.97, 0.95, 1.02, 0.96];
        let runs = runs(seconds).into_iter().zip(noise);
        runs.map(|(run, noise)| TimedRun { seconds: run.seconds * noise, ..run }).collect()
    }

    #[test]
    fn runs_that_do_not_tell_a_startup_have_none() {
        let startup = |runs: &[TimedRun]| TimeLaw::fit(runs).unwrap().startup;
        // The run with the most counts is the shortest.
        assert_eq!(startup(&runs(|n| 0.05 - n * 1e-9)), 0.0);
        // Time per count falls like a power.
        assert_eq!(startup(&runs(|n| 1e-6 * n.powf(0.9))), 0.0);
        // All runs have the same counts.
        let alike = |seconds: f64| TimedRun { counts: 100.0, seconds, size: None };
        assert_eq!(startup(&[1.0, 1.1, 1.2].map(alike)), 0.0);
        // Noise makes it seem to fall.
        assert_eq!(startup(&noisy(|n| 7.0 * n * 3e-9)), 0.0);
    }

    #[test]
    fn a_startup_shows_through_noise() {
        let law = TimeLaw::fit(&noisy(|n| 0.05 + n * 1e-6)).unwrap();
        assert!((0.045..0.055).contains(&law.startup), "{law:?}");
        let at = law.at(7.0 * 1.28e6, None, Some(1.28e6));
        assert!(at.ci[0] < 1.33 && at.ci[1] > 1.33, "{at:?}");
    }

    #[test]
    fn three_runs_are_fitted_however_far_the_longest_is_ahead() {
        let squares = [1000.0, 2000.0, 4000.0, 12000.0].map(|n| TimedRun {
            counts: n * n,
            seconds: n * n * 3e-9,
            size: Some(n),
        });
        let law = TimeLaw::fit(&squares).unwrap();
        assert!(law.runs == 3 && law.scatter.is_some_and(|scatter| scatter < 1e-9), "{law:?}");
        assert!(law.power.is_some_and(|power| (power.b - 2.0).abs() < 1e-9), "{law:?}");
    }

    #[test]
    fn without_sizes_the_counts_alone_predict_and_their_interval_is_the_times() {
        let mut some = runs(|n| 7.0 * n * 3e-9);
        for run in &mut some {
            run.size = None;
        }
        let law = TimeLaw::fit(&some).unwrap();
        assert_eq!(law.power, None);
        let at = law.at(1e9, Some([0.5e9, 4e9]), None);
        assert!((at.ci[0] / 1.2 - 1.0).abs() < 1e-9 && (at.ci[1] / 14.4 - 1.0).abs() < 1e-9, "{at:?}");
    }

    #[test]
    fn nothing_that_was_timed_has_no_law() {
        assert_eq!(TimeLaw::fit(&[]), None);
        assert_eq!(TimeLaw::fit(&[TimedRun { counts: 0.0, seconds: 1.0, size: None }]), None);
        let one = TimeLaw::fit(&[TimedRun { counts: 10.0, seconds: 1.0, size: None }]).unwrap();
        assert!((one.rate - 0.1).abs() < 1e-12 && one.scatter.is_none(), "{one:?}");
    }
}
