//! Runs a version's workloads within a time budget.

use std::time::{Duration, SystemTime};

use trend_profile::{LargerRun, Usage};

use super::timed::{Sampling, Timed, is_undisturbed, timing};
use super::version::Version;
use crate::machine::description::free_memory_bytes;
use crate::run::event::{Event, LargerSkipped, Observer};
use crate::run::supervise::runner::Runner;
use crate::run::workload::worker::{CopyRun, PreparedWorkload, RunContext};

/// Maximum number of retries of runs in which other processes used the processor.
pub(crate) const MOST_RETRIES: usize = 2;

/// Runs a program without counters within a time budget.
pub(crate) struct Stopwatch<'a> {
    pub(super) context: &'a RunContext<'a>,
    pub(super) runner: &'a Runner<'a>,
    pub(super) version: &'a Version<'a>,
    pub(super) timed: Vec<Timed<'a>>,
    pub(super) observer: &'a dyn Observer,
    pub(super) spent: Duration,
}

impl Stopwatch<'_> {
    /// Runs a workload once.
    fn run(&mut self, i: usize, period: Option<Duration>) -> Option<CopyRun> {
        let one = &self.timed[i];
        let expected = one.runs.first().unwrap_or(&one.counted).wall;
        self.observer.event(&Event::TimingStarted { workload: &one.workload.workload.name, expected });
        let prepared = PreparedWorkload::prepare(self.context, self.runner, one.workload).ok()?;
        self.run_prepared(&prepared, None, period)
    }

    fn run_prepared(
        &mut self,
        prepared: &PreparedWorkload<'_>,
        most: Option<Duration>,
        period: Option<Duration>,
    ) -> Option<CopyRun> {
        let run = prepared.run_copy(
            &self.version.copy.program,
            self.version.copy.line.as_ref(),
            self.version.copy.variables.clone(),
            most,
            period,
        )?;
        self.spent += run.usage.wall;
        Some(run)
    }

    /// Returns the number of runs to make, without repetitions of disturbed ones.
    pub(super) fn planned(&self) -> usize {
        let sampled =
            self.timed.iter().filter(|one| one.is_to_be_sampled && one.period_when_timed().is_none());
        let has_larger = self.version.larger.is_some();
        self.timed.iter().map(Timed::wanted).sum::<usize>() + usize::from(has_larger) + sampled.count()
    }

    /// Runs the shortest workload, and does not time it: the first run of a program reads it from the disk.
    pub(super) fn warm_up(&mut self) {
        if let Some(shortest) = self.timed.iter().rposition(|one| !one.is_known) {
            self.run(shortest, None);
            self.spent = Duration::ZERO;
        }
    }

    /// Runs the chosen workloads once more to sample them, if their timed runs were not sampled. Ignores the time
    /// budget: these runs take at most a second, because longer runs are sampled while they are timed.
    pub(super) fn sample(&mut self) {
        for i in 0..self.timed.len() {
            let one = &self.timed[i];
            let is_to_run =
                one.is_to_be_sampled && one.samples.is_none() && (one.is_known || !one.runs.is_empty());
            if !is_to_run {
                continue;
            }
            if self.context.stop.is_requested() {
                return;
            }
            let period = one.period();
            if let Some(run) = self.run(i, Some(period)) {
                let one = &mut self.timed[i];
                let workload = one.workload.workload.name.as_str();
                self.observer.event(&Event::Sampled { workload, usage: &run.usage });
                one.samples = sampling(run, period);
            }
        }
    }

    /// Runs a workload in a round, if it wants another run and there is time for it.
    pub(super) fn run_in_round(&mut self, i: usize, round: usize) {
        let one = &self.timed[i];
        let wanted = one.wanted() + if one.is_disturbed() { MOST_RETRIES } else { 0 };
        let is_out_of_time = round > 0 && self.spent >= self.version.budget;
        let is_over = round >= wanted || one.runs.len() < round || is_out_of_time;
        if is_over || self.context.stop.is_requested() {
            return;
        }
        let period = one.period_when_timed().filter(|_| round == 0);
        if let Some(run) = self.run(i, period) {
            let one = &mut self.timed[i];
            let usage = run.usage;
            one.runs.push(usage);
            one.samples = one.samples.take().or(period.and_then(|period| sampling(run, period)));
            let workload = one.workload.workload.name.as_str();
            self.observer.event(&Event::Timed { workload, usage: &usage });
        }
    }

    /// Runs the workload of three times the largest size if the time that is left is enough, and says so if it is not.
    pub(super) fn time_larger(&mut self) -> Option<LargerRun> {
        let larger = self.version.larger.as_ref()?;
        let longest = self.timed.iter().find(|one| !one.is_known)?;
        let workload = &larger.workload.workload;
        let one = Usage::median(&longest.runs).filter(|_| !self.context.stop.is_requested())?;
        let observer = self.observer;
        let skip = |reason: LargerSkipped| {
            observer.event(&Event::LargerSkipped { workload: &workload.name, reason });
            None
        };
        let expected = larger.expected(one.wall);
        let left = self.version.budget.saturating_sub(self.spent);
        if expected > left {
            return skip(LargerSkipped::Time { expected, left });
        }
        if !larger.fits_into(free_memory_bytes()) {
            return skip(LargerSkipped::Memory);
        }
        let (context, runner) = (self.context, self.runner);
        let prepared = PreparedWorkload::prepare(context, runner, &larger.workload).ok()?;
        let (begin, mut runs) = (SystemTime::now(), Vec::new());
        // Like other workloads, it is repeated if it was disturbed.
        for _ in 0..=MOST_RETRIES {
            let left = self.version.budget.saturating_sub(self.spent);
            if expected > left || runs.last().is_some_and(is_undisturbed) || self.context.stop.is_requested()
            {
                break;
            }
            observer.event(&Event::TimingStarted { workload: &workload.name, expected });
            let Some(CopyRun { usage, .. }) = self.run_prepared(&prepared, Some(left), None) else { break };
            observer.event(&Event::Timed { workload: &workload.name, usage: &usage });
            runs.push(usage);
        }
        if runs.is_empty() {
            self.spent += expected;
            return if self.context.stop.is_requested() { None } else { skip(LargerSkipped::Failed) };
        }
        let features = context.config.features.iter().zip(prepared.values(begin));
        let values =
            features.filter_map(|(feature, value)| Some((feature.name.clone(), value.ok()?))).collect();
        let (name, fingerprint) = (workload.name.clone(), workload.fingerprint.clone());
        Some(LargerRun { workload: name, fingerprint, values, timing: timing(runs) })
    }
}

fn sampling(run: CopyRun, period: Duration) -> Option<Sampling> {
    let CopyRun { usage, samples } = run;
    samples.map(|samples| Sampling { usage, period, samples })
}
