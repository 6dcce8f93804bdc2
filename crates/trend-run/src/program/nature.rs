//! Kinds of files: programs and libraries with or without counters, and scripts.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectKind};

use crate::words::shell::{self, resolved};

/// Part of a message that every program with the probe contains. The message names the variable for the folder of
/// records.
const RECORDED: &[u8] = b"the folder that TREND_PROF_RECORD names";

/// Returns true if a program or library has the probe.
pub(crate) fn has_probe(program: &Path) -> bool {
    fs::read(program).is_ok_and(|bytes| memmem::find(&bytes, RECORDED).is_some())
}

/// Returns true if a file is a library, which only runs as part of a program.
pub(crate) fn is_library(file: &Path) -> bool {
    let bytes = fs::read(file).unwrap_or_default();
    let elf = ElfFile64::<Endianness>::parse(&*bytes);
    elf.is_ok_and(|elf| elf.kind() == ObjectKind::Dynamic && elf.section_by_name(".interp").is_none())
}

pub(crate) enum Nature {
    /// It has LLVM's counters.
    Profiled,
    /// It has gcov's counters.
    Instrumented,
    /// It has the probe, but no counters.
    Probed,
    Plain,
    Script,
    Unknown,
}

/// Returns true if a program, given by its path or its name on `PATH`, has counters.
pub(crate) fn is_instrumented(program: &Path) -> bool {
    matches!(nature(program), Nature::Profiled | Nature::Instrumented)
}

/// Returns true if a file is a script.
pub(crate) fn is_script(program: &Path) -> bool {
    matches!(nature(program), Nature::Script)
}

/// Returns true if the program that a command starts has counters. If the command is a script or a shell line, this
/// is the only program below `folder` that it names.
pub fn starts_instrumented(command: &[OsString], folder: &Path) -> bool {
    let Some(first) = command.first() else { return false };
    let file = resolved(first, folder);
    let text =
        || on_path(&file).filter(|path| is_script(path)).and_then(|path| fs::read_to_string(path).ok());
    let of_file = || shell::program(&["sh", "-c", &text()?], folder);
    let named = shell::program(command, folder).or_else(of_file);
    is_instrumented(&named.map_or(file.clone(), |program| folder.join(program)))
}

/// Returns true if a command is a script, which may start other programs. It is either a file or a shell line.
pub fn starts_script(command: &[OsString], folder: &Path) -> bool {
    let is_file = command.first().is_some_and(|first| is_script(&resolved(first, folder)));
    is_file || shell::script(command).is_some()
}

/// Returns true if an object file contains counters.
pub(crate) fn has_counters_in(object: &[u8]) -> bool {
    matches!(nature_of(object), Nature::Profiled | Nature::Instrumented)
}

/// Returns the kind of a file. Paths of counter files are in the program, even after stripping.
pub(crate) fn nature(program: &Path) -> Nature {
    let Some(bytes) = on_path(program).and_then(|path| fs::read(path).ok()) else { return Nature::Unknown };
    nature_of(&bytes)
}

fn nature_of(bytes: &[u8]) -> Nature {
    let has = |needle: &[u8]| memmem::find(bytes, needle).is_some();
    if bytes.starts_with(b"#!") {
        Nature::Script
    } else if has(b"__llvm_prf_cnts\0") {
        // The section's name remains in a stripped program.
        Nature::Profiled
    } else if has(b".gcda\0") {
        Nature::Instrumented
    } else if has(RECORDED) {
        Nature::Probed
    } else {
        Nature::Plain
    }
}

pub(crate) fn on_path(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.to_owned());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|p| p.is_file())
}
