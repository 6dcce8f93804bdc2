//! Events that the caller can show while runs are in progress. The results do not depend on them.

use std::time::Duration;

use trend_profile::{Outcome, Usage, Warning};

/// Receives events from several threads at once.
pub trait Observer: Sync {
    /// Receives an event.
    fn event(&self, event: &Event<'_>);

    /// Returns true if a run may begin; called right before each run. If not, the run counts as
    /// [cancelled](crate::Summary::cancelled).
    fn may_begin(&self, _workload: &str) -> bool {
        true
    }
}

/// An observer that ignores all events.
impl Observer for () {
    fn event(&self, _: &Event<'_>) {}
}

/// A run that has not started yet.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingRun {
    /// Name of the workload.
    pub workload: String,
    /// Number of the repetition, from 0.
    pub repetition: u32,
    /// The features that are known before the run: sizes, parameters and numbers in the path.
    pub features: Vec<(String, f64)>,
}

/// The reason why a workload of three times the largest size is not timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LargerSkipped {
    /// It would take longer than the time that is left.
    Time {
        /// Its expected duration.
        expected: Duration,
        /// The time that is left.
        left: Duration,
    },
    /// It would need more than half of the free memory.
    Memory,
    /// It failed, or was ended when its time was over.
    Failed,
}

/// A step before or after the runs without counters. Each can take seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimingStep {
    /// Removes the counter updates from a copy of the program and its libraries.
    CopyingProgram,
    /// Measures the machine's memory access times.
    ReachingMemory,
    /// Assigns samples to functions.
    AttributingSamples,
}

/// An event during [`execute`](crate::execute()) or [`time`](crate::time()).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The runs are planned. This event comes first, and only once.
    Planned {
        /// Number of all runs, including those recorded earlier.
        total: usize,
        /// Number of runs that were recorded earlier and are still valid.
        done: usize,
        /// Number of runs at the same time.
        jobs: usize,
        /// The runs to do, in this order.
        pending: &'a [PendingRun],
    },
    /// A run begins.
    Started {
        /// Name of the workload.
        workload: &'a str,
        /// Number of the repetition, from 0.
        repetition: u32,
    },
    /// A run is over and will be recorded. This event comes before the observer is asked if the next run may begin.
    Ended {
        /// Name of the workload.
        workload: &'a str,
        /// Result of the run.
        outcome: &'a Outcome,
        /// Resources that the run used.
        usage: &'a Usage,
    },
    /// A run is over and recorded.
    Finished {
        /// Name of the workload.
        workload: &'a str,
        /// Number of the repetition, from 0.
        repetition: u32,
        /// Result of the run.
        outcome: &'a Outcome,
        /// Resources that the run used.
        usage: &'a Usage,
        /// All features of the workload; `None` if a feature has no value.
        features: &'a [(String, Option<f64>)],
        /// Number of runs that are over, including those recorded earlier.
        done: usize,
        /// Number of all runs.
        total: usize,
    },
    /// A step before or after the runs without counters begins.
    TimingStep(TimingStep),
    /// The runs without counters begin. Some are timed, others are sampled.
    TimingPlanned {
        /// Number of these runs. There will be more if other processes disturb them.
        runs: usize,
    },
    /// A run without counters begins.
    TimingStarted {
        /// Name of the workload.
        workload: &'a str,
        /// Expected duration, estimated from earlier runs.
        expected: Duration,
    },
    /// A timed run is over.
    Timed {
        /// Name of the workload.
        workload: &'a str,
        /// Resources that the run used.
        usage: &'a Usage,
    },
    /// A sampled run is over. It is not timed, because sampling slows it down.
    Sampled {
        /// Name of the workload.
        workload: &'a str,
        /// Resources that the run used.
        usage: &'a Usage,
    },
    /// A workload of three times the largest size is not timed.
    LargerSkipped {
        /// Name of the workload.
        workload: &'a str,
        /// The reason.
        reason: LargerSkipped,
    },
    /// Something doubtful was noticed. The summary has the warning as well.
    Warned(&'a Warning),
    /// The caller asked to stop, and the current runs are being ended.
    Stopping,
}
