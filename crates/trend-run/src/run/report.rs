//! What became of one run.

use std::path::PathBuf;

use trend_profile::{Outcome, Usage, Warning};

use super::counters::Counted;
use super::values::NoValue;

/// What became of one run.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) outcome: Outcome,
    pub(super) usage: Usage,
    pub(super) stderr_tail: String,
    pub(super) counted: Option<Counted>,
    /// `[features]`; of a run that failed those that need no run. Empty for one that was not started.
    pub(super) values: Vec<Result<f64, NoValue>>,
    pub(super) warnings: Vec<Warning>,
    /// The notes of an object whose data is of another build.
    pub(super) rebuilt: Option<PathBuf>,
}

impl Report {
    pub(super) fn new(outcome: Outcome, usage: Usage) -> Self {
        Self {
            outcome,
            usage,
            stderr_tail: String::new(),
            counted: None,
            values: Vec::new(),
            warnings: Vec::new(),
            rebuilt: None,
        }
    }

    /// The same for another repetition, of a run that was not started.
    pub(super) fn copy(&self) -> Self {
        Self { stderr_tail: self.stderr_tail.clone(), ..Self::new(self.outcome.clone(), self.usage) }
    }

    pub(super) fn not_started(reason: String) -> Self {
        Self::new(Outcome::NotStarted { reason }, Usage::default())
    }
}
