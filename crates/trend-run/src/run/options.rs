//! Options that override the configuration.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use super::decode::source::CountSource;
use crate::plan::workload::Plan;
use crate::supervisor::wire::Limits;

/// Options that override the configuration.
#[derive(Clone, Debug, Default)]
pub struct ExecuteOptions {
    /// The executable that becomes a [supervisor](crate::supervisor) when it is started as one. A program that can
    /// become one itself passes `/proc/self/exe`, which stays valid if another version is installed in its place.
    pub supervisor: PathBuf,
    /// Number of runs at the same time.
    pub jobs: Option<NonZeroUsize>,
    /// Time limit of a run; a longer run fails.
    pub timeout: Option<Duration>,
    /// Time after which a run is ended and counts as finished.
    pub stop_after: Option<Duration>,
    /// Limit of the address space of each process of a run.
    pub memory_bytes: Option<u64>,
    /// Number of runs of each workload.
    pub repeat: Option<u32>,
    /// True if everything recorded is deleted first.
    pub fresh: bool,
    /// The source of the counts.
    pub counters: CountSource,
    /// True if the lines that allocate memory are recorded.
    pub memory_by_line: bool,
    /// True if no texts of sources are recorded.
    pub without_sources: bool,
    /// Minimum time budget of all runs without counters together. It applies even if the counted runs took less.
    pub least_timing: Duration,
    /// Time at which a new study appears at its path.
    pub publish: Publish,
    /// The folder for temporary files of builds. The default is the system's.
    pub temporary: Option<PathBuf>,
}

/// Time at which a new study, which is only a draft at first, appears at its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Publish {
    /// Before the first run, after everything else has succeeded. If all runs fail, the study records this.
    #[default]
    WithRuns,
    /// With the first run that succeeds. A wrong command then leaves no study.
    WithSuccess,
}

/// Returns the limits of a run.
pub(crate) fn limits(plan: &Plan, options: &ExecuteOptions) -> Limits {
    let program = &plan.config.program;
    Limits {
        timeout: options.timeout.or(program.timeout),
        stop_after: options.stop_after.or(program.stop_after),
        memory_bytes: options.memory_bytes.or(program.memory_bytes),
        needs_larger_stack: program.probe.has_probe(),
    }
}
