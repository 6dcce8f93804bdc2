//! Records the lines that call functions, read from the code of the program that ran.
//!
//! `trend-analyze` uses them to find the user's own line that causes a cost (`callers`).

use std::fs;
use std::path::{Path, PathBuf};

use trend_collect::OwnCode;
use trend_profile::{Call, StudyFile};

use crate::error::RunError;
use crate::program::binaries::{Binaries, is_elf};
use crate::program::nature;
use crate::run::memory::with_libraries;

/// Maximum size of a program to read, in bytes. Its debug information takes several times as much memory.
const LONGEST_PROGRAM: u64 = 1 << 30;

/// Maximum number of programs with counters to read if a script starts them.
const MOST_PROGRAMS: usize = 8;

/// Records the calls in the code of a program with counters, and in its libraries. Sources are relative to `root`.
/// Files that cannot be read are skipped; if all are, the study keeps the calls that it has.
///
/// # Errors
/// Fails if the study cannot be read or written.
pub(crate) fn record(
    study: &mut StudyFile,
    root: &str,
    started: Option<&Path>,
    binaries: &Binaries,
) -> Result<(), RunError> {
    let (functions, locations) = study.functions_and_locations()?;
    let own = OwnCode::new(root, &functions, &locations);
    let read = |path: PathBuf| {
        let is_short = fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= LONGEST_PROGRAM);
        let bytes = is_short.then(|| fs::read(&path).ok()).flatten()?;
        trend_collect::calls(&bytes, &own, &functions).ok()
    };
    let read: Vec<Vec<Call>> = programs(started, binaries).into_iter().filter_map(read).collect();
    if read.is_empty() {
        return Ok(());
    }
    let mut calls: Vec<Call> = read.into_iter().flatten().collect();
    calls.sort();
    calls.dedup();
    Ok(study.set_calls(&calls)?)
}

/// Returns the started program and its libraries, as far as they have counters. If none has, returns other programs
/// with counters.
fn programs(started: Option<&Path>, binaries: &Binaries) -> Vec<PathBuf> {
    let started = started.filter(|path| is_elf(path)).map(with_libraries).unwrap_or_default();
    let own: Vec<PathBuf> = started.into_iter().filter(|path| nature::is_instrumented(path)).collect();
    if !own.is_empty() {
        return own;
    }
    binaries.candidates().filter(|path| nature::is_instrumented(path)).take(MOST_PROGRAMS).collect()
}
