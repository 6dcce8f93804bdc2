//! Finds the first sizes of an unknown program. Sizes grow by a constant factor, with one run each, until a run takes a
//! large part of the time, or fails.
//!
//! ```text
//!   n      4   7   12   21   37 … 16384   28526   49667            a run of 49667 would take a sixth of the budget: enough
//!   n      4   7   12   21   37   (64 takes too long)   42   49     an exponential: sizes between the last two
//! ```
//!
//! The result is a plan that [`decide`](crate::decide) continues.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use trend_profile::StudyFile;
use trend_run::{ExecuteOptions, Plan, Summary};

use crate::event::Event;
use crate::{Job, SteerError};

/// Smallest size that is tried.
const FIRST: f64 = 4.0;

/// Factor between successive sizes: four fifths of a doubling. Sizes that double would all be at the same place of the
/// steps of a doubling array, so that its memory would look linear.
const RATIO: f64 = 1.741_101_126_592_248;

/// Largest size that is tried; no practical program has a larger one.
pub const LARGEST: f64 = 1e15;

/// Part of the budget that a single run may take.
const LONGEST: f64 = 1.0 / 6.0;

/// Minimum timeout of a run, because the machine may be busy.
const LEAST_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum number of small sizes that the program may refuse.
const MOST_REFUSED: usize = 10;

/// Number of sizes that suffices for a verdict.
const ENOUGH: usize = 10;

/// Result of the first runs.
#[derive(Debug, Default)]
pub struct Scouted {
    /// Sizes that ran, ascending.
    pub sizes: Vec<f64>,
    /// Smallest size that failed or took too long, above the sizes that ran.
    pub failed: Option<f64>,
    /// Summary of all runs, including those that failed.
    pub summary: Summary,
}

/// Runs the first sizes of `parameter`, none above `largest`, and adds those that succeeded to the plan.
///
/// # Errors
/// A run could not be started or recorded.
pub fn scout(
    job: Job<'_>,
    parameter: &str,
    largest: f64,
    plan: &mut Plan,
    study: &mut StudyFile,
) -> Result<Scouted, SteerError> {
    plan.workloads.clear();
    let (begin, scouted) = (Instant::now(), Scouted::default());
    let mut scout = Scout { job, parameter, largest, plan, study, begin, scouted };
    scout.multiplied()?;
    scout.between()?;
    let mut scouted = scout.scouted;
    scouted.sizes.sort_by(f64::total_cmp);
    Ok(scouted)
}

struct Scout<'a> {
    job: Job<'a>,
    parameter: &'a str,
    largest: f64,
    plan: &'a mut Plan,
    study: &'a mut StudyFile,
    begin: Instant,
    scouted: Scouted,
}

impl Scout<'_> {
    /// Multiplies the size until a run takes too long.
    fn multiplied(&mut self) -> Result<(), SteerError> {
        let largest = self.largest;
        let sizes = (0..).map(|step| (FIRST * RATIO.powi(step)).round());
        let mut before = None;
        let longest = self.job.budget.as_secs_f64() * LONGEST;
        let mut refused = 0;
        for size in sizes.take_while(|size| *size <= largest) {
            if self.is_over() {
                break;
            }
            match self.ran(size)? {
                Some(seconds) => {
                    let ratio = before.map_or(RATIO, |before: f64| seconds / before).clamp(RATIO, 16.0);
                    if seconds * ratio > longest {
                        return Ok(());
                    }
                    before = Some(seconds);
                }
                None if self.scouted.sizes.is_empty() => {
                    refused += 1;
                    if refused == MOST_REFUSED {
                        return Ok(());
                    }
                }
                None => {
                    self.scouted.failed = Some(size);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Adds sizes between those that ran, the largest first, until there are enough.
    fn between(&mut self) -> Result<(), SteerError> {
        if let (Some(last), Some(failed)) = (self.scouted.sizes.last().copied(), self.scouted.failed) {
            for part in [0.25, 0.5, 0.75] {
                let size = (last * (failed / last).powf(part)).round();
                if size <= last || self.is_over() || self.ran(size)?.is_none() {
                    break;
                }
            }
        }
        while self.scouted.sizes.len() < ENOUGH && self.scouted.sizes.len() > 1 && !self.is_over() {
            let mut sizes = self.scouted.sizes.clone();
            sizes.sort_by(f64::total_cmp);
            let gap = |pair: &&[f64]| pair[1] - pair[0] >= 2.0;
            let Some(pair) =
                sizes.windows(2).rev().filter(gap).max_by(|p, q| (p[1] / p[0]).total_cmp(&(q[1] / q[0])))
            else {
                return Ok(());
            };
            if self.ran((pair[0] * pair[1]).sqrt().round())?.is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Runs one size, adds it to the plan, and returns its seconds; `None` if it failed or took too long.
    fn ran(&mut self, size: f64) -> Result<Option<f64>, SteerError> {
        let further = self.plan.further(self.parameter, &[format!("{size}")], 1)?;
        let Some(first) = further.into_iter().next() else { return Ok(None) };
        let mut one = self.plan.clone();
        one.workloads = vec![first.clone()];
        let timeout = self.job.budget.mul_f64(LONGEST).max(LEAST_TIMEOUT);
        let options = ExecuteOptions { timeout: Some(timeout), fresh: false, ..self.job.options.clone() };
        let Job { observer, stop, .. } = self.job;
        let observed = |event: &trend_run::Event<'_>| {
            // A size that is too large is a finding, not a problem.
            if !matches!(event, trend_run::Event::Warned(_)) {
                observer.event(&Event::Run(event));
            }
        };
        let begin = Instant::now();
        let summary = trend_run::execute(&one, self.study, &options, &Observed(&observed), stop)?;
        let seconds = begin.elapsed().as_secs_f64();
        self.scouted.summary.finished += summary.finished;
        self.scouted.summary.skipped += summary.skipped;
        self.scouted.summary.warnings.extend(summary.warnings);
        self.scouted.summary.failures.extend(summary.failures);
        if summary.finished + summary.skipped == 0 {
            return Ok(None);
        }
        self.plan.workloads.push(first);
        self.scouted.sizes.push(size);
        Ok(Some(seconds))
    }

    fn is_over(&self) -> bool {
        self.job.stop.load(Ordering::Relaxed) || self.begin.elapsed() >= self.job.budget
    }
}

/// An observer of runs that calls a function.
struct Observed<'a>(&'a (dyn Fn(&trend_run::Event<'_>) + Sync));

impl trend_run::Observer for Observed<'_> {
    fn event(&self, event: &trend_run::Event<'_>) {
        (self.0)(event);
    }
}
