//! Standing in for a compiler: adds the flags that instrument and becomes the real one.

use std::convert::Infallible;
use std::ffi::{OsStr, OsString};

/// A compiler that this process was called as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The compiler's name, such as `gcc-12`.
    name: String,
}

/// Why the real compiler could not be called. Completes "failed to compile: …".
#[derive(Debug, thiserror::Error)]
pub enum ShimError {
    /// There is no real compiler of that name.
    #[error("{name}: no such compiler on PATH")]
    NoCompiler {
        /// The name.
        name: String,
    },
    /// It cannot be started.
    #[error("start {}: {source}", path.display())]
    NotStarted {
        /// The compiler.
        path: std::path::PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
}

/// Whether the first word of the command line names a compiler. To be called first in `main`; when
/// it gives a request, [`exec`] is all that is left to do.
pub fn requested(_argv0: Option<&OsStr>) -> Option<Request> {
    None
}

/// Becomes the compiler that was requested; comes back only with an error, for which the exit code
/// is 127.
///
/// # Errors
/// [`ShimError`] when there is no such compiler or it cannot be started.
pub fn exec(request: &Request, _arguments: impl Iterator<Item = OsString>) -> Result<Infallible, ShimError> {
    Err(ShimError::NoCompiler { name: request.name.clone() })
}
