//! Counts of one run, or the reason why there are none.

use std::path::PathBuf;

use trend_profile::{LoopFunction, ObjectRecord, Series, Unit, Warning, WarningKind};

/// The counts of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counted {
    /// Indexed by position in [`Program::locations`](trend_collect::Program::locations), with one entry for each
    /// location known at that time.
    pub(crate) counts: Vec<u64>,
    /// The unit of the counts.
    pub(crate) unit: Unit,
    /// The objects that have counts.
    pub(crate) objects: Vec<ObjectRecord>,
    /// Costs by input size, for a program with the probe. The workload is not set.
    pub(crate) series: Vec<Series>,
    /// Loops, for a program whose loops are watched.
    pub(crate) loops: Vec<LoopFunction>,
    pub(crate) warnings: Vec<Warning>,
}

/// The reason why a run's counters cannot be used.
#[derive(Clone, Debug)]
pub(crate) enum Uncounted {
    /// There are no counters. `lost` processes began to count and ended without writing their counts.
    Nothing { lost: usize },
    /// The counters cannot be read. The text gives the reason and advice.
    Unreadable(String),
    /// The counters and the notes come from different builds.
    OtherBuild { object: PathBuf },
}

/// Returns a warning if some processes did not write their counts.
pub(crate) fn lost_processes(lost: usize) -> Option<Warning> {
    let whose = match lost {
        0 => return None,
        1 => "the counts of a process of a run are missing because it".to_owned(),
        more => format!("the counts of {more} processes of a run are missing because they"),
    };
    let message =
        format!("{whose} ended abruptly: by SIGKILL, by a raw system call, or in a library without counters");
    Some(Warning::new(WarningKind::LostProcesses, message))
}
