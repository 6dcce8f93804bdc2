//! Inputs, the runs of the program on them, and how those ended.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Sampled;

/// Index of a [`Workload`] in a [`Study`](crate::Study).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkloadId(pub u32);

impl WorkloadId {
    /// The index as a subscript.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One input to one run of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Unique in the study: a path, or the parameters as `n=60 seed=1`.
    pub name: String,
    /// The command as it was run, arguments separated by spaces and quoted for a shell; empty for
    /// imported counts.
    pub command: String,
    /// The input file, where there is one.
    pub input: Option<String>,
    /// What decides whether a finished run is still good: a digest of the command, the parameters
    /// and the state of the input.
    pub fingerprint: String,
    /// How many runs succeeded; the counts are the lower median over them.
    pub repetitions: u32,
    /// Time and memory, the lower median over the repetitions; `None` for imported counts.
    pub usage: Option<Usage>,
    /// What it used without counters, where that was measured.
    pub timing: Option<Timing>,
    /// Where the time went in a run without counters, where that was sampled.
    pub sampled: Option<Sampled>,
}

/// Runs of a workload by a program that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// The machine's memory in bytes; 0 where it is not known.
    pub machine_memory_bytes: u64,
    /// What each run used, in the order in which they were made.
    pub runs: Vec<Usage>,
}

impl Timing {
    /// The lower median by processor time; `None` without runs.
    pub fn median(&self) -> Option<Usage> {
        Usage::median(&self.runs)
    }
}

/// How long the machine takes to reach memory, where so much of it is in use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryLatency {
    /// How much is in use, in bytes.
    pub working_set_bytes: u64,
    /// Nanoseconds from one access to the next that waits for it.
    pub nanoseconds: f64,
}

/// A workload larger than all that were counted, which a program that does not count ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LargerRun {
    /// Named as it would be in the study.
    pub workload: String,
    /// As that of [`Workload::fingerprint`].
    pub fingerprint: String,
    /// Its features by name, as far as they are known without counts.
    pub values: Vec<(String, f64)>,
    /// What it used.
    pub timing: Timing,
}

impl LargerRun {
    /// The value of a feature.
    pub fn value(&self, feature: &str) -> Option<f64> {
        self.values
            .iter()
            .find(|(name, _)| name == feature)
            .map(|(_, value)| *value)
            .filter(|value| value.is_finite())
    }
}

/// What one run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Elapsed time.
    pub wall: Duration,
    /// Processor time in user mode, children included.
    pub user: Duration,
    /// Processor time in the kernel, children included.
    pub system: Duration,
    /// Peak resident memory in bytes of the largest process.
    pub peak_rss_bytes: u64,
}

impl Usage {
    /// The lower median by processor time; `None` of nothing.
    pub fn median(of: &[Self]) -> Option<Self> {
        let mut by_cpu = of.to_vec();
        by_cpu.sort_by_key(Self::cpu);
        by_cpu.get(by_cpu.len().checked_sub(1)? / 2).copied()
    }

    /// Processor time in user mode and in the kernel.
    pub fn cpu(&self) -> Duration {
        self.user + self.system
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It exited with 0 and its counts were read.
    Finished,
    /// It exited with another code.
    Failed {
        /// The exit code.
        code: i32,
    },
    /// A signal ended it.
    Crashed {
        /// The signal's number.
        signal: i32,
    },
    /// It was stopped at its time limit.
    TimedOut,
    /// It ended well and left no counts that could be read.
    NoCounts {
        /// Why, and what helps.
        reason: String,
    },
    /// It could not be started, or its input could not be made.
    NotStarted {
        /// Why, and what helps.
        reason: String,
    },
}

impl Outcome {
    /// Whether the run gave counts.
    pub fn is_finished(&self) -> bool {
        matches!(self, Self::Finished)
    }
}

/// A workload without counts.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedWorkload {
    /// Unique in the study.
    pub name: String,
    /// How its first run ended.
    pub outcome: Outcome,
    /// The end of what that wrote to stderr.
    pub stderr_tail: String,
    /// `[features]`; `None` where a value is not known.
    pub values: Vec<Option<f64>>,
}

/// One run of one workload, as it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Which repetition of the workload, from 0.
    pub repetition: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// What it used.
    pub usage: Usage,
    /// The end of what it wrote to stderr, lossily decoded; kept where the run did not succeed.
    pub stderr_tail: String,
}
