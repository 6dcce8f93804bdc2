//! What the caller may show while runs are under way. Nothing here is needed for the results.

use std::time::Duration;

use trend_profile::{Outcome, Usage, Warning};

/// Receives what happens, from several threads at once.
pub trait Observer: Sync {
    /// Something happened.
    fn event(&self, event: &Event<'_>);

    /// Whether a run may begin, asked right before it would. One that may not counts as [cancelled](crate::Summary::cancelled).
    fn may_begin(&self, _workload: &str) -> bool {
        true
    }
}

/// Observes nothing.
impl Observer for () {
    fn event(&self, _: &Event<'_>) {}
}

/// A run that is still to come.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingRun {
    /// The workload's name.
    pub workload: String,
    /// Which repetition, from 0.
    pub repetition: u32,
    /// The features that are known without running it: sizes, parameters and numbers in the path.
    pub features: Vec<(String, f64)>,
}

/// Why a workload of three times the largest size is not timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LargerSkipped {
    /// It would take longer than there is time.
    Time {
        /// How long it would take.
        expected: Duration,
        /// How much time there is.
        left: Duration,
    },
    /// It would take more than half of the memory that is free.
    Memory,
    /// It failed, or was ended when the time was over.
    Failed,
}

/// What is done before and after the runs without counters, each perhaps for seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimingStep {
    /// The updates of counters are taken out of a copy of the program and its libraries.
    CopyingProgram,
    /// The machine is timed while it reaches memory.
    ReachingMemory,
    /// Samples are given to the functions that they are in.
    AttributingSamples,
}

/// What happens during [`execute`](crate::execute()) and [`time`](crate::time()).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// It is known what has to be run. Comes once, first.
    Planned {
        /// Runs in all, those included that are recorded already.
        total: usize,
        /// Runs that are recorded and still good.
        done: usize,
        /// How many run at once.
        jobs: usize,
        /// What is to be run, in this order.
        pending: &'a [PendingRun],
    },
    /// A run begins.
    Started {
        /// The workload's name.
        workload: &'a str,
        /// Which repetition, from 0.
        repetition: u32,
    },
    /// A run is over and about to be recorded. Comes before it is asked whether another one may begin in its place.
    Ended {
        /// The workload's name.
        workload: &'a str,
        /// How it ended.
        outcome: &'a Outcome,
        /// What it used.
        usage: &'a Usage,
    },
    /// A run is over and recorded.
    Finished {
        /// The workload's name.
        workload: &'a str,
        /// Which repetition, from 0.
        repetition: u32,
        /// How it ended.
        outcome: &'a Outcome,
        /// What it used.
        usage: &'a Usage,
        /// All features of the workload; `None` where one has no value.
        features: &'a [(String, Option<f64>)],
        /// Runs that are over, those of earlier times included.
        done: usize,
        /// Runs in all.
        total: usize,
    },
    /// A step before or after the runs without counters begins.
    TimingStep(TimingStep),
    /// Runs without counters begin, timed ones and sampled ones.
    TimingPlanned {
        /// How many there are going to be; more where other processes disturb them.
        runs: usize,
    },
    /// A run without counters begins.
    TimingStarted {
        /// The workload's name.
        workload: &'a str,
        /// How long it will take, told from the runs that are over.
        expected: Duration,
    },
    /// A run without counters is over.
    Timed {
        /// The workload's name.
        workload: &'a str,
        /// What it used.
        usage: &'a Usage,
    },
    /// A run is over that is not timed, because samples are taken of it.
    Sampled {
        /// The workload's name.
        workload: &'a str,
        /// What it used.
        usage: &'a Usage,
    },
    /// A workload of three times the largest size is not timed.
    LargerSkipped {
        /// The workload's name.
        workload: &'a str,
        /// Why.
        reason: LargerSkipped,
    },
    /// Something doubtful was noticed; it is in the summary as well.
    Warned(&'a Warning),
    /// The caller asked to stop, and the runs under way are being ended.
    Stopping,
}
