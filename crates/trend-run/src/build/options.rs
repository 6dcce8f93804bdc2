//! Options of a build.

use std::path::PathBuf;

use crate::program::instrumentation::Instrumentation;

/// The destination of the build's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BuildOutput {
    /// The caller's stdout and stderr.
    #[default]
    Inherit,
    /// The caller's stderr, if its stdout is reserved for results.
    Stderr,
    /// The string [`BuildReport::output`](crate::BuildReport::output), which keeps the output.
    Kept,
}

/// Options of a build.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// The folder in which the command runs.
    pub folder: PathBuf,
    /// The executable that stands in for the compilers. It must call [`shim::requested`](crate::shim::requested) first.
    pub shim_binary: PathBuf,
    /// The cache folder, with a separate folder of shims for each executable. The default is `trend-prof` in
    /// `$XDG_CACHE_HOME` or `~/.cache`.
    pub cache: Option<PathBuf>,
    /// The code to instrument, and the way to do it.
    pub instrument: Instrumentation,
    /// The destination of the build's output.
    pub output: BuildOutput,
    /// The folder for temporary files of the build and of compilers. By default, the system's folder.
    pub temporary: Option<PathBuf>,
}
