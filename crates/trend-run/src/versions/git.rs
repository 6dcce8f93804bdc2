//! Calls git.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names of the worktrees in the folder.
pub(crate) const TREES: [&str; 2] = ["before", "after"];

/// The reason why revisions could not be checked out. Completes "failed to check out: …".
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    /// git is not installed, or the folder is not in a repository.
    #[error("{}: not in a git repository: {what}", folder.display())]
    NoRepository {
        /// Path of the folder.
        folder: PathBuf,
        /// git's message.
        what: String,
    },
    /// The folder cannot be created.
    #[error("cannot create the folder for the revisions: {0}")]
    NoFolder(String),
    /// The revision does not exist, or it cannot be checked out.
    #[error("revision {revision}: {what}")]
    Refused {
        /// The revision.
        revision: String,
        /// git's message.
        what: String,
    },
}

/// Returns the top folder of the repository around a folder, and the full commit hash of a revision.
pub(crate) fn commit(folder: &Path, revision: &str) -> Result<(PathBuf, String), RevisionError> {
    let no_repository = |what| RevisionError::NoRepository { folder: folder.to_owned(), what };
    let top = git(folder, ["rev-parse", "--show-toplevel"]).map_err(no_repository)?;
    let refused =
        |what: &str| RevisionError::Refused { revision: revision.to_owned(), what: what.to_owned() };
    // git would take a word that begins with a dash for an option.
    if revision.starts_with('-') {
        return Err(refused("not a revision"));
    }
    let commit = git(folder, ["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])
        .map_err(|_| refused("no such commit"))?;
    Ok((top.into(), commit))
}

/// Runs git and returns its trimmed output, or its error message.
pub(crate) fn git<W: AsRef<OsStr>>(
    folder: &Path,
    words: impl IntoIterator<Item = W>,
) -> Result<String, String> {
    git_bytes(folder, words).map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// Runs git and returns its exact output, or its error message.
pub(crate) fn git_bytes<W: AsRef<OsStr>>(
    folder: &Path,
    words: impl IntoIterator<Item = W>,
) -> Result<Vec<u8>, String> {
    let output = Command::new("git")
        .args(["-c", "core.hooksPath=/dev/null"])
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("failed to start git: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
}
