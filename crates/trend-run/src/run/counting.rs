//! What a program is told so that it counts.

use std::fs;
use std::path::Path;

use super::counters::{PROCESSES, PROFILE};
use crate::shim::ending::COUNTS;
use crate::supervisor::wire::Job;

/// The folder that programs with the probe record in.
pub(super) const RECORDS: &str = "TREND_PROF_RECORD";

/// What libgcov complains of, in the folder of the counters.
pub(super) const COMPLAINTS: &str = "gcov-errors";

/// Lets a program and all its children write counters below `counters`, and what libgcov complains of.
pub(super) fn count_into(job: &mut Job, counters: &Path) {
    job.variable("GCOV_PREFIX", counters);
    job.variable("GCOV_ERROR_FILE", counters.join(COMPLAINTS));
    job.without_variable("GCOV_PREFIX_STRIP");
    job.without_variable("GCOV_EXIT_AT_ERROR");
    // A process writes one profile for itself and one for each library; %m tells them apart.
    // Programs that cannot open the log write as if they knew nothing of it.
    let _ = fs::create_dir_all(counters);
    job.variable(COUNTS, counters.join(PROCESSES));
    let profile = counters.join(format!("%p-%m.{PROFILE}"));
    job.variable("LLVM_PROFILE_FILE", profile);
    job.variable(RECORDS, counters);
}
