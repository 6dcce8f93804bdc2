//! The plan and its workloads.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use trend_profile::{Warning, Workload};

use crate::config::settings::Config;
use crate::words::placeholder::Fill;

/// The workloads to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The configuration from which the plan was made.
    pub config: Config,
    /// The workloads, presumably cheapest first, judged by their size and parameters.
    pub workloads: Vec<PlannedWorkload>,
    /// Doubts about the workloads.
    pub warnings: Vec<Warning>,
    /// True if workloads must run one after another, because they write the same file.
    pub(crate) is_sequential: bool,
}

/// A workload, with everything needed to run it.
#[derive(Clone, Debug)]
pub struct PlannedWorkload {
    /// The workload as it is recorded.
    pub workload: Workload,
    /// The parameters and their values, in declaration order.
    pub parameters: Vec<(String, String)>,
    /// The input file as passed to the program; `None` for generated inputs.
    pub input: Option<OsString>,
    /// Absolute path of the input file.
    pub(crate) input_file: Option<PathBuf>,
    /// Features that are known before the run.
    pub known_features: Vec<(String, f64)>,
}

impl PlannedWorkload {
    /// Returns the absolute path of the input file, if there is one.
    pub fn input_file(&self) -> Option<PathBuf> {
        self.input_file.clone()
    }

    /// Returns the values of the placeholders. `input` stands for a generated input.
    pub(crate) fn fill<'a>(&'a self, input: Option<&'a OsStr>) -> Fill<'a> {
        Fill { input: input.or(self.input.as_deref()), parameters: &self.parameters }
    }
}
