//! The result of one run.

use std::path::PathBuf;

use trend_profile::{Outcome, Usage, Warning};

use super::counters::Counted;
use super::values::NoValue;

/// The result of one run.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) outcome: Outcome,
    pub(super) usage: Usage,
    pub(super) stderr_tail: String,
    pub(super) counted: Option<Counted>,
    /// Indexed like `[features]`. A failed run has only the features that need no run, and a run that was not started
    /// has none.
    pub(super) values: Vec<Result<f64, NoValue>>,
    pub(super) warnings: Vec<Warning>,
    /// The notes of an object whose data come from another build.
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

    /// Copies the report of a run that was not started, for another repetition.
    pub(super) fn copy(&self) -> Self {
        Self { stderr_tail: self.stderr_tail.clone(), ..Self::new(self.outcome.clone(), self.usage) }
    }

    pub(super) fn not_started(reason: String) -> Self {
        Self::new(Outcome::NotStarted { reason }, Usage::default())
    }
}
