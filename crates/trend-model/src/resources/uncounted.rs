//! Tests whether a program's time grows faster than its counts: because of work in libraries, system calls or
//! uninstrumented code, or hardware that gets slower. This module does not say which.

use crate::lines::robust_intervals::RobustLine;
use crate::models::power_law::PowerLaw;
use crate::statistics::interval::Interval;

/// Evidence that CPU time grows faster than the counted cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UncountedGrowth {
    /// Seconds as a power law of the total count. If whole runs show no growth, both are taken beyond the cheapest
    /// run. The exponent is 1 if everything that grows is counted.
    pub power_law: PowerLaw,
    /// Interval of the exponent, with its level; the lower end is above 1 plus a margin.
    pub exponent: Interval,
    /// Number of runs that provide the evidence: those that took long enough to be timed.
    pub runs: usize,
    /// Number of runs left out because they, or their part beyond the cheapest run, were below the timer's floor.
    pub too_short: usize,
    /// Ratio of the largest to the smallest total count of the runs used.
    pub range: f64,
}

/// Excess of the exponent over 1 that is attributed to hardware. Over three decades of counts, 0.15 makes the average
/// counted step 2.8 times as slow, which caches and address translation alone can cause.
const MARGIN: f64 = 0.15;

/// Minimum number of runs for a statement about whole runs: short runs are mostly startup.
const FEWEST_RUNS: usize = 10;

/// Minimum ratio of the largest to the smallest count: with less, an exponent reflects noise of the machine more than
/// growth.
const SMALLEST_RANGE: f64 = 10.0;

/// Minimum number of runs for a statement about the part beyond startup.
const FEWEST_BEYOND_STARTUP: usize = 6;

/// Confidence level for the part beyond startup: the interval from so few runs is wide already.
const LEVEL_BEYOND_STARTUP: f64 = 0.95;

/// Confidence level of the exponent's interval. A study has only one such test, but a false accusation is costly.
const LEVEL: f64 = 0.99;

/// Tests whether CPU time grows faster than the total counted cost; `counts[i]` and `seconds[i]` belong to the same
/// run.
///
/// Runs shorter than `timer_floor_seconds` and runs without counts are left out. Both the omission and the startup time
/// in the remaining runs make the exponent smaller, so the result errs towards `None`. The result is also `None` if
/// there are too few runs, too small a range, or numbers that are not finite.
///
/// # Formula
///
/// `seconds = a·counts^b` by [`PowerLaw::fit`]. The result is `Some` if the lower end of the interval of `b`, by
/// Student's t as for power laws, is above 1.15. Otherwise, `seconds − s₀` and `counts − c₀` are tested in the same
/// way. c₀ and s₀ belong to the run with the smallest count, and the test uses the runs for which the time beyond s₀ is
/// at least `s₀` and the floor. Startup makes up most of short runs and hides the growth of the others.
///
/// - Time: O(k).
pub fn uncounted_growth(
    counts: &[f64],
    seconds: &[f64],
    timer_floor_seconds: f64,
) -> Option<UncountedGrowth> {
    if counts.len() != seconds.len() {
        return None;
    }
    let counted = counts.iter().zip(seconds).filter(|&(&count, _)| count > 0.0);
    let (long, short): (Vec<_>, Vec<_>) =
        counted.partition(|&(_, &time)| time > 0.0 && time >= timer_floor_seconds);
    let (x, y): (Vec<f64>, Vec<f64>) = long.into_iter().map(|(&count, &time)| (count, time)).unzip();
    let of_all = if x.len() < FEWEST_RUNS || range(&x) < SMALLEST_RANGE {
        None
    } else {
        growth(&x, &y, short.len(), LEVEL)
    };
    of_all.or_else(|| beyond_startup(counts, seconds, timer_floor_seconds))
}

/// Minimum time of a long run, as a part of the longest one.
const LONG: f64 = 1.0 / 30.0;

/// Minimum number of long runs for a statement about growth.
const FEWEST_LONG: usize = 4;

/// Minimum ratio of the sizes of the long runs for such a statement.
const SMALLEST_LONG_RANGE: f64 = 4.0;

/// Returns true if CPU time grows at most as fast as `allowed` does with the size; `sizes[i]` and `seconds[i]` belong
/// to the same run. A part of a run grows at most as fast as the run, so this also holds for work that was not counted.
///
/// Returns `false` also if too few runs are long, or if their sizes are too similar.
///
/// # Formula
///
/// `(seconds − s₀) / (allowed(size) − allowed(n₀)) = a·size^b` by [`PowerLaw::fit`], with b below 0.15; n₀ and s₀
/// belong to the smallest run. Only runs count whose time beyond s₀ is at least the floor and a thirtieth of the
/// longest. The margin is wider than the scatter of b. An interval would flip between decisions on a busy machine.
///
/// - Time: O(k).
pub fn time_keeps_to(
    sizes: &[f64],
    seconds: &[f64],
    timer_floor_seconds: f64,
    allowed: impl Fn(f64) -> f64,
) -> bool {
    let timed = || sizes.iter().copied().zip(seconds.iter().copied()).filter(|&(n, s)| n > 0.0 && s > 0.0);
    let Some((smallest, startup)) = timed().min_by(|a, b| a.0.total_cmp(&b.0)) else { return false };
    let longest = timed().map(|(_, time)| time - startup).fold(0.0, f64::max);
    let least = timer_floor_seconds.max(LONG * longest);
    let long = timed().map(|(n, time)| (n, time - startup)).filter(|&(_, time)| time >= least);
    let (n, time): (Vec<f64>, Vec<f64>) = long.unzip();
    if n.len() < FEWEST_LONG || range(&n) < SMALLEST_LONG_RANGE {
        return false;
    }
    let beyond = |n: f64| allowed(n) - allowed(smallest);
    let faster: Vec<f64> = n.iter().zip(&time).map(|(n, time)| time / beyond(*n)).collect();
    PowerLaw::fit(&n, &faster).is_ok_and(|law| law.b < MARGIN)
}

/// Returns the ratio of the largest to the smallest.
fn range(counts: &[f64]) -> f64 {
    let smallest = counts.iter().copied().fold(f64::INFINITY, f64::min);
    counts.iter().copied().fold(0.0, f64::max) / smallest
}

/// Returns the evidence of the runs, if it shows growth.
fn growth(counts: &[f64], seconds: &[f64], too_short: usize, level: f64) -> Option<UncountedGrowth> {
    let power_law = PowerLaw::fit(counts, seconds).ok()?;
    let logs = |values: &[f64]| values.iter().map(|v| v.ln()).collect::<Vec<_>>();
    let exponent = RobustLine::new(&logs(counts), &logs(seconds), level).ok()?.slope();
    let range = range(counts);
    let growth = UncountedGrowth { power_law, exponent, runs: counts.len(), too_short, range };
    (exponent.lo > 1.0 + MARGIN).then_some(growth)
}

/// Tests the counts and times of runs beyond the run with the smallest count.
fn beyond_startup(counts: &[f64], seconds: &[f64], floor: f64) -> Option<UncountedGrowth> {
    let timed = || counts.iter().copied().zip(seconds.iter().copied()).filter(|&(c, s)| c > 0.0 && s > 0.0);
    let (least, startup) = timed().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let beyond = timed().map(|(count, time)| (count - least, time - startup));
    let beyond = beyond.filter(|&(count, time)| count > 0.0 && time >= startup && time >= floor);
    let (x, y): (Vec<f64>, Vec<f64>) = beyond.unzip();
    let most = x.iter().copied().fold(0.0, f64::max);
    if x.len() < FEWEST_BEYOND_STARTUP || range(&x).min((least + most) / least) < SMALLEST_RANGE {
        return None;
    }
    growth(&x, &y, timed().count() - x.len(), LEVEL_BEYOND_STARTUP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::noise::Noise;

    const FLOOR: f64 = 0.01;

    fn runs(seed: u64, k: usize, high: f64, sigma: f64, time: impl Fn(f64) -> f64) -> (Vec<f64>, Vec<f64>) {
        let mut noise = Noise::new(seed);
        let counts = noise.log_uniform(k, 1e7, high);
        let seconds = noise.costs(&counts, sigma, time);
        (counts, seconds)
    }

    fn accused(seed: u64, k: usize, sigma: f64, time: impl Fn(f64) -> f64) -> bool {
        let (counts, seconds) = runs(seed, k, 1e10, sigma, time);
        uncounted_growth(&counts, &seconds, FLOOR).is_some()
    }

    #[test]
    fn time_that_is_counted_accuses_nobody() {
        // Time is proportional, has startup, or has slow memory (twice as slow over three decades), at 1 ns per step.
        let honest: [fn(f64) -> f64; 3] =
            [|c| 1e-9 * c, |c| 0.05 + 1e-9 * c, |c| 1e-9 * c * (1.0 + (c / 1e7).log10() / 3.0)];
        for time in honest {
            let alarms = (0..100).filter(|&seed| accused(seed, 12, 0.1, time)).count();
            assert!(alarms <= 2, "{alarms} of 100");
        }
    }

    #[test]
    fn time_that_grows_as_it_may_is_told_from_time_that_grows_faster() {
        let sizes: Vec<f64> = (6..21).map(|i| f64::from(1 << i)).collect();
        let n_log_n = |n: f64| n * n.ln();
        let is_accepted = |seed: u64, time: &dyn Fn(f64) -> f64, allowed: &dyn Fn(f64) -> f64| {
            let seconds = Noise::new(seed).costs(&sizes, 0.05, |n| 0.003 + time(n));
            time_keeps_to(&sizes, &seconds, FLOOR, allowed)
        };
        let share = |time: &dyn Fn(f64) -> f64, allowed: &dyn Fn(f64) -> f64| {
            (0..200).filter(|seed| is_accepted(*seed, time, allowed)).count()
        };
        // A sort, and a table that outgrows the caches, as measured for Rust's.
        for (accepted, least) in [
            (share(&|n| 3e-8 * n_log_n(n), &n_log_n), 198),
            (share(&|n| 1e-6 * n.powf(1.04), &|n| n), 198),
            (share(&|n| 3e-8 * n_log_n(n), &|n| n * n), 198),
        ] {
            assert!(accepted >= least, "{accepted} of 200");
        }
        // Costs that grow faster, and costs too short for a statement.
        assert_eq!(share(&|n| 1e-12 * n * n, &|n| n), 0);
        assert!(share(&|n| 1e-7 * n.powf(1.25), &|n| n) <= 4);
        assert_eq!(share(&|n| 1e-9 * n, &|n| n), 0);
    }

    #[test]
    fn uncounted_squares_are_found() {
        // One library call per 10⁴ counted steps does quadratic work of its own.
        let detections =
            (0..100).filter(|&seed| accused(seed, 20, 0.1, |c| 1e-9 * c + 1e-17 * c * c)).count();
        assert!(detections >= 95, "{detections} of 100");
        let (counts, seconds) = runs(1, 40, 1e10, 0.05, |c| 1e-14 * c.powf(1.5));
        let evidence = uncounted_growth(&counts, &seconds, 0.0).unwrap();
        assert!(evidence.exponent.contains(1.5), "{evidence:?}");
        assert_eq!((evidence.runs, evidence.too_short), (40, 0));
    }

    #[test]
    fn startup_does_not_hide_what_grows_in_the_longer_runs() {
        // Measured on a program that searches a vector with `contains` and removes its front with `remove(0)`.
        let lines = [100, 168, 282, 474, 796, 1336, 2245, 3770, 6332, 10_635, 17_862, 30_000];
        let seconds = [0.013, 0.013, 0.014, 0.016, 0.018, 0.023, 0.032, 0.050, 0.092, 0.180, 0.410, 1.002];
        let counts = lines.map(|n| f64::from(n) * 4500.0);
        let evidence = uncounted_growth(&counts, &seconds, FLOOR).unwrap();
        assert!(evidence.exponent.contains(1.5), "{evidence:?}");
        assert_eq!((evidence.runs, evidence.too_short), (6, 6));
    }

    #[test]
    fn runs_below_the_timers_floor_are_left_out_and_counted() {
        let (counts, seconds) = runs(1, 60, 1e10, 0.05, |c| 1e-14 * c.powf(1.5));
        let evidence = uncounted_growth(&counts, &seconds, 0.01).unwrap();
        let short = seconds.iter().filter(|s| **s < 0.01).count();
        assert!(short > 0);
        assert_eq!((evidence.too_short, evidence.runs), (short, 60 - short));
    }

    #[test]
    fn too_little_data_accuses_nobody() {
        let time = |c: f64| 1e-17 * c * c;
        let (counts, seconds) = runs(1, 6, 1e10, 0.0, time);
        assert_eq!(uncounted_growth(&counts, &seconds, 0.0), None, "too few runs");
        let (counts, seconds) = runs(1, 50, 9e7, 0.0, time);
        assert_eq!(uncounted_growth(&counts, &seconds, 0.0), None, "too small a range");
        assert_eq!(uncounted_growth(&counts, &seconds[1..], 0.0), None, "different lengths");
        assert_eq!(uncounted_growth(&[f64::NAN; 20], &[1.0; 20], 0.0), None, "not numbers");
        assert_eq!(uncounted_growth(&[], &[], 0.0), None);
    }
}
