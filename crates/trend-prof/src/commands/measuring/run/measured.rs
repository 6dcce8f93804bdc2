//! Runs of the missing workloads, with counters and for their time.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use trend_profile::{Access, StudyFile};
use trend_run::{Config, ExecuteOptions, Summary};

use super::prepared::{Prepared, prepared};
use crate::failure::{EXIT_EXPECTATION, Failure};
use crate::interruption::Interruption;
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Path of the executable that supervises runs. It is this executable even if another is installed in its place.
pub(crate) const SUPERVISOR: &str = "/proc/self/exe";

/// Result of the runs.
pub(crate) struct Measured {
    /// The configuration, with the program that was run.
    pub(crate) config: Config,
    pub(crate) summary: Summary,
    pub(crate) interruption: Interruption,
}

impl Measured {
    /// Returns 1 if a workload failed, or 128 plus the signal's number if the user stopped it.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match (self.summary.cancelled, self.summary.failures.len()) {
            (0, 0) => ExitCode::SUCCESS,
            (0, _) => ExitCode::from(EXIT_EXPECTATION),
            _ => self.interruption.exit_code(),
        }
    }
}

/// Builds if needed, and runs the missing workloads.
pub(crate) fn measured(
    config: &Config,
    path: &Path,
    options: &ExecuteOptions,
    may_build: bool,
    terminal: Terminal,
) -> Result<Measured, Failure> {
    let Prepared { plan, mut study, interruption, .. } =
        prepared(config, path, options, may_build, terminal)?;
    let progress = Progress::new(terminal);
    let summary = trend_run::execute(&plan, &mut study, options, &progress, interruption.flag());
    progress.finish();
    let summary = summary?;
    let is_published = study.is_published();
    study.close()?;
    if !is_published {
        terminal.note(&format!("no run succeeded: {} is unchanged", path.display()));
    }
    Ok(Measured { config: plan.config, summary, interruption })
}

/// Runs the recorded workloads without counters to measure their time. After an interruption the next call times the
/// rest.
pub(crate) fn time(
    config: &Config,
    path: &Path,
    options: &ExecuteOptions,
    interruption: &Interruption,
    terminal: Terminal,
) -> Result<(), Failure> {
    time_until(config, path, options, interruption.flag(), terminal)
}

/// Like `time`, but until `stop` is set.
pub(crate) fn time_until(
    config: &Config,
    path: &Path,
    options: &ExecuteOptions,
    stop: &AtomicBool,
    terminal: Terminal,
) -> Result<(), Failure> {
    if config.program.time == Some(false) || !path.exists() {
        return Ok(());
    }
    let mut study = StudyFile::open(path, Access::Write)?;
    let mut plan = trend_run::plan(config)?;
    plan.adopt(&study.run_states(), 1)?;
    let progress = Progress::new(terminal);
    let timed = trend_run::time(&plan, &mut study, options, &progress, stop);
    progress.finish();
    timed?;
    Ok(study.close()?)
}
