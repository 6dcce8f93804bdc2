//! Errors before and around the runs. A failed run is not an error, but an [`Outcome`](trend_profile::Outcome).

use std::io;
use std::path::{Path, PathBuf};

use trend_profile::StudyError;

use crate::program::instrumentation::Probe;

/// The reason why a build did not take place. A build whose command failed is not an error: see
/// [`BuildReport`](crate::BuildReport).
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Something is missing or cannot be written.
    #[error("{what}")]
    Failed {
        /// A clause that says what failed, and the cause.
        what: String,
        /// Advice; empty if there is none.
        help: String,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl BuildError {
    pub(crate) fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Failed { what: what.into(), help: help.into() }
    }

    /// Returns the error that the folder of the compiler shims, or a file in it, cannot be written.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        let help = "set XDG_CACHE_HOME or TMPDIR to a writable folder";
        Self::new(format!("cannot write {}: {error}", path.display()), help)
    }

    /// Returns advice, as a sentence.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Failed { help, .. } => Some(help.as_str()).filter(|help| !help.is_empty()),
            Self::Interrupted => None,
        }
    }
}

/// The reason why the workloads could not be run, or why the runs stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The configuration names no workload.
    #[error("{}: no workload", path.display())]
    NoWorkload {
        /// Path of the configuration.
        path: PathBuf,
        /// The patterns or keys that yielded no workload.
        what: String,
    },
    /// There are more workloads than allowed.
    #[error("{}: {count} workloads are too many; the limit is {limit}", path.display())]
    TooManyWorkloads {
        /// Path of the configuration.
        path: PathBuf,
        /// Number of workloads.
        count: u128,
        /// Maximum number.
        limit: u128,
    },
    /// The program's objects differ from those whose counts the study has.
    #[error("{}: the program was rebuilt since its first runs: {}: {what}", study.display(), object.display())]
    Rebuilt {
        /// Path of the study.
        study: PathBuf,
        /// Path of the notes that differ.
        object: PathBuf,
        /// The difference.
        what: String,
    },
    /// The lines that allocate memory cannot be recorded.
    #[error("memory by line cannot be recorded: {what}")]
    NoMemoryWatch {
        /// The cause.
        what: String,
    },
    /// The study has runs of another command.
    #[error("{} has runs of `{recorded}`, but this is `{command}`", study.display())]
    OtherCommand {
        /// Path of the study.
        study: PathBuf,
        /// The command of the recorded runs.
        recorded: String,
        /// The command to run now.
        command: String,
    },
    /// The study has counts of another kind.
    #[error("{} has {recorded}, but this run counts {wanted}", study.display())]
    OtherCounts {
        /// Path of the study.
        study: PathBuf,
        /// The kind of the recorded counts.
        recorded: String,
        /// The kind that this run would record.
        wanted: String,
    },
    /// The program was not built for the wanted measurements.
    #[error("{} was not built with `--probe {}`", program.display(), wanted.words())]
    BuiltOtherwise {
        /// Path of the program.
        program: PathBuf,
        /// The wanted measurements.
        wanted: Probe,
    },
    /// `memory` is set, but programs with the probe need more address space than it allows.
    #[error(
        "`memory` limits the address space to {limit} bytes, but programs with the probe reserve terabytes"
    )]
    LimitedProbe {
        /// The limit in bytes.
        limit: u64,
    },
    /// callgrind is to count, but valgrind cannot be started.
    #[error("valgrind cannot be started: {what}")]
    NoValgrind {
        /// The operating system's message.
        what: String,
    },
    /// Another process is running the same study's workloads.
    #[error("{}: another `trend-prof run` is writing this study", study.display())]
    UnderWay {
        /// Path of the study.
        study: PathBuf,
    },
    /// The path of the runs' scratch folder is taken by something else.
    #[error("{} exists and is not a scratch folder of trend-prof", folder.display())]
    NotScratch {
        /// The path that is taken.
        folder: PathBuf,
    },
    /// The process that supervises the runs cannot be started.
    #[error("cannot start {} as the supervisor of runs: {source}", path.display())]
    NoSupervisor {
        /// Path of the executable.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// A file of the runs cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// Path of the file or folder.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The study cannot be used.
    #[error(transparent)]
    Study(#[from] StudyError),
}

impl RunError {
    /// Returns advice, as a sentence that names the flag, file or command.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoWorkload { what, .. } => Some(what.clone()),
            Self::TooManyWorkloads { .. } => {
                Some("use fewer values in `workloads.parameters`; `x10` sets how many".to_owned())
            }
            Self::Rebuilt { .. } => Some(
                "discard the recorded runs with --fresh, or keep them and start a new study with `--study \
                 OTHER.trend`; counts of two builds cannot be mixed"
                    .to_owned(),
            ),
            Self::OtherCommand { .. } => Some(
                "start a new study with `--study OTHER.trend`, or discard the recorded runs with `--fresh`".to_owned(),
            ),
            Self::OtherCounts { .. } => Some(
                "start a new study with `--study OTHER.trend`, or discard the recorded runs with \
                 `--fresh`; costs of two kinds cannot be mixed"
                    .to_owned(),
            ),
            Self::BuiltOtherwise { wanted, .. } => Some(format!(
                "rebuild all of it: `make clean`, then `trend-prof build --probe {} -- make`; without \
                 --probe, `run` uses what the program measures",
                wanted.words()
            )),
            Self::LimitedProbe { .. } => Some(
                "remove `memory` and --memory; to limit the memory in use, run `systemd-run --user \
                 --scope -p MemoryMax=2G trend-prof run`"
                    .to_owned(),
            ),
            Self::NoValgrind { .. } => Some(
                "install it (`apt install valgrind`, `dnf install valgrind`), or build with `trend-prof build` and run \
                 without --counts callgrind"
                    .to_owned(),
            ),
            Self::UnderWay { .. } => {
                Some("wait for it, stop it, or use another study with `--study OTHER.trend`".to_owned())
            }
            Self::NotScratch { folder } => Some(format!(
                "rename or remove {} (it was not touched), or choose another study with --study",
                folder.display()
            )),
            Self::Io { .. } => {
                Some("the runs need a writable folder next to the study".to_owned())
            }
            Self::NoMemoryWatch { .. } => {
                Some("run without --memory-by-line to count without it".to_owned())
            }
            Self::NoSupervisor { .. } | Self::Study(_) => None,
        }
    }
}
