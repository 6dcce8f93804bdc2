//! A version of a program that is timed.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use trend_profile::{LargerRun, RunState, StudyFile, Warning};

use super::doubts::{not_timed, slow_counters};
use super::larger::Larger;
use super::samples::record_samples;
use super::timed::{Timed, chosen, timing};
use super::uncounted::{Uncounted, copy};
use crate::error::RunError;
use crate::machine::description::free_memory_bytes;
use crate::machine::latency::latencies;
use crate::plan::workload::Plan;
use crate::program::binaries::Binaries;
use crate::program::language::Language;
use crate::run::decode::source::{CountDecoder, CountSource};
use crate::run::event::{Event, Observer, TimingStep};
use crate::run::options::{ExecuteOptions, limits};
use crate::run::root;
use crate::run::supervise::scratch::RunFolder;
use crate::run::supervise::stop::Stop;
use crate::run::workload::worker::RunContext;
use crate::supervisor::sampler::may_sample;
use crate::supervisor::wire::Limits;

/// Minimum time budget, if all counted runs together took less. A run of three times the largest size takes as long as
/// all of them, and is worth more.
const LEAST_BUDGET: Duration = Duration::from_secs(5);

/// A version of a program that is timed.
pub(crate) struct Version<'a> {
    pub(super) plan: &'a Plan,
    pub(super) states: Vec<RunState>,
    pub(super) folder: RunFolder,
    pub(super) source: CountDecoder,
    pub(super) copies: PathBuf,
    pub(super) copy: Uncounted,
    pub(super) limits: Limits,
    /// The workload of three times the largest size, if it is to run.
    pub(super) larger: Option<Larger>,
    /// The time that runs without counters may take.
    pub(super) budget: Duration,
}

impl<'a> Version<'a> {
    /// Makes the program without counters. Returns `None` if nothing is to be timed or nothing can be.
    pub(super) fn prepare(
        plan: &'a Plan,
        study: &mut StudyFile,
        options: &ExecuteOptions,
        observer: &dyn Observer,
    ) -> Result<Option<Self>, RunError> {
        // The time of a program that is stopped means nothing.
        let limits = limits(plan, options);
        if limits.stop_after.is_some() {
            return Ok(None);
        }
        let states = study.run_states();
        let timed = to_time(plan, &states);
        if timed.is_empty() {
            return Ok(None);
        }
        let folder = RunFolder::open(study.path(), &options.supervisor)?;
        let copies = folder.path().join("uncounted");
        observer.event(&Event::TimingStep(TimingStep::CopyingProgram));
        let copy = match copy(plan, options, &copies) {
            Ok(copy) => copy,
            Err(warning) => {
                if let Some(warning) = warning {
                    observer.event(&Event::Warned(&warning));
                }
                return Ok(None);
            }
        };
        if study.latencies().is_empty() {
            observer.event(&Event::TimingStep(TimingStep::ReachingMemory));
            study.set_latencies(latencies(free_memory_bytes()))?;
        }
        // The longest run of a shard need not be that of the plan.
        let is_whole = plan.config.shard.is_none();
        let larger = timed.iter().find(|one| is_whole && !one.is_known).and_then(|longest| {
            let larger = Larger::extrapolate(plan, &states, longest.workload)?;
            let fingerprint = &larger.workload.workload.fingerprint;
            let is_known = study.larger_run().is_some_and(|run| run.fingerprint == *fingerprint);
            (!is_known).then_some(larger)
        });
        let counted = states.iter().filter_map(|s| s.usage).map(|u| u.wall).sum::<Duration>();
        let binaries = Binaries::new(None, &plan.config.folder);
        let root = root::of_study(study.root(), &plan.config.folder);
        let source =
            CountDecoder::new(CountSource::Gcov, &root.to_string_lossy(), [].into(), binaries, &plan.config);
        let budget = counted.max(LEAST_BUDGET).max(options.least_timing);
        Ok(Some(Self { plan, states, folder, source, copies, copy, limits, larger, budget }))
    }

    pub(super) fn timed(&self) -> Vec<Timed<'a>> {
        to_time(self.plan, &self.states)
    }

    pub(super) fn context<'c>(&'c self, options: &'c ExecuteOptions, stop: &'c Stop<'c>) -> RunContext<'c> {
        RunContext {
            config: &self.plan.config,
            folder: &self.folder,
            source: &self.source,
            memory: None,
            limits: self.limits,
            supervisor: options.supervisor.as_path(),
            stop,
        }
    }

    /// Records times and samples. Returns the warnings about them.
    pub(super) fn record(
        &self,
        timed: &[Timed<'_>],
        larger: Option<LargerRun>,
        study: &mut StudyFile,
        options: &ExecuteOptions,
        is_stopped: bool,
    ) -> Result<impl Iterator<Item = Warning> + use<>, RunError> {
        let not_sampled = record_samples(timed, study, &self.plan.config.folder, &self.copy)?;
        let _ = fs::remove_dir_all(&self.copies);
        if let Some(larger) = larger {
            study.set_larger_run(larger)?;
        }
        for timed in timed.iter().filter(|timed| !timed.runs.is_empty()) {
            study.set_timing(&timed.workload.workload.name, timing(timed.runs.clone()))?;
        }
        let warning = not_timed(timed, self.plan).filter(|_| !is_stopped);
        let watches_memory = options.memory_by_line || self.plan.config.program.memory_by_line;
        let slow = || slow_counters(timed, &self.copy, watches_memory);
        Ok(warning.or_else(slow).into_iter().chain(not_sampled))
    }
}

/// Returns the workloads to time or sample, the longest first. Known ones are left out if the user may not sample.
fn to_time<'a>(plan: &'a Plan, states: &[RunState]) -> Vec<Timed<'a>> {
    let mut timed = chosen(plan, states);
    if timed.iter().any(|one| one.is_known) && may_sample().is_err() {
        timed.retain(|one| !one.is_known);
    }
    if plan.config.language() == Some(Language::Node) {
        // Compiled JavaScript is in no file, so samples cannot tell counted code from other code.
        for one in &mut timed {
            one.is_to_be_sampled = false;
        }
        timed.retain(|one| !one.is_known);
    }
    timed
}
