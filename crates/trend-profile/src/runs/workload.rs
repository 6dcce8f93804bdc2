//! Inputs, the program's runs on them, and their outcomes.

use serde::{Deserialize, Serialize};

use super::sampled::Sampled;
use super::usage::Usage;

/// Index of a [`Workload`] in a [`Study`](crate::Study).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkloadId(pub u32);

impl WorkloadId {
    /// Returns the index as a `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One input of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Name, unique in the study: a path, or the parameters as `n=60 seed=1`.
    pub name: String,
    /// Command with its placeholders, or as it was run if an earlier version recorded it; empty for imported counts.
    pub command: String,
    /// Input file, if there is one.
    pub input: Option<String>,
    /// Digest of the command, the parameters and the state of the input. If it changes, finished runs are no longer
    /// valid.
    pub fingerprint: String,
    /// Number of successful runs; the counts are the lower median over them.
    pub repetitions: u32,
    /// Time and memory, the lower median over the repetitions; `None` for imported counts.
    pub usage: Option<Usage>,
    /// Time and memory without counters, if measured.
    pub timing: Option<Timing>,
    /// Samples of a run without counters, if taken.
    pub sampled: Option<Sampled>,
}

/// Runs of a workload without counters.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// Memory of the machine in bytes; 0 if unknown.
    pub machine_memory_bytes: u64,
    /// Time and memory of each run, in the order of the runs.
    pub runs: Vec<Usage>,
}

impl Timing {
    /// Returns the lower median by CPU time; `None` without runs.
    pub fn median(&self) -> Option<Usage> {
        Usage::median(&self.runs)
    }
}

/// Memory latency of the machine for a working set of this size.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryLatency {
    /// Size of the working set in bytes.
    pub working_set_bytes: u64,
    /// Nanoseconds between two accesses, the second of which depends on the first.
    pub nanoseconds: f64,
}

/// A run without counters of a workload that is larger than all counted ones.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LargerRun {
    /// Name that the workload would have in the study.
    pub workload: String,
    /// Fingerprint, like [`Workload::fingerprint`].
    pub fingerprint: String,
    /// Feature values by name, if known without counts.
    pub values: Vec<(String, f64)>,
    /// Time and memory of the runs.
    pub timing: Timing,
}

impl LargerRun {
    /// Returns the value of a feature.
    pub fn value(&self, feature: &str) -> Option<f64> {
        self.values
            .iter()
            .find(|(name, _)| name == feature)
            .map(|(_, value)| *value)
            .filter(|value| value.is_finite())
    }
}

/// Outcome of a run.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The run exited with 0 and its counts were read.
    Finished,
    /// The run exited with another code.
    Failed {
        /// Exit code of the process.
        code: i32,
    },
    /// A signal ended the run.
    Crashed {
        /// Number of the signal.
        signal: i32,
    },
    /// The run was stopped at its time limit.
    TimedOut,
    /// The run ended well, but left no readable counts.
    NoCounts {
        /// Cause of the problem, and advice.
        reason: String,
    },
    /// The run could not be started, or its input could not be made.
    NotStarted {
        /// Cause of the problem, and advice.
        reason: String,
    },
}

impl Outcome {
    /// Returns true if the run succeeded and has counts.
    pub fn is_finished(&self) -> bool {
        matches!(self, Self::Finished)
    }
}

/// A workload without counts.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedWorkload {
    /// Name, unique in the study.
    pub name: String,
    /// Outcome of its first run.
    pub outcome: Outcome,
    /// Tail of that run's stderr.
    pub stderr_tail: String,
    /// `[features]`; `None` if a value is unknown.
    pub values: Vec<Option<f64>>,
}

/// One recorded run of a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Number of the repetition, from 0.
    pub repetition: u32,
    /// Outcome of the run.
    pub outcome: Outcome,
    /// Time and memory of the run.
    pub usage: Usage,
    /// Tail of its stderr, lossily decoded; kept if the run did not succeed.
    pub stderr_tail: String,
}
