//! Checks that a program was built for the wanted measurements, without running it.

use std::ffi::OsString;
use std::path::Path;
use std::path::PathBuf;

use crate::config::settings::Config;
use crate::error::RunError;
use crate::program::binaries::{Binaries, is_elf};
use crate::program::instrumentation::Probe;
use crate::program::mark::marks;
use crate::program::nature;
use crate::words::placeholder::Fill;
use crate::words::shell;

/// Returns the measurements for which the command's program was built with the probe, or `None` without the probe.
pub fn probe_of(config: &Config) -> Option<Probe> {
    let program = nature::on_path(&shell::resolved(&started(config), &config.folder))?;
    marks(&program).first().map(|mark| mark.probe.what)
}

/// Refuses to run a program that was not built for the wanted measurements, because all its runs would fail. If
/// routines or loops are observed, the program or a library in the configuration's folder must have the probe. If
/// blocks are counted as well, it must have counters. Programs with the probe are also refused if their address space
/// is limited.
pub(crate) fn check(
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
        let has_blocks = || !wanted.has_blocks() || nature::is_instrumented(path);
        let has = |is_wanted: fn(Probe) -> bool| {
            !is_wanted(wanted) || marks(path).iter().any(|mark| is_wanted(mark.probe.what))
        };
        nature::has_probe(path) && has(Probe::has_routines) && has(Probe::has_loops) && has_blocks()
    };
    let mut libraries = binaries.candidates().filter(|path| nature::is_library(path));
    if !wanted.has_probe() || measures(program) || libraries.any(|path| measures(&path)) {
        return Ok(());
    }
    let program = program.strip_prefix(&config.folder).unwrap_or(program).to_owned();
    Err(RunError::BuiltOtherwise { program, wanted })
}

/// Returns the program that the command starts: the only program that its script names, or else its first word.
pub(crate) fn started(config: &Config) -> OsString {
    let fill = Fill { input: None, parameters: &[] };
    let words: Vec<OsString> = config.program.command.iter().map(|word| word.fill(fill)).collect();
    let of_script = shell::program(&words, &config.folder).map(PathBuf::into_os_string);
    of_script.or_else(|| words.into_iter().next()).unwrap_or_default()
}
