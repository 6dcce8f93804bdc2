//! Whether a program's time grows faster than what was counted of it: work in library or system calls, in code
//! that was not instrumented, or in hardware that gets slower. Does not say which.

use crate::{Interval, PowerLaw, Resamples, power_law_intervals};

/// Evidence that CPU time grows faster than the counted cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UncountedGrowth {
    /// Seconds as a power law of the total count; its exponent is 1 when everything that grows is counted.
    pub power_law: PowerLaw,
    /// 99 % interval of the exponent; its lower end is above 1 plus a margin.
    pub exponent: Interval,
    /// Runs that the evidence is from: those that took long enough to be timed.
    pub runs: usize,
    /// Runs left out because they were below the timer's floor.
    pub too_short: usize,
    /// Largest over smallest total count of the runs used.
    pub range: f64,
}

/// Exponent above 1 that is put down to hardware: over three decades of counts 0.15 makes the average counted
/// step 2.8 times as slow, which caches and address translation alone can do.
const MARGIN: f64 = 0.15;

/// Runs below which a bootstrap interval is too narrow to accuse anybody.
const FEWEST_RUNS: usize = 10;

/// Ratio of largest to smallest count below which an exponent says more about the machine's mood than about growth.
const SMALLEST_RANGE: f64 = 10.0;

/// Confidence level of the exponent's interval; one study has one such test, but a false accusation is costly.
const LEVEL: f64 = 0.99;

/// Resamples for the interval; its ends are 0.5 % percentiles, with five resamples beyond each.
const RESAMPLES: usize = 1000;

/// Asks whether CPU time grows faster than the total counted cost; `counts[i]` and `seconds[i]` are of the same run.
///
/// Runs shorter than `timer_floor_seconds` are left out, as are runs that counted nothing. Both what is left out
/// and the startup time within the rest make the exponent smaller, so the answer errs towards `None`. `None` also
/// when there are too few runs, too small a range, or numbers that are not finite.
///
/// # Formula
///
/// `seconds = a·counts^b` by [`PowerLaw::fit`]; `Some` when the lower end of the bootstrap interval of `b` is above
/// 1.15.
///
/// - Time: O(1000·k).
pub fn uncounted_growth(
    counts: &[f64],
    seconds: &[f64],
    timer_floor_seconds: f64,
    seed: u64,
) -> Option<UncountedGrowth> {
    if counts.len() != seconds.len() {
        return None;
    }
    let counted = counts.iter().zip(seconds).filter(|&(&count, _)| count > 0.0);
    let (long, short): (Vec<_>, Vec<_>) =
        counted.partition(|&(_, &time)| time > 0.0 && time >= timer_floor_seconds);
    let (x, y): (Vec<f64>, Vec<f64>) = long.into_iter().map(|(&count, &time)| (count, time)).unzip();
    let smallest = x.iter().copied().fold(f64::INFINITY, f64::min);
    let range = x.iter().copied().fold(0.0, f64::max) / smallest;
    if x.len() < FEWEST_RUNS || range < SMALLEST_RANGE {
        return None;
    }
    let power_law = PowerLaw::fit(&x, &y).ok()?;
    let resamples = Resamples::new(x.len(), RESAMPLES, seed);
    let exponent = power_law_intervals(&resamples, &x, &y, &[], LEVEL).ok()?.b;
    (exponent.lo > 1.0 + MARGIN).then_some(UncountedGrowth {
        power_law,
        exponent,
        runs: x.len(),
        too_short: short.len(),
        range,
    })
}
