//! Whether a program was built to measure what is asked for. Runs nothing.

use std::path::Path;

use super::binaries::{Binaries, is_elf};
use super::{diagnosis, started};
use crate::mark::marks;
use crate::{Config, Probe, RunError, shell};

/// What the program that a command names was built to measure with the probe; `None` without one.
pub fn probe_of(config: &Config) -> Option<Probe> {
    let program = diagnosis::on_path(&shell::resolved(&started(config), &config.folder))?;
    marks(&program).first().map(|mark| mark.probe.what)
}

/// Refuses a program of the configuration's folder where routines or loops are to be observed and neither it nor a library there has
/// the probe, or blocks as well and nothing counts them: all its runs would be in vain. So would those of programs with the probe whose
/// address space is limited.
pub(super) fn check(
    config: &Config,
    program: Option<&Path>,
    binaries: &Binaries,
    memory_bytes: Option<u64>,
) -> Result<(), RunError> {
    let wanted = config.program.probe;
    if let Some(limit) = memory_bytes.filter(|_| wanted.has_routines()) {
        return Err(RunError::LimitedProbe { limit });
    }
    let Some(program) = program.filter(|path| path.starts_with(&config.folder) && is_elf(path)) else {
        return Ok(());
    };
    let measures = |path: &Path| {
        let has_blocks = || !wanted.has_blocks() || diagnosis::is_instrumented(path);
        let has = |is_wanted: fn(Probe) -> bool| {
            !is_wanted(wanted) || marks(path).iter().any(|mark| is_wanted(mark.probe.what))
        };
        diagnosis::has_probe(path) && has(Probe::has_routines) && has(Probe::has_loops) && has_blocks()
    };
    let mut libraries = binaries.candidates().filter(|path| diagnosis::is_library(path));
    if !wanted.has_probe() || measures(program) || libraries.any(|path| measures(&path)) {
        return Ok(());
    }
    let program = program.strip_prefix(&config.folder).unwrap_or(program).to_owned();
    Err(RunError::BuiltOtherwise { program, wanted })
}
