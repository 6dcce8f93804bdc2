//! A campaign: a program, its plan, and the open study in which its runs are recorded.

use std::process::ExitCode;
use std::slice;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trend_profile::StudyFile;
use trend_run::{CountSource, ExecuteOptions, Plan, Summary};
use trend_steer::{Account, Ended, Goal, Job, Scouted, SteerError};

use crate::failure::{EXIT_EXPECTATION, Failure};
use crate::interruption::Interruption;
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Path of the executable that supervises runs. It is this executable even if another is installed in its place.
pub(crate) const SUPERVISOR: &str = "/proc/self/exe";

/// Fraction of a time limit that is available to runs without counters, however short the counted runs were. The rest
/// is a reserve in case a run takes longer than expected.
const TO_TIME: f64 = 0.5;

/// Returns the options of runs that this executable supervises.
pub(crate) fn execution(counters: CountSource) -> ExecuteOptions {
    ExecuteOptions { supervisor: SUPERVISOR.into(), counters, ..ExecuteOptions::default() }
}

/// A program that is ready to run, its plan, and the study in which its runs are recorded.
///
/// [`Self::begin`] builds the program, [`Self::execute`] and [`Self::decide`] count, [`Self::time`] measures times, and
/// [`Self::finish`] closes the study, which stays open and locked in between.
pub(crate) struct Campaign {
    /// The plan. Its configuration names the program that the build made for the name in the command.
    pub(crate) plan: Plan,
    pub(crate) study: StudyFile,
    pub(crate) options: ExecuteOptions,
    pub(crate) interruption: Interruption,
    /// Summary of the last counted runs.
    pub(crate) summary: Summary,
    /// The reason why a successful build may have made no program with counters.
    pub(crate) build_doubt: Option<String>,
    pub(super) terminal: Terminal,
    progress: Progress,
}

impl Campaign {
    /// Creates a campaign of a program that needs no build.
    pub(crate) fn new(
        plan: Plan,
        study: StudyFile,
        options: ExecuteOptions,
        interruption: Interruption,
        terminal: Terminal,
    ) -> Self {
        let (summary, progress) = (Summary::default(), Progress::new(terminal));
        Self { plan, study, options, interruption, summary, build_doubt: None, terminal, progress }
    }

    /// Runs the planned workloads that are not recorded yet.
    pub(crate) fn execute(&mut self) -> Result<(), Failure> {
        let Self { plan, study, options, interruption, progress, .. } = self;
        let summary = trend_run::execute(plan, study, options, progress, interruption.flag());
        progress.finish();
        self.summary = summary?;
        Ok(())
    }

    /// Calls [`Self::execute`], and prints a note if no run succeeded.
    pub(crate) fn run(mut self) -> Result<Self, Failure> {
        self.execute()?;
        if !self.study.is_published() {
            self.terminal.note(&format!("no run succeeded: {} is unchanged", self.study.path().display()));
        }
        Ok(self)
    }

    /// Runs the first sizes of a parameter, and plans those that succeeded.
    pub(crate) fn scout(
        &mut self,
        parameter: &str,
        largest: f64,
        budget: Duration,
    ) -> Result<Scouted, Failure> {
        let Self { plan, study, options, interruption, progress, .. } = self;
        let job = Job { options, budget, observer: progress, stop: interruption.flag() };
        let scouted = trend_steer::scout(job, parameter, largest, plan, study);
        progress.finish();
        let mut scouted = scouted?;
        self.summary = std::mem::take(&mut scouted.summary);
        Ok(scouted)
    }

    /// Runs the planned workloads, then further sizes until the goal is decided or `budget` is spent.
    pub(crate) fn decide(&mut self, goal: Goal<'_>, budget: Duration) -> Result<Account, Failure> {
        let Self { plan, study, options, interruption, progress, .. } = self;
        let job = Job { options, budget, observer: progress, stop: interruption.flag() };
        let (summary, account) = trend_steer::decide(goal, job, plan.clone(), study);
        progress.finish();
        self.summary = summary;
        Ok(account?)
    }

    /// Calls [`Self::decide`], and prints the outcome. Returns false if the user stopped it.
    pub(crate) fn until_decided(&mut self, goal: Goal<'_>, budget: Duration) -> Result<bool, Failure> {
        let account = self.decide(goal, budget);
        if account.as_ref().is_ok_and(|account| account.ended == Ended::NothingFollows) {
            self.terminal.warn("no further sizes can be chosen: no feature follows a numeric parameter");
        }
        // Print the summary even after a failure.
        self.report();
        let account = account?;
        let is_cut = matches!(account.ended, Ended::Stopped | Ended::NothingFollows);
        if is_cut && self.interruption.is_requested() {
            return Ok(false);
        }
        account.lines().iter().for_each(|line| self.terminal.note(line));
        Ok(true)
    }

    /// Runs the recorded workloads without counters to measure their time, unless the user wants to stop. After an
    /// interruption the next call times the rest.
    pub(crate) fn time(&mut self) -> Result<(), Failure> {
        if self.interruption.is_requested() {
            return Ok(());
        }
        let interruption = self.interruption.clone();
        Self::time_in_turns(slice::from_mut(self), interruption.flag())
    }

    /// Runs the recorded workloads without counters, as [`Self::time`] does, for at most `limit`.
    pub(crate) fn time_within(&mut self, limit: Duration) -> Result<(), Failure> {
        self.options.least_timing = limit.mul_f64(TO_TIME);
        let interruption = self.interruption.clone();
        trend_steer::within(limit, interruption.flag(), |stop| {
            Self::time_in_turns(slice::from_mut(self), stop)
        })
    }

    /// Times several versions of a program in turns, until `stop` is set.
    pub(crate) fn time_in_turns(campaigns: &mut [Self], stop: &AtomicBool) -> Result<(), Failure> {
        let (mut versions, mut first) = (Vec::new(), None);
        for Self { plan, study, options, progress, .. } in campaigns {
            if plan.config.program.time != Some(false) && study.is_published() {
                plan.adopt(&study.run_states(), 1)?;
                first.get_or_insert((&*options, &*progress));
                versions.push((&*plan, study));
            }
        }
        let Some((options, progress)) = first else { return Ok(()) };
        let timed = trend_run::time(&mut versions, options, progress, stop);
        progress.finish();
        Ok(timed?)
    }

    /// Closes the study, and reports what could not be written.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        Ok(self.study.close()?)
    }

    /// Returns 128 plus the signal's number if the user stopped the runs, 1 if a workload failed, and 0 otherwise.
    pub(crate) fn exit_code(&self, is_finished: bool) -> ExitCode {
        if !is_finished {
            return self.interruption.exit_code();
        }
        ExitCode::from(if self.summary.failures.is_empty() { 0 } else { EXIT_EXPECTATION })
    }
}

impl From<SteerError> for Failure {
    fn from(error: SteerError) -> Self {
        match error {
            SteerError::Run(error) => error.into(),
            SteerError::Study(error) => error.into(),
            SteerError::Analyze(error) => error.into(),
            error => error.hints().into_iter().fold(Self::new(error.to_string()), Self::hint),
        }
    }
}
