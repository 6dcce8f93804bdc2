//! Sets the environment variables that make a program write its counters.

use std::fs;
use std::path::Path;

use crate::shim::ending::COUNTS;
use crate::supervisor::wire::Job;

/// Extension of raw profiles.
pub(crate) const PROFILE: &str = "profraw";

/// Name of the log in a run's folder, `counters/processes`. Processes that know of it write their counts there.
pub(crate) const PROCESSES: &str = "processes";

/// The variable with the folder in which programs with the probe record.
pub(crate) const RECORDS: &str = "TREND_PROF_RECORD";

/// File in the counter folder for libgcov's error messages.
pub(crate) const COMPLAINTS: &str = "gcov-errors";

/// Makes a program and its children write counters and libgcov's errors below `counters`.
pub(crate) fn count_into(job: &mut Job, counters: &Path) {
    job.variable("GCOV_PREFIX", counters);
    job.variable("GCOV_ERROR_FILE", counters.join(COMPLAINTS));
    job.without_variable("GCOV_PREFIX_STRIP");
    job.without_variable("GCOV_EXIT_AT_ERROR");
    // A process writes one profile for itself and one for each library, distinguished by %m. Programs that cannot open
    // the log write their counters as if there were none.
    let _ = fs::create_dir_all(counters);
    job.variable(COUNTS, counters.join(PROCESSES));
    let profile = counters.join(format!("%p-%m.{PROFILE}"));
    job.variable("LLVM_PROFILE_FILE", profile);
    job.variable(RECORDS, counters);
}
