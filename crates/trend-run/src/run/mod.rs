//! Running the workloads of a plan and recording what they counted.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trend_profile::{Outcome, StudyFile, Warning};

use crate::{Observer, Plan, RunError};

/// What the caller may set in place of the configuration.
#[derive(Clone, Debug, Default)]
pub struct ExecuteOptions {
    /// How many run at once.
    pub jobs: Option<NonZeroUsize>,
    /// When a run is stopped.
    pub timeout: Option<Duration>,
    /// How much address space a process of a run can have.
    pub memory_bytes: Option<u64>,
    /// How often each workload is run.
    pub repeat: Option<u32>,
    /// Whether everything recorded is forgotten first.
    pub fresh: bool,
}

/// A run that gave no counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The workload's name.
    pub workload: String,
    /// Which repetition, from 0.
    pub repetition: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// The end of its stderr.
    pub stderr_tail: String,
}

/// What the runs came to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Runs that gave counts now.
    pub finished: usize,
    /// Runs that were recorded already and are still good.
    pub skipped: usize,
    /// Runs that gave no counts, by workload and repetition.
    pub failures: Vec<Failure>,
    /// Runs that were not begun or not finished because the caller asked to stop.
    pub cancelled: usize,
    /// What was noticed; recorded in the study as well.
    pub warnings: Vec<Warning>,
}

impl Summary {
    /// What to do about the failures, a sentence each.
    pub fn advice(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Runs what is not recorded yet and records it.
///
/// `cancel` may be set at any time from anywhere, a signal handler included: the runs under way are
/// ended with all their processes, and the summary says what is missing.
///
/// # Errors
/// [`RunError`]; what was recorded before stays recorded.
pub fn execute(
    _plan: &Plan,
    _study: &mut StudyFile,
    _options: &ExecuteOptions,
    _observer: &dyn Observer,
    _cancel: &AtomicBool,
) -> Result<Summary, RunError> {
    Ok(Summary::default())
}
