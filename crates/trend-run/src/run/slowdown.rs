//! How much slower a program is with counters, by one more run of it without them. Changes nothing but own copies.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use trend_profile::{Usage, Warning};

use super::process::Runner;
use super::worker::{PreparedWorkload, RunContext};
use crate::PlannedWorkload;
use crate::shim::linkage::Linked;
use crate::shim::unlock::{Updates, rewrite};

/// Processor time of runs that are long enough to be compared, and that are not too long to be made once more.
const LONG_ENOUGH: Duration = Duration::from_millis(200);
const TOO_LONG: Duration = Duration::from_secs(10);

/// How many times slower a program has to be to be worth a word.
const NOTABLE: f64 = 2.0;

/// Whether a run can be compared with one without counters.
pub(super) fn is_comparable(usage: &Usage) -> bool {
    (LONG_ENOUGH..TOO_LONG).contains(&usage.cpu())
}

/// What to say where counters made the run of a workload much slower.
pub(super) fn warning(
    context: &RunContext<'_>,
    runner: &Runner<'_>,
    workload: &PlannedWorkload,
    counted: &Usage,
    program: &Path,
) -> Option<Warning> {
    let folder = context.folder.path().join("uncounted");
    let plain = PreparedWorkload::prepare(context, runner, workload).ok().and_then(|prepared| {
        let (copy, variables) = without_counters(program, &folder)?;
        prepared.run_copy(&copy, variables)
    });
    let _ = fs::remove_dir_all(&folder);
    let (counted, plain) = (counted.cpu().as_secs_f64(), plain?.cpu().as_secs_f64());
    let times = counted / plain;
    (times >= NOTABLE).then(|| {
        let message = format!(
            "counters make the program {times:.0} times slower: {} took {counted:.2} s of processor time, and {plain:.2} s \
             without them. Counts are right, times are not the program's own; where no second thread counts, \
             `trend-prof build --update single` is faster",
            workload.workload.name
        );
        Warning::new("slow_counters", message)
    })
}

/// A copy of a program without updates of counters, and the variables that let it load such copies of its libraries; `None`
/// where nothing could be taken out.
fn without_counters(program: &Path, folder: &Path) -> Option<(PathBuf, Vec<(&'static str, OsString)>)> {
    let program = Linked::read(program)?;
    let libraries = program.whole(&[]).libraries;
    fs::create_dir_all(folder).ok()?;
    let mut updates = 0;
    let mut copied = |number: usize, file: &Linked| {
        let copy = folder.join(number.to_string());
        fs::copy(&file.path, &copy).ok()?;
        let found = rewrite(&copy, Updates::None).ok()?;
        updates += found;
        Some((copy, found))
    };
    let (copy, _) = copied(0, &program)?;
    let mut preloaded = Vec::new();
    for (i, library) in libraries.iter().enumerate() {
        let (copy, found) = copied(i + 1, library)?;
        if found > 0 {
            preloaded.push(copy);
        }
    }
    let own = std::iter::once(&program).chain(&libraries).flat_map(|file| file.folders().iter().cloned());
    let known = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = std::env::join_paths(own.chain(std::env::split_paths(&known))).ok()?;
    let preloaded = std::env::join_paths(preloaded).ok()?;
    (updates > 0).then(|| (copy, vec![("LD_LIBRARY_PATH", folders), ("LD_PRELOAD", preloaded)]))
}
