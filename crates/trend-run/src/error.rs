//! What can go wrong before and around the runs. A run that goes wrong is no error: it is an
//! [`Outcome`](trend_profile::Outcome).

use std::io;
use std::path::{Path, PathBuf};

use trend_profile::StudyError;

use crate::Probe;

/// Why a configuration cannot be used. Completes "failed to read the configuration: …".
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct ConfigError {
    what: String,
    help: String,
}

impl ConfigError {
    /// What is wrong where, and what helps, if anything does.
    pub(crate) fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into() }
    }

    /// Nothing fills in a placeholder of `FILE:LINE: key`, or of an argument of the command line.
    pub(crate) fn unknown_placeholder(place: &str, name: &str, known: &[String]) -> Self {
        let help = if known.is_empty() {
            "there are no placeholders without `workloads.files`, `workloads.generate` or \
             `workloads.parameters`; write {{ and }} for braces"
                .to_owned()
        } else {
            let known: Vec<String> = known.iter().map(|k| format!("{{{k}}}")).collect();
            format!("known here: {}; write {{{{ and }}}} for braces", known.join(", "))
        };
        Self::new(format!("{place}: unknown placeholder `{{{name}}}`"), help)
    }

    /// What helps, as a sentence that names the flag, file or key.
    pub fn hint(&self) -> Option<&str> {
        Some(self.help.as_str()).filter(|help| !help.is_empty())
    }
}

/// Why a build did not take place. A build that failed is no error: see [`BuildReport`](crate::BuildReport).
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Something is missing, or cannot be written.
    #[error("{what}")]
    Failed {
        /// What could not be done.
        what: String,
        /// What helps, or nothing.
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

    /// The folder with the compilers' stand-ins, or a file there, cannot be made.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        let help = "set XDG_CACHE_HOME or TMPDIR to a folder that can be written";
        Self::new(format!("write {}: {error}", path.display()), help)
    }

    /// What helps, as a sentence.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Failed { help, .. } => Some(help.as_str()).filter(|help| !help.is_empty()),
            Self::Interrupted => None,
        }
    }
}

/// Why the workloads could not be run, or not any further.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The configuration names no workload.
    #[error("{}: no workload", path.display())]
    NoWorkload {
        /// The configuration.
        path: PathBuf,
        /// What was looked for, and where.
        what: String,
    },
    /// More workloads than anybody means to run.
    #[error("{}: {count} workloads, and at most {limit} are possible", path.display())]
    TooManyWorkloads {
        /// The configuration.
        path: PathBuf,
        /// How many.
        count: u128,
        /// The limit.
        limit: u128,
    },
    /// The program's objects are not those that the study has counts of.
    #[error("{}: the program was rebuilt since its first runs: {}: {what}", study.display(), object.display())]
    Rebuilt {
        /// The study.
        study: PathBuf,
        /// The notes that differ.
        object: PathBuf,
        /// How they differ.
        what: String,
    },
    /// Which lines ask for memory cannot be recorded.
    #[error("memory by line cannot be recorded: {what}")]
    NoMemoryWatch {
        /// Why.
        what: String,
    },
    /// The study has runs of another command.
    #[error("{}: has runs of `{known}`, and this is `{command}`", study.display())]
    OtherCommand {
        /// The study.
        study: PathBuf,
        /// The command of its runs.
        known: String,
        /// The command that was to be run.
        command: String,
    },
    /// The study has counts of another kind.
    #[error("{}: has {known}, and this run counts {wanted}", study.display())]
    OtherCounts {
        /// The study.
        study: PathBuf,
        /// What its costs are.
        known: String,
        /// What they would be.
        wanted: String,
    },
    /// The program was not built to measure what is wanted.
    #[error("{}: was not built with `--probe {}`", program.display(), wanted.words())]
    BuiltOtherwise {
        /// The program.
        program: PathBuf,
        /// What is to be measured.
        wanted: Probe,
    },
    /// Programs with the probe would all end for lack of address space.
    #[error(
        "programs with the probe reserve terabytes of address space, and `memory` limits it to {limit} bytes"
    )]
    LimitedProbe {
        /// The limit.
        limit: u64,
    },
    /// callgrind is to count, and is not there.
    #[error("valgrind cannot be started: {what}")]
    NoValgrind {
        /// What the operating system said.
        what: String,
    },
    /// Another process runs the same study's workloads.
    #[error("{}: another `trend-prof run` of this study is under way", study.display())]
    UnderWay {
        /// The study.
        study: PathBuf,
    },
    /// Something is there under the name of the runs' scratch folder that is not theirs.
    #[error("{}: is in the way: the runs keep their scratch files under this name", folder.display())]
    NotScratch {
        /// What is there.
        folder: PathBuf,
    },
    /// The process that supervises runs cannot be started.
    #[error("start {} as a supervisor of runs: {source}", path.display())]
    NoSupervisor {
        /// The executable.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file of the runs cannot be written.
    #[error("write {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The study cannot be used.
    #[error(transparent)]
    Study(#[from] StudyError),
}

impl RunError {
    /// What helps, as a sentence that names the flag, file or command.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoWorkload { what, .. } => Some(what.clone()),
            Self::TooManyWorkloads { .. } => {
                Some("give fewer values in `workloads.parameters`: `x10` sets how many".to_owned())
            }
            Self::Rebuilt { .. } => Some(
                "counts of two builds are never mixed: the same command with --fresh forgets the recorded runs \
                 and starts again; `--study OTHER.trend` keeps them and starts a new study"
                    .to_owned(),
            ),
            Self::OtherCommand { .. } => Some(
                "`--study OTHER.trend` keeps the two apart; `--fresh` forgets the recorded runs".to_owned(),
            ),
            Self::OtherCounts { .. } => Some(
                "costs of two kinds are never mixed: `--study OTHER.trend` keeps the two apart, `--fresh` forgets the \
                 recorded runs"
                    .to_owned(),
            ),
            Self::BuiltOtherwise { wanted, .. } => Some(format!(
                "build it so, and all of it anew: `make clean`, and then `trend-prof build --probe {} -- make`; without \
                 --probe, `run` takes what the program measures",
                wanted.words()
            )),
            Self::LimitedProbe { .. } => Some(
                "leave out `memory` and --memory; `systemd-run --user --scope -p MemoryMax=2G trend-prof run` limits what is \
                 really used"
                    .to_owned(),
            ),
            Self::NoValgrind { .. } => Some(
                "install it (`apt install valgrind`, `dnf install valgrind`), or build with `trend-prof build` and run \
                 without --counts callgrind"
                    .to_owned(),
            ),
            Self::UnderWay { .. } => {
                Some("wait for it or stop it; `--study OTHER.trend` runs beside it".to_owned())
            }
            Self::NotScratch { folder } => Some(format!(
                "it was not touched: rename or remove {}, or name another study with --study",
                folder.display()
            )),
            Self::Io { .. } => {
                Some("the runs need a folder next to the study that can be written".to_owned())
            }
            Self::NoMemoryWatch { .. } => {
                Some("`run` without --memory-by-line counts without it".to_owned())
            }
            Self::NoSupervisor { .. } | Self::Study(_) => None,
        }
    }
}
