//! Why a run left no counts, and what helps.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use trend_profile::Warning;

use super::process::End;
use super::worker::resolved;
use crate::shell;
use crate::shim::ending::COUNTS;

/// libgcov's word before each complaint.
const COMPLAINT: &str = "profiling:";

/// Counter files that a message names.
const MOST_FILES: usize = 3;

/// What LLVM's runtime begins its complaints with.
const PROFILE_COMPLAINT: &str = "LLVM Profile Error:";

/// What a program that ran out of memory is likely to say.
const OUT_OF_MEMORY: [&str; 6] =
    ["memory", "bad_alloc", "Cannot allocate", "alloc failed", "failed to map segment", "allocation"];

/// What libgcov complained about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Complaints {
    /// Counters were lost.
    pub(super) lost: Option<String>,
    /// Counters of one object replaced those of another.
    pub(super) warnings: Vec<Warning>,
}

/// Reads what libgcov wrote to its own error file.
pub(super) fn complaints(text: &str) -> Complaints {
    let mut complaints = Complaints::default();
    for line in text.lines().filter(|l| l.starts_with(COMPLAINT)) {
        let what = line[COMPLAINT.len()..].trim();
        if what.contains("overwriting an existing profile data") {
            let message = format!(
                "two objects of one run wrote the same counter file, and the counts of one of them are lost \
                 ({what}): compile every source in a call of its own, under its own name"
            );
            complaints.warnings.push(Warning::new("overwritten_counters", message));
        } else if complaints.lost.is_none() {
            complaints.lost = Some(format!(
                "the counters could not be written ({what}): the program changed GCOV_PREFIX, its user or its root, \
                 or the disk is full"
            ));
        }
    }
    complaints
}

/// A run that left no counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    /// Its command.
    pub(super) words: &'a [OsString],
    /// The configuration's folder.
    pub(super) folder: &'a Path,
    /// Where it ran.
    pub(super) cwd: &'a Path,
    pub(super) begin: SystemTime,
    /// How many processes began to count, and ended without writing what they counted.
    pub(super) lost: usize,
}

/// Why a run that ended well left no counter file at all. Of a script for the shell it is about the
/// program of the folder that it starts.
pub(super) fn nothing_written(run: &Run<'_>, stderr: &str) -> String {
    let Run { words, folder, .. } = *run;
    // clang's runtimes complain to stderr.
    if let Some(line) = stderr.lines().find(|l| l.contains(PROFILE_COMPLAINT)) {
        return format!("the profile could not be written ({}): the disk may be full", line.trim());
    }
    if let Some(lost) = complaints(stderr).lost {
        return lost;
    }
    let started = shell::program(words, folder).map(PathBuf::into_os_string);
    let of_program = started.as_ref().map(|word| (word, nature(&resolved(word, folder))));
    let (word, nature) = of_program.unwrap_or_else(|| {
        let is_script = shell::script(words).is_some();
        (&words[0], if is_script { Nature::Script } else { nature(&resolved(&words[0], folder)) })
    });
    let command = word.to_string_lossy();
    if run.lost > 0 {
        return format!(
            "`{command}` was ended without a chance to write its counters: by SIGKILL, by a raw system call, or by a \
             library that has no counters; let it end by exit, _exit or another signal"
        );
    }
    let program = on_path(&resolved(word, folder));
    if let Some(program) = program.filter(|_| matches!(nature, Nature::Profiled | Nature::Instrumented))
        && writes_at_every_end(&program)
    {
        return unwritten(&command, &program, run);
    }
    match nature {
        Nature::Profiled | Nature::Instrumented => format!(
            "`{command}` ended without writing its counters: it ends with _exit, quick_exit, abort or exec without its \
             runtime noticing, or closes its files first; link it within `trend-prof build`, which writes them then as \
             well, or let it end with exit or a return from main"
        ),
        Nature::Plain => format!(
            "`{command}` is not instrumented: build it with `trend-prof build -- make` (clean first), or compile and \
             link with --coverage"
        ),
        Nature::Script => format!(
            "`{command}` is a script, and no program that it started wrote counters: build those with `trend-prof \
             build -- make` (clean first), or compile and link with --coverage"
        ),
        Nature::Unknown => format!(
            "`{command}` and the programs that it started wrote no counters: build them with `trend-prof build -- \
             make` (clean first), or compile and link with --coverage"
        ),
    }
}

/// Whether a program was linked with the object that writes counters at every end.
fn writes_at_every_end(program: &Path) -> bool {
    let name = [COUNTS.as_bytes(), b"\0"].concat();
    File::open(program).and_then(|file| contains(file, &name)).is_ok_and(|(_, has)| has)
}

/// Why a program that writes its counters at every end has not written them.
fn unwritten(command: &str, program: &Path, run: &Run<'_>) -> String {
    let elsewhere: Vec<String> = written_elsewhere(program, run)
        .iter()
        .take(MOST_FILES)
        .map(|path| path.display().to_string())
        .collect();
    let found = match elsewhere.as_slice() {
        [] => String::new(),
        files => format!(" (they went to {})", files.join(", ")),
    };
    format!(
        "`{command}` does not know where its counters belong{found}: something clears the environment before it starts, \
         as `env -i` and `sudo` do, or it cannot write there; let it keep {COUNTS}, GCOV_PREFIX and LLVM_PROFILE_FILE"
    )
}

/// Counter files that a program's runtime wrote since the run began where it writes without being told: gcov's are named
/// in the program.
fn written_elsewhere(program: &Path, run: &Run<'_>) -> Vec<PathBuf> {
    const EXTENSION: &[u8] = b".gcda";
    let bytes = fs::read(program).unwrap_or_default();
    let names = bytes.split(|b| *b == 0).filter(|name| name.ends_with(EXTENSION) && name.starts_with(b"/"));
    let named: BTreeSet<PathBuf> = names.map(|name| PathBuf::from(OsStr::from_bytes(name))).collect();
    let is_new = |path: &PathBuf| {
        // Times of files are coarser than the clock.
        let written = fs::metadata(path).and_then(|m| m.modified());
        written.is_ok_and(|written| written + Duration::from_millis(20) >= run.begin)
    };
    named.into_iter().chain([run.cwd.join("default.profraw")]).filter(is_new).collect()
}

/// A remark on a run that a memory limit may have ended.
pub(super) fn memory_remark(end: End, limit: Option<u64>, stderr: &str) -> Option<String> {
    let limit = limit?;
    let says_so = OUT_OF_MEMORY.iter().any(|word| stderr.contains(word));
    let is_suspect = match end {
        End::Signaled(_) => true,
        End::Exited(code) => code != 0 && says_so,
        End::TimedOut | End::Cancelled | End::Stopped => false,
    };
    let certainty = if says_so { "was reached" } else { "may have been reached" };
    is_suspect.then(|| format!("trend-prof: the memory limit of {limit} bytes {certainty}; raise `memory`"))
}

/// The doubt that callgrind counts what counts in the program as well.
pub(super) fn counted_counters(program: &Path, folder: &Path) -> Option<Warning> {
    let message = format!(
        "`{}` has counters of its own, as `trend-prof build` gives them, and callgrind counts their instructions as well: \
         build it without them, with debug information (`make clean && make CFLAGS='-O2 -g'`), and run it with --fresh",
        program.strip_prefix(folder).unwrap_or(program).display()
    );
    is_instrumented(program).then(|| Warning::new("counted_counters", message))
}

enum Nature {
    /// It has LLVM's counters.
    Profiled,
    /// It has gcov's.
    Instrumented,
    Plain,
    Script,
    Unknown,
}

/// Whether a program has counters of its own.
pub(crate) fn is_instrumented(program: &Path) -> bool {
    matches!(nature(program), Nature::Profiled | Nature::Instrumented)
}

/// What kind of program a file is. Counter files are named in the program, stripped or not.
fn nature(program: &Path) -> Nature {
    let has = |needle: &[u8]| {
        let file = on_path(program).and_then(|path| File::open(path).ok())?;
        contains(file, needle).ok()
    };
    // The name of a section stays in a program that was stripped.
    match (has(b".gcda\0"), has(b"__llvm_prf_cnts\0")) {
        (Some((start, _)), _) if start == *b"#!" => Nature::Script,
        (_, Some((_, true))) => Nature::Profiled,
        (Some((_, true)), _) => Nature::Instrumented,
        (Some((_, false)), _) => Nature::Plain,
        _ => Nature::Unknown,
    }
}

pub(super) fn on_path(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.to_owned());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|p| p.is_file())
}

/// The first two bytes, and whether the bytes occur anywhere.
fn contains(mut file: File, needle: &[u8]) -> io::Result<([u8; 2], bool)> {
    const CHUNK: usize = 1 << 16;
    let mut start = [0; 2];
    let mut window = Vec::with_capacity(2 * CHUNK);
    let mut is_first = true;
    loop {
        let kept = window.len();
        (&mut file).take(CHUNK as u64).read_to_end(&mut window)?;
        if std::mem::take(&mut is_first) {
            start.iter_mut().zip(&window).for_each(|(s, b)| *s = *b);
        }
        if window.windows(needle.len()).any(|w| w == needle) {
            return Ok((start, true));
        }
        if window.len() == kept {
            return Ok((start, false));
        }
        window.drain(..window.len().saturating_sub(needle.len() - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_tell_lost_counters_from_overwritten_ones() {
        let text = "profiling:/x/a.gcda:Cannot open\nprofiling:/x/b.gcda:overwriting an existing profile data with \
                    a different timestamp\nsomething else\n";
        let found = complaints(text);
        assert!(found.lost.unwrap().contains("/x/a.gcda:Cannot open"));
        assert_eq!(found.warnings[0].kind, "overwritten_counters");
        assert_eq!(complaints(""), Complaints::default());
    }

    #[test]
    fn bytes_are_found_across_the_seams_of_reading() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("program");
        for offset in [0, (1 << 16) - 3, (1 << 16) + 1, 3 * (1 << 16) - 1] {
            let mut bytes = vec![b'x'; offset];
            bytes.extend_from_slice(b".gcda\0");
            std::fs::write(&path, &bytes).unwrap();
            assert!(contains(File::open(&path).unwrap(), b".gcda\0").unwrap().1, "{offset}");
        }
        std::fs::write(&path, vec![b'.'; 200_000]).unwrap();
        assert!(!contains(File::open(&path).unwrap(), b".gcda\0").unwrap().1);
    }

    #[test]
    fn a_memory_limit_is_suspected_only_where_there_is_one() {
        let remark = |end, limit, stderr| memory_remark(end, limit, stderr).is_some();
        assert!(remark(End::Exited(1), Some(1), "out of memory"));
        assert!(remark(End::Signaled(6), Some(1), ""));
        assert!(!remark(End::Exited(1), Some(1), "no such file"));
        assert!(!remark(End::Signaled(6), None, "std::bad_alloc"));
    }
}
