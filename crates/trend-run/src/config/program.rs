//! The program to build and to run.

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::values;
use crate::program::instrumentation::{
    CellSize, ClangCounters, Cost, Crates, Instrumentation, Metric, Probe, ProbeOptions, Update,
};
use crate::program::language::{Language, Packages};
use crate::words::placeholder::Template;
use crate::words::shell;

/// The way in which the program is built and run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub struct ProgramConfig {
    /// The command that builds the program; `None` if it is built elsewhere.
    #[serde(deserialize_with = "values::build")]
    pub build: Option<Vec<OsString>>,
    /// The language whose runtime counts; by default the command decides.
    pub language: Option<Language>,
    /// The code that is counted, for such a language.
    pub packages: Packages,
    /// The crates whose code is counted.
    pub crates: Crates,
    /// The way in which counters are updated.
    pub update: Update,
    /// The kind of counters that clang inserts.
    pub counters: ClangCounters,
    /// The measurements to take.
    pub probe: Probe,
    /// Size of a cell in bytes, the probe's unit for inputs; 4 by default.
    pub cell_size: CellSize,
    /// The probe's unit of costs.
    pub cost: Cost,
    /// The probe's definition of an input's size.
    pub metric: Metric,
    /// True if the probe keeps calls from different calling contexts apart.
    pub contexts: bool,
    /// The command that runs the program; never empty.
    #[serde(deserialize_with = "values::command")]
    pub command: Vec<Template>,
    /// The program's name. By default it is the file name of the command's first word. For `sh -c`, it is the file name
    /// of the one program in the folder that the script starts.
    pub name: String,
    /// The file for its standard input; empty by default.
    pub stdin: Option<Template>,
    /// Variables to add to its environment.
    #[serde(deserialize_with = "values::env")]
    pub env: Vec<(String, Template)>,
    /// Its working directory; by default the configuration's folder.
    pub cwd: Option<Template>,
    /// Time limit of a run; a longer run fails.
    #[serde(deserialize_with = "values::time")]
    pub timeout: Option<Duration>,
    /// Time after which SIGTERM ends a run that counts as finished, such as a server's.
    #[serde(deserialize_with = "values::time")]
    pub stop_after: Option<Duration>,
    /// Limit of the address space of each process of a run.
    #[serde(rename = "memory", deserialize_with = "values::bytes")]
    pub memory_bytes: Option<u64>,
    /// A build of the program without counters. It is timed in place of a copy of the instrumented program.
    pub timed: Option<PathBuf>,
    /// True if the lines that allocate memory are recorded.
    pub memory_by_line: bool,
    /// True if workloads are timed as well, which is the default.
    pub time: Option<bool>,
    /// Number of runs of each workload; 1 by default.
    pub repeat: Option<NonZeroU32>,
    /// Number of runs at the same time; by default the number of cores.
    pub jobs: Option<NonZeroUsize>,
    /// The exit codes that mean success; by default 0. For an end by a signal, the code is 128 plus the signal's
    /// number.
    pub exit_codes: Option<Vec<u8>>,
    /// True if the build adds debug information but no counters, for callgrind.
    #[serde(skip)]
    pub plain: bool,
}

/// Returns the program that a command starts. It is the first word or, for `sh -c SCRIPT`, the one program in the
/// folder that the script names.
pub(crate) fn started(command: &[OsString], folder: &Path) -> PathBuf {
    shell::program(command, folder).unwrap_or_else(|| command.first().map(PathBuf::from).unwrap_or_default())
}

impl ProgramConfig {
    /// Returns the instrumentation options of the build.
    pub fn instrumentation(&self) -> Instrumentation {
        let Self { update, counters, crates, plain, probe, cell_size, cost, metric, contexts, .. } = *self;
        let probe = ProbeOptions { what: probe, cell_size, cost, metric, contexts };
        Instrumentation { update, counters, crates, plain, probe }
    }

    /// Returns the number of runs of each workload; at least 1.
    pub fn repeat(&self) -> u32 {
        self.repeat.map_or(1, NonZeroU32::get)
    }

    /// Returns true if an exit code means success.
    pub fn succeeds_with(&self, code: i32) -> bool {
        self.exit_codes.as_ref().map_or(code == 0, |codes| codes.iter().any(|c| i32::from(*c) == code))
    }

    /// Returns the name of the program that a command starts.
    pub(super) fn name_of_command(command: &[OsString], folder: &Path) -> String {
        Language::program_name(command, folder).unwrap_or_else(|| Self::name_of(&started(command, folder)))
    }

    pub(super) fn name_of(program: &Path) -> String {
        program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
    }
}
