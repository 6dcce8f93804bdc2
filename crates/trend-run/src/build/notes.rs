//! Checks that the notes of a program's counters are where the program expects them.
//!
//! gcc and clang write the absolute path of an object's counters into it, such as `/tmp/x/a.gcda`. The notes are next
//! to that path. If the build's folder is moved or removed afterwards (a sandbox, `mktemp -d`), the counters of its
//! programs mean nothing.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use trend_profile::{Warning, WarningKind};

use super::earlier::{OF_BUILD_SYSTEMS, is_hidden};
use crate::program::binaries::Walk;

/// Suffix of the paths of counter files.
const DATA: &[u8] = b".gcda";
/// Maximum length of a path and the bytes before it; longer texts are not paths.
const LONGEST: usize = 2 * 4096;
/// Maximum number of paths that the warning names.
const MOST_NAMES: usize = 3;

/// Finds the programs that a build may have made below a folder.
pub(super) fn programs(folder: &Path) -> Walk {
    let passes_over = |f: &Path| is_hidden(f) || OF_BUILD_SYSTEMS.iter().any(|name| f.ends_with(name));
    Walk::below(folder, &passes_over)
}

/// Returns a warning if `programs` below `folder` that were written since `start` lack notes.
pub(super) fn lost(folder: &Path, programs: &[PathBuf], start: SystemTime) -> Option<Warning> {
    let is_new = |path: &&PathBuf| {
        fs::metadata(path).and_then(|m| m.modified()).is_ok_and(|modified| modified >= start)
    };
    let mut lost: Vec<(PathBuf, PathBuf)> = Vec::new();
    for program in programs.iter().filter(is_new) {
        for notes in missing(program) {
            if lost.iter().all(|(_, other)| *other != notes) {
                lost.push((program.clone(), notes));
            }
        }
    }
    let (program, _) = lost.first()?;
    let shown = program.strip_prefix(folder).unwrap_or(program).display();
    let names: Vec<String> = lost.iter().take(MOST_NAMES).map(|(_, n)| n.display().to_string()).collect();
    let more = match lost.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "the compiler's notes {}{more} are missing, so runs of {shown} will fail: it was compiled in a \
         folder that was moved or removed. Compile in a permanent folder (bazel: --spawn_strategy=local), \
         or link the old path to the .gcno files (`ln -s NEW OLD`)",
        names.join(", ")
    );
    Some(Warning::new(WarningKind::LostNotes, message))
}

/// Returns the notes that a program's counters need but that do not exist.
fn missing(program: &Path) -> Vec<PathBuf> {
    let Ok(file) = File::open(program) else { return Vec::new() };
    let mut bytes = BufReader::with_capacity(1 << 16, file);
    let (mut text, mut missing) = (Vec::new(), Vec::new());
    while bytes.read_until(0, &mut text).is_ok_and(|read| read > 0) {
        if let Some(path) = text.strip_suffix(b"\0").filter(|path| path.ends_with(DATA))
            && let Some(notes) = lost_notes(&path[path.len().saturating_sub(LONGEST)..])
            && !missing.contains(&notes)
        {
            missing.push(notes);
        }
        text.clear();
    }
    missing
}

/// Returns the notes that belong to the path at the end of some bytes, if they do not exist. Any bytes may precede the
/// path, and their end may look like the path's beginning.
fn lost_notes(bytes: &[u8]) -> Option<PathBuf> {
    let start = bytes.iter().rposition(u8::is_ascii_control).map_or(0, |control| control + 1);
    let text = &bytes[start..];
    let slashes = text.iter().enumerate().filter(|(_, b)| **b == b'/').map(|(at, _)| at);
    let mut paths = slashes.map(|at| Path::new(OsStr::from_bytes(&text[at..])).with_extension("gcno"));
    let longest = paths.next()?;
    let is_there = longest.exists() || paths.any(|path| path.exists());
    (!is_there).then_some(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_counters_are_found_among_other_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("here.gcno"), "").unwrap();
        let program = [
            b"\x7fELF\x01x/".as_slice(),
            path("here.gcda").as_os_str().as_bytes(),
            b"\0\xc3\x28",
            path("a b/gone.gcda").as_os_str().as_bytes(),
            b"\0.gcda\0relative.gcda\0",
            path("gone.gcda").as_os_str().as_bytes(),
        ]
        .concat();
        fs::write(path("program"), program).unwrap();
        assert_eq!(missing(&path("program")), [path("a b/gone.gcno")]);
        let of_all = || lost(folder.path(), &programs(folder.path()).programs, SystemTime::UNIX_EPOCH);
        let warning = of_all().unwrap();
        assert!(
            warning.message.contains("a b/gone.gcno are missing")
                && warning.message.contains("runs of program will fail")
        );
        fs::create_dir(path("a b")).unwrap();
        fs::write(path("a b/gone.gcno"), "").unwrap();
        assert_eq!(of_all(), None);
    }
}
