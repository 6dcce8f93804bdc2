//! Reasons why a module cannot be compiled.

use std::path::PathBuf;

/// Reason why a module could not be compiled. Completes "failed to probe: …".
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProbeError {
    #[error("{} is not bitcode of LLVM 22 or older: {reason}", path.display())]
    NotBitcode { path: PathBuf, reason: String },
    #[error("{} is code for {target}, but only x86-64 Linux can be probed", path.display())]
    OtherTarget { path: PathBuf, target: String },
    #[error("{what}: {reason}")]
    Llvm { what: &'static str, reason: String },
    #[error("cannot write {}: {reason}", path.display())]
    NotWritten { path: PathBuf, reason: String },
}
