//! `trend-prof run --until-decided`: adds sizes until the growth of all costly clusters is decided.

use std::process::ExitCode;
use std::time::Duration;

use trend_run::{Config, ExecuteOptions, Summary};
use trend_steer::{Ended, Event, Goal, Job, Note, Observer, Rounds, SteerError};

use super::prepared::Prepared;
use crate::failure::{EXIT_EXPECTATION, Failure};
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Runs the configured workloads, then further sizes until the goal is decided or `budget` is spent.
pub(crate) fn until_decided(
    config: &Config,
    goal: Goal<'_>,
    options: &ExecuteOptions,
    budget: Duration,
    Prepared { plan, study, interruption, .. }: Prepared,
    terminal: Terminal,
    report: impl FnOnce(&Summary),
) -> Result<Until, Failure> {
    let watcher = Watcher { progress: Progress::new(terminal), terminal };
    let job = Job { config, goal, options, budget, observer: &watcher, stop: interruption.flag() };
    let mut rounds = Rounds::new(job, plan, study);
    let account = rounds.run();
    // Print the summary even after a failure.
    report(rounds.summary());
    let account = account?;
    if account.ended == Ended::Stopped && interruption.is_requested() {
        return Ok(Until::Interrupted(interruption.exit_code()));
    }
    account.lines().iter().for_each(|line| terminal.note(line));
    let is_good = rounds.summary().failures.is_empty();
    Ok(Until::Over(ExitCode::from(if is_good { 0 } else { EXIT_EXPECTATION })))
}

/// How the rounds ended, with the exit code of `run`.
pub(crate) enum Until {
    /// The user stopped the rounds.
    Interrupted(ExitCode),
    /// The rounds ended by themselves.
    Over(ExitCode),
}

/// Shows the progress of the runs and, between them, decided results.
struct Watcher {
    progress: Progress,
    terminal: Terminal,
}

impl Observer for Watcher {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Run(event) => trend_run::Observer::event(&self.progress, event),
            Event::RunsOver => self.progress.finish(),
            Event::Note(note @ Note::NothingFollows) => self.terminal.warn(&note.to_string()),
            Event::Note(note) => self.progress.note(&note.to_string()),
        }
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
