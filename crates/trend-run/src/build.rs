//! Runs a build with compilers that instrument.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitStatus;

use trend_profile::{StudyFile, Warning};

use crate::{BuildError, Config};

/// How counters are updated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// Atomically, so that the counts of several threads are exact.
    #[default]
    Atomic,
    /// Plainly: faster, and wrong for programs with threads.
    Single,
}

/// Where the build's stdout goes. Its stderr is always the caller's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BuildOutput {
    /// To the caller's stdout.
    #[default]
    Inherit,
    /// To the caller's stderr, where results have stdout for themselves.
    Stderr,
}

/// How to build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Where the command runs.
    pub folder: PathBuf,
    /// The executable that stands in for the compilers: it calls [`shim::requested`](crate::shim::requested).
    pub shim_binary: PathBuf,
    /// How counters are updated.
    pub update: Update,
    /// Where its output goes.
    pub output: BuildOutput,
}

/// A compiler that was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// The real one.
    pub path: PathBuf,
    /// The first line of what `--version` prints; empty when it prints none.
    pub version: String,
    /// How many of its calls were instrumented.
    pub calls: usize,
}

/// What a build did.
#[derive(Clone, Debug)]
pub struct BuildReport {
    /// How the command ended.
    pub status: ExitStatus,
    /// Sources that were compiled with instrumentation.
    pub compilations: usize,
    /// Calls that linked with instrumentation.
    pub links: usize,
    /// Calls that were left alone, by reason.
    pub passed_through: Vec<(String, usize)>,
    /// The compilers of instrumented calls, by path.
    pub compilers: Vec<Compiler>,
    /// What is doubtful, and what helps.
    pub warnings: Vec<Warning>,
}

/// Runs `command` with compilers that instrument.
///
/// A command of one word that contains blanks is a line for the shell.
///
/// # Errors
/// [`BuildError`] when it could not be started. A command that failed is in [`BuildReport::status`].
pub fn build(_command: &[OsString], _options: &BuildOptions) -> Result<BuildReport, BuildError> {
    Err(BuildError::NoCommand)
}

/// Why the configured build has to run before the workloads; `None` when there is no build command
/// or everything is up to date.
pub fn needs_build(_config: &Config, _study: Option<&StudyFile>) -> Option<String> {
    None
}
