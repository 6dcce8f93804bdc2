//! Runs any program under valgrind, which counts its instructions by line.
//!
//! ```text
//!   counters/callgrind.4711     the counts of one process; its child processes have their own files
//!   counters/valgrind.4711      valgrind's messages about it
//! ```

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use trend_collect::import::{Root, callgrind};
use trend_profile::{Function, Location, ObjectRecord, Unit, Warning};

use super::counted::{Counted, Uncounted};
use super::inlined::Inlined;
use super::places::Places;
use crate::error::RunError;
use crate::program::digest::stamp_of;
use crate::supervisor::wire::Job;

const VALGRIND: &str = "valgrind";
const OUTPUT: &str = "callgrind.";
/// The unit of callgrind's costs.
pub(crate) const UNIT: &str = Unit::INSTRUCTIONS;
/// The environment variable with glibc's settings, and the settings that matter here.
const TUNABLES: &str = "GLIBC_TUNABLES";
const HWCAPS: &[u8] = b"glibc.cpu.hwcaps=";
const WITHOUT_REP: &[u8] = b"-ERMS";

/// Decodes callgrind's output.
#[derive(Debug)]
pub(crate) struct CallgrindDecoder {
    folder: PathBuf,
    root: Root,
    places: Places,
    inlined: Mutex<Inlined>,
}

impl CallgrindDecoder {
    pub(crate) fn new(root: &str) -> Self {
        let (places, inlined) = (Places::default(), Mutex::default());
        Self { folder: PathBuf::from(root), root: Root::new(root), places, inlined }
    }

    pub(crate) fn with_places<T>(&self, use_places: impl FnOnce(&[Function], &[Location]) -> T) -> T {
        self.places.with(use_places)
    }

    /// Returns warnings about inlined code that is unknown, from all runs together.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        self.inlined.lock().unwrap_or_else(PoisonError::into_inner).warnings().collect()
    }

    /// Adds up the counts of all processes of one run.
    pub(crate) fn count(&self, folder: &Path) -> Result<Counted, Uncounted> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
        files.retain(|f| f.file_name().is_some_and(|n| n.as_bytes().starts_with(OUTPUT.as_bytes())));
        files.sort();
        if files.is_empty() {
            return Err(Uncounted::Nothing { lost: 0 });
        }
        let mut counted = Counted { unit: Unit::new(UNIT), ..Counted::default() };
        let mut objects = BTreeSet::new();
        for file in &files {
            let unreadable = |what: String| Uncounted::Unreadable(format!("the output of callgrind: {what}"));
            let bytes = fs::read(file).map_err(|e| unreadable(e.to_string()))?;
            let imported = {
                let mut inlined = self.inlined.lock().unwrap_or_else(PoisonError::into_inner);
                let read = callgrind::read_inlined(&bytes, None, &self.root, &mut *inlined);
                read.map_err(|e| unreadable(e.to_string()))?
            };
            objects.extend(self.objects(&bytes));
            self.places.add(&imported, &mut counted.counts);
            counted.warnings.extend(imported.warnings);
        }
        let record = |path: PathBuf| {
            Some(ObjectRecord { stamp: stamp_of(&path)?, path: path.to_string_lossy().into_owned() })
        };
        counted.objects = objects.into_iter().filter_map(record).collect();
        Ok(counted)
    }

    /// Returns the executables and libraries below the program's folder.
    fn objects<'b>(&self, output: &'b [u8]) -> impl Iterator<Item = PathBuf> + use<'b> {
        let folder = self.folder.clone();
        let lines = output.split(|&b| b == b'\n').filter(|l| l.starts_with(b"ob=") || l.starts_with(b"cob="));
        let path = |line: &'b [u8]| {
            let start = line.iter().position(|&b| b == b'/')?;
            Some(Path::new(OsStr::from_bytes(&line[start..])))
        };
        lines.filter_map(path).filter(move |p| p.starts_with(&folder)).map(Path::to_owned)
    }
}

/// Creates the job in which valgrind runs the program and its child processes.
pub(crate) fn job(arguments: &[OsString], executable: &Path, folder: &Path) -> Result<Job, String> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    // In file names, valgrind reads `%` as the start of a placeholder.
    let file = |option: &str, name: &str| {
        let mut bytes = option.as_bytes().to_vec();
        for &byte in folder.as_os_str().as_bytes() {
            bytes.push(byte);
            if byte == b'%' {
                bytes.push(byte);
            }
        }
        bytes.extend_from_slice(name.as_bytes());
        OsString::from_vec(bytes)
    };
    let mut words: Vec<OsString> =
        ["--tool=callgrind", "--trace-children=yes", "--quiet"].map(OsString::from).to_vec();
    // Addresses are needed to find inlined code, and linkage names match those in debug information.
    words.extend(["--dump-instr=yes", "--demangle=no"].map(OsString::from));
    words.push(file("--callgrind-out-file=", &format!("/{OUTPUT}%p")));
    words.push(file("--log-file=", "/valgrind.%p"));
    words.extend(["--".into(), executable.into()]);
    words.extend_from_slice(arguments);
    Ok(Job { program: VALGRIND.into(), name: VALGRIND.into(), arguments: words, ..Job::default() })
}

/// Sets the C library's settings to [`tunables`]. The run's own variables must be set before, because they are kept.
pub(crate) fn tell_c_library(job: &mut Job) {
    let set = job.value_of(TUNABLES).cloned().or_else(|| std::env::var_os(TUNABLES));
    job.variable(TUNABLES, tunables(set.as_deref().unwrap_or_default()));
}

/// Adds a setting to the user's settings of the C library, so that it copies and fills with vectors at every size.
/// Above some kB, it would otherwise use `rep movsb`. callgrind counts this instruction once per byte, which makes
/// copying seem twenty times as expensive.
fn tunables(set: &OsStr) -> OsString {
    let mut all = Vec::new();
    let mut is_told = false;
    for setting in set.as_bytes().split(|&b| b == b':').filter(|s| !s.is_empty()) {
        let mut setting = setting.to_vec();
        if let Some(features) = setting.strip_prefix(HWCAPS) {
            is_told = true;
            if !features.split(|&b| b == b',').any(|feature| feature == WITHOUT_REP) {
                let is_empty = features.is_empty();
                setting.extend_from_slice(if is_empty { b"" } else { b"," });
                setting.extend_from_slice(WITHOUT_REP);
            }
        }
        all.push(setting);
    }
    if !is_told {
        all.push([HWCAPS, WITHOUT_REP].concat());
    }
    OsString::from_vec(all.join(&b':'))
}

/// Checks that valgrind can be started.
pub(crate) fn check() -> Result<(), RunError> {
    let started = Command::new(VALGRIND).arg("--version").output();
    let what = match started {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => format!("`valgrind --version` ended with {}", output.status),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "it is not on PATH".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(RunError::NoValgrind { what })
}

pub(crate) fn nothing_written(word: &OsStr) -> String {
    format!(
        "valgrind ran `{}` but wrote no counts: the program started one that valgrind cannot follow, or \
         the disk is full",
        word.to_string_lossy()
    )
}

#[cfg(test)]
mod tests {
    use trend_profile::WarningKind;

    use super::*;

    #[test]
    fn settings_of_the_c_library_are_added_to_the_users() {
        for (set, expected) in [
            ("", "glibc.cpu.hwcaps=-ERMS"),
            ("glibc.malloc.check=3", "glibc.malloc.check=3:glibc.cpu.hwcaps=-ERMS"),
            (
                "glibc.cpu.hwcaps=-AVX2:glibc.malloc.check=3",
                "glibc.cpu.hwcaps=-AVX2,-ERMS:glibc.malloc.check=3",
            ),
            ("glibc.cpu.hwcaps=", "glibc.cpu.hwcaps=-ERMS"),
            ("glibc.cpu.hwcaps=-ERMS,-AVX2", "glibc.cpu.hwcaps=-ERMS,-AVX2"),
        ] {
            assert_eq!(tunables(set.as_ref()), expected);
        }
    }

    #[test]
    fn settings_of_the_command_count_before_those_around_it() {
        let mut job = Job::default();
        job.variable(TUNABLES, "glibc.malloc.check=3");
        tell_c_library(&mut job);
        assert_eq!(job.value_of(TUNABLES).unwrap(), "glibc.malloc.check=3:glibc.cpu.hwcaps=-ERMS");
    }

    #[test]
    fn what_was_inlined_is_asked_once_all_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let text =
            "positions: instr line\nevents: Ir\nob=/gone/prog\nfl=/gone/a.c\nfn=f\n0x10 1 5\ntotals: 5\n";
        fs::write(folder.path().join("callgrind.1"), text).unwrap();
        let decoder = CallgrindDecoder::new("/gone");
        for _ in 0..2 {
            let counted = decoder.count(folder.path()).unwrap();
            assert_eq!((counted.counts, counted.warnings), (vec![5], Vec::new()));
        }
        let [warning] = &decoder.warnings()[..] else { panic!("{:?}", decoder.warnings()) };
        assert_eq!(warning.kind, WarningKind::UnknownInlining);
    }

    #[test]
    fn percent_signs_in_a_folder_are_no_placeholders() {
        let folder = tempfile::tempdir().unwrap();
        let counters = folder.path().join("100%p");
        let job = job(&["x".into()], Path::new("/bin/true"), &counters).unwrap();
        let arguments: Vec<String> = job.arguments.iter().map(|a| a.to_string_lossy().into_owned()).collect();
        assert!(arguments[5].ends_with("/100%%p/callgrind.%p"), "{arguments:?}");
        assert_eq!(&arguments[7..], ["--", "/bin/true", "x"]);
    }
}
