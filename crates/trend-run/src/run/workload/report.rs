//! The result of one run.

use std::path::PathBuf;

use trend_profile::{Outcome, Usage, Warning};

use crate::plan::values::NoValue;
use crate::run::decode::counted::Counted;

/// The result of one run.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) outcome: Outcome,
    pub(crate) usage: Usage,
    pub(crate) stderr_tail: String,
    pub(crate) counted: Option<Counted>,
    /// Indexed like `[features]`. A failed run has only the features that need no run, and a run that was not started
    /// has none.
    pub(crate) values: Vec<Result<f64, NoValue>>,
    pub(crate) warnings: Vec<Warning>,
    /// The notes of an object whose data come from another build.
    pub(crate) rebuilt: Option<PathBuf>,
}

impl Report {
    pub(crate) fn new(outcome: Outcome, usage: Usage) -> Self {
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
    pub(crate) fn copy(&self) -> Self {
        Self { stderr_tail: self.stderr_tail.clone(), ..Self::new(self.outcome.clone(), self.usage) }
    }

    pub(crate) fn not_started(reason: String) -> Self {
        Self::new(Outcome::NotStarted { reason }, Usage::default())
    }
}
