//! Explains why a run left no counts, and gives advice.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use memchr::memmem;
use rustix::process::{Resource, Rlimit, getrlimit};
use trend_profile::{Warning, WarningKind};

use super::counting::RECORDS;
use crate::program::nature::{Nature, is_instrumented, nature, on_path};
use crate::shim::ending::COUNTS;
use crate::supervisor::program::FRAME_GROWTH;
use crate::supervisor::wire::{End, Ended, Limits};
use crate::words::shell::{self, resolved};

/// Prefix of libgcov's error messages.
const COMPLAINT: &str = "profiling:";

/// Maximum number of counter files that a message names.
const MOST_FILES: usize = 3;

/// Prefix of the error messages of LLVM's runtime.
const PROFILE_COMPLAINT: &str = "LLVM Profile Error:";

/// Number of SIGSEGV, the signal for an invalid memory access.
const SEGMENTATION_FAULT: i32 = 11;

/// Words that a program prints when it runs out of memory.
const OUT_OF_MEMORY: [&str; 6] =
    ["memory", "bad_alloc", "Cannot allocate", "alloc failed", "failed to map segment", "allocation"];

/// libgcov's errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Complaints {
    /// The message if counters were lost.
    pub(crate) lost: Option<String>,
    /// Warnings about objects whose counters replaced another object's.
    pub(crate) warnings: Vec<Warning>,
}

/// Parses the text that libgcov wrote to its error file.
pub(crate) fn complaints(text: &str) -> Complaints {
    let mut complaints = Complaints::default();
    for line in text.lines().filter(|l| l.starts_with(COMPLAINT)) {
        let what = line[COMPLAINT.len()..].trim();
        if what.contains("overwriting an existing profile data") {
            let message = format!(
                "the counts of one of two objects are lost because both wrote the same counter file \
                 ({what}); compile each source in its own call, with its own name"
            );
            complaints.warnings.push(Warning::new(WarningKind::OverwrittenCounters, message));
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
pub(crate) struct EndedRun<'a> {
    /// The command of the run.
    pub(crate) words: &'a [OsString],
    /// The configuration's folder.
    pub(crate) folder: &'a Path,
    /// The working directory.
    pub(crate) cwd: &'a Path,
    pub(crate) begin: SystemTime,
    /// Number of processes that began to count and ended without writing their counts.
    pub(crate) lost: usize,
}

/// Explains why a successful run left no counter file. If the command is a shell script, the explanation is about the
/// program in the folder that it starts.
pub(crate) fn nothing_written(run: &EndedRun<'_>, stderr: &str) -> String {
    let EndedRun { words, folder, .. } = *run;
    // clang's runtimes print their errors to stderr.
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
            "`{command}` could not write its counters: it ended by SIGKILL, by a raw system call, or in a \
             library without counters; make it end by exit, _exit or another signal"
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
            "`{command}` did not write its counters: it ends with _exit, quick_exit, abort or exec \
             unnoticed by its runtime, or closes its files first; link it within `trend-prof build`, or \
             end it with exit or a return from main"
        ),
        Nature::Probed => format!(
            "`{command}` has the probe but recorded nothing: it calls none of its routines, `env -i` or \
             `sudo` clears its environment (keep {RECORDS}), or it cannot write there"
        ),
        Nature::Plain => format!(
            "`{command}` is not instrumented; build it with `trend-prof build -- make` (clean first), or \
             compile and link with --coverage"
        ),
        Nature::Script => format!(
            "`{command}` is a script, and no program that it started wrote counters; build those with \
             `trend-prof build -- make` (clean first), or compile and link with --coverage"
        ),
        Nature::Unknown => format!(
            "`{command}` and the programs that it started wrote no counters; build them with `trend-prof \
             build -- make` (clean first), or compile and link with --coverage"
        ),
    }
}

/// Returns true if a program was linked with the object that writes counters at every end of a process.
fn writes_at_every_end(program: &Path) -> bool {
    let name = [COUNTS.as_bytes(), b"\0"].concat();
    fs::read(program).is_ok_and(|bytes| memmem::find(&bytes, &name).is_some())
}

/// Explains why a program that writes its counters at every end did not write them.
fn unwritten(command: &str, program: &Path, run: &EndedRun<'_>) -> String {
    let elsewhere: Vec<String> = written_elsewhere(program, run)
        .iter()
        .take(MOST_FILES)
        .map(|path| path.display().to_string())
        .collect();
    let remark = match elsewhere.as_slice() {
        [] => String::new(),
        files => format!(" (they went to {})", files.join(", ")),
    };
    format!(
        "`{command}` does not know where to write its counters{remark}: `env -i` or `sudo` clears its \
         environment, or it cannot write there; keep {COUNTS}, GCOV_PREFIX and LLVM_PROFILE_FILE"
    )
}

/// Returns the counter files that a program's runtime wrote to its default places since the run began. gcov's paths are
/// in the program.
fn written_elsewhere(program: &Path, run: &EndedRun<'_>) -> Vec<PathBuf> {
    const EXTENSION: &[u8] = b".gcda";
    let bytes = fs::read(program).unwrap_or_default();
    let names = bytes.split(|b| *b == 0).filter(|name| name.ends_with(EXTENSION) && name.starts_with(b"/"));
    let named: BTreeSet<PathBuf> = names.map(|name| PathBuf::from(OsStr::from_bytes(name))).collect();
    let is_new = |path: &PathBuf| {
        // File times are coarser than the clock.
        let written = fs::metadata(path).and_then(|m| m.modified());
        written.is_ok_and(|written| written + Duration::from_millis(20) >= run.begin)
    };
    named.into_iter().chain([run.cwd.join("default.profraw")]).filter(is_new).collect()
}

/// Returns a remark if a limit of memory or of the stack ended the run, or may have.
pub(crate) fn limit_remark(ended: &Ended, limits: &Limits, stderr: &str) -> Option<String> {
    let memory = memory_remark(ended, limits.memory_bytes, stderr);
    let remark = memory.or_else(|| stack_remark(ended.end, limits, getrlimit(Resource::Stack)))?;
    Some(format!("trend-prof: {remark}"))
}

/// Returns a remark if the run crashed, and the hard limit keeps its stack smaller than the probe may need.
fn stack_remark(end: End, limits: &Limits, stack: Rlimit) -> Option<String> {
    let (usual, most) = (stack.current?, stack.maximum?);
    let is_small = limits.needs_larger_stack && most < usual.saturating_mul(FRAME_GROWTH);
    (is_small && end == End::Signaled(SEGMENTATION_FAULT)).then(|| {
        format!(
            "the stack may have overflowed: with the probe, deep recursion needs up to {FRAME_GROWTH} times as much \
             stack, but the hard limit is {} kB; raise it (`ulimit -H -s`), or run smaller inputs",
            most / 1024
        )
    })
}

/// Returns a remark if a memory limit ended the run, or may have. Either the program says so, or a signal ended it
/// after it had used at least half of the limit. Above half of the limit, a container cannot double its size.
fn memory_remark(ended: &Ended, limit: Option<u64>, stderr: &str) -> Option<String> {
    let limit = limit?;
    let says_so = OUT_OF_MEMORY.iter().any(|word| stderr.contains(word));
    let peak = ended.peak_rss_bytes.max(ended.peak_address_bytes);
    let certainty = match ended.end {
        End::Exited(code) if code != 0 && says_so => "was reached",
        End::Signaled(_) if says_so => "was reached",
        End::Signaled(_) if peak >= limit / 2 => "may have been reached",
        _ => return None,
    };
    Some(format!("the memory limit of {limit} bytes {certainty}; raise `memory`"))
}

/// Returns a warning if the program has counters, whose instructions callgrind counts as well.
pub(crate) fn counted_counters(program: &Path, folder: &Path) -> Option<Warning> {
    let message = format!(
        "`{}` has counters from `trend-prof build`, and callgrind counts their instructions too; rebuild \
         it without them, with debug information (`make clean && make CFLAGS='-O2 -g'`), and run with \
         --fresh",
        program.strip_prefix(folder).unwrap_or(program).display()
    );
    is_instrumented(program).then(|| Warning::new(WarningKind::CountedCounters, message))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn complaints_tell_lost_counters_from_overwritten_ones() {
        let text = "profiling:/x/a.gcda:Cannot open\nprofiling:/x/b.gcda:overwriting an existing profile data with \
                    a different timestamp\nsomething else\n";
        let complaints_found = complaints(text);
        assert!(complaints_found.lost.unwrap().contains("/x/a.gcda:Cannot open"));
        assert_eq!(complaints_found.warnings[0].kind, WarningKind::OverwrittenCounters);
        assert_eq!(complaints(""), Complaints::default());
    }

    #[test]
    fn the_stack_is_suspected_only_if_it_could_not_grow() {
        let remark = |signal, needs_larger_stack, current, maximum| {
            let limits = Limits { needs_larger_stack, ..Limits::default() };
            stack_remark(End::Signaled(signal), &limits, Rlimit { current, maximum })
        };
        let small = Some(8 << 20);
        assert!(remark(11, true, small, small).unwrap().contains("8192 kB"));
        assert_eq!(remark(6, true, small, small), None);
        assert_eq!(remark(11, false, small, small), None);
        assert_eq!(remark(11, true, small, Some(64 << 20)), None);
        assert_eq!(remark(11, true, small, None), None);
        assert_eq!(remark(11, true, None, None), None);
    }

    #[test]
    fn a_memory_limit_is_suspected_only_where_something_speaks_for_it() {
        let remark = |end, limit, peak_rss_bytes, stderr| {
            let ended = Ended {
                end,
                wall: Duration::ZERO,
                user: Duration::ZERO,
                system: Duration::ZERO,
                peak_rss_bytes,
                peak_address_bytes: 10,
                has_left_processes: false,
                not_sampled: None,
            };
            memory_remark(&ended, limit, stderr)
        };
        let (exited, aborted) = (End::Exited(1), End::Signaled(6));
        let text = remark(exited, Some(100), 1, "out of memory").unwrap();
        assert!(text.contains("100 bytes was reached"), "{text}");
        assert!(remark(aborted, Some(100), 1, "std::bad_alloc").unwrap().contains("was reached"));
        assert!(remark(aborted, Some(100), 50, "").unwrap().contains("may have been reached"));
        assert!(remark(aborted, Some(20), 1, "").is_some(), "the address space is enough");
        assert_eq!(remark(aborted, Some(100), 49, ""), None);
        assert_eq!(remark(exited, Some(100), 99, "no such file"), None);
        assert_eq!(remark(aborted, None, 99, "std::bad_alloc"), None);
    }
}
