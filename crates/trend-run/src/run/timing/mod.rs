//! Times recorded workloads without counters, one at a time and separately from the counted runs.
//!
//! Two of the sizes are sampled as well, in runs that are not timed. Long runs, which are timed only once, are sampled
//! less often instead.
//!
//! The timed program is a copy of the counted one without the updates of its counters. It takes 4 to 10 % longer than a
//! build without counters (bzip2, Lua, md4c, comrak). If the user names a build without counters, that is timed
//! instead.
//!
//! `version` prepares a version of the program, and `stopwatch` runs it. `uncounted` makes the program without
//! counters.

mod doubts;
mod larger;
mod samples;
mod sampling;
mod stopwatch;
mod timed;
mod uncounted;
mod version;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trend_profile::{LargerRun, StudyFile};

use self::stopwatch::{MOST_RETRIES, Stopwatch};
use self::timed::{REPETITIONS, Timed};
use self::version::Version;
use super::event::{Event, Observer, TimingStep};
use super::options::ExecuteOptions;
use super::supervise::runner::Runner;
use super::supervise::stop::Stop;
use super::workload::worker::RunContext;
use crate::error::RunError;
use crate::plan::workload::Plan;

/// Times recorded workloads that have no timing yet. Among workloads of similar length, only the longest is timed.
/// Takes about as much time as the counted runs. Does nothing if there is no program without counters, or if all runs
/// are too short.
///
/// If there are several versions of a program, their runs of a workload follow each other, so that a machine that slows
/// down or warms up slows all of them.
///
/// # Errors
/// [`RunError`]; everything recorded until then stays recorded.
pub fn time(
    versions: &mut [(&Plan, &mut StudyFile)],
    options: &ExecuteOptions,
    observer: &dyn Observer,
    cancel: &AtomicBool,
) -> Result<(), RunError> {
    let (mut prepared, mut studies) = (Vec::new(), Vec::new());
    for (plan, study) in versions {
        if let Some(version) = Version::prepare(plan, study, options, observer)? {
            prepared.push(version);
            studies.push(study);
        }
    }
    let stop = Stop { caller: cancel, recorder: AtomicBool::new(false) };
    let contexts: Vec<RunContext<'_>> =
        prepared.iter().map(|version| version.context(options, &stop)).collect();
    let runners: Vec<Runner<'_>> = contexts.iter().map(RunContext::runner).collect();
    let mut stopwatches: Vec<Stopwatch<'_>> = prepared
        .iter()
        .zip(contexts.iter().zip(&runners))
        .map(|(version, (context, runner))| Stopwatch {
            context,
            runner,
            version,
            timed: version.timed(),
            observer,
            spent: Duration::ZERO,
        })
        .collect();
    let runs = stopwatches.iter().map(Stopwatch::planned).sum();
    if runs == 0 {
        return Ok(());
    }
    observer.event(&Event::TimingPlanned { runs });
    stopwatches.iter_mut().for_each(Stopwatch::warm_up);
    round(&mut stopwatches, 0);
    let larger: Vec<Option<LargerRun>> = stopwatches.iter_mut().map(Stopwatch::time_larger).collect();
    stopwatches.iter_mut().for_each(Stopwatch::sample);
    for number in 1..REPETITIONS[0].1 + MOST_RETRIES {
        round(&mut stopwatches, number);
    }
    observer.event(&Event::TimingStep(TimingStep::AttributingSamples));
    let timed: Vec<Vec<Timed<'_>>> = stopwatches.into_iter().map(|stopwatch| stopwatch.timed).collect();
    let is_stopped = stop.is_requested();
    for (((version, study), larger), timed) in prepared.iter().zip(studies).zip(larger).zip(&timed) {
        for warning in version.record(timed, larger, study, options, is_stopped)? {
            observer.event(&Event::Warned(&warning));
        }
    }
    Ok(())
}

/// Runs the workloads of all versions that want it. The order differs from round to round, so that disturbances of
/// the machine meet all workloads alike; the versions take turns within each workload.
fn round(stopwatches: &mut [Stopwatch<'_>], number: usize) {
    let hash = |workload: &str| {
        let mut hasher = DefaultHasher::new();
        (number, workload).hash(&mut hasher);
        hasher.finish()
    };
    let mut order: Vec<(u64, usize, usize)> = Vec::new();
    for (version, stopwatch) in stopwatches.iter().enumerate() {
        let turn = (version + number) % stopwatches.len();
        let timed = stopwatch.timed.iter().enumerate();
        order.extend(timed.map(|(i, one)| (hash(&one.workload.workload.name), turn, i)));
    }
    order.sort_unstable();
    let versions = stopwatches.len();
    for (_, turn, i) in order {
        stopwatches[(turn + versions - number % versions) % versions].run_in_round(i, number);
    }
}

#[cfg(test)]
mod tests;
