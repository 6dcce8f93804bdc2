//! A revision of a git repository in a folder of its own, which goes when it is no longer needed.
//!
//! The user's own worktree is never touched: git checks the revision out elsewhere, as a worktree without a branch. No hooks of
//! the user run.

mod sweeper;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use self::sweeper::REVISIONS_PREFIX;
use self::sweeper::Sweeper;

/// Why there is no such folder. Completes "failed to check out: …".
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    /// git is not there, or the folder is in no repository.
    #[error("{}: git knows no repository here: {what}", folder.display())]
    NoRepository {
        /// The folder.
        folder: PathBuf,
        /// What git said.
        what: String,
    },
    /// There is no such revision, or it cannot be checked out.
    #[error("revision {revision}: {what}")]
    Refused {
        /// The revision.
        revision: String,
        /// What git said.
        what: String,
    },
}

/// A revision that is checked out.
#[derive(Debug)]
pub struct Checkout {
    /// Removes the worktree.
    _sweeper: Sweeper,
    /// The folder in it that corresponds to the one that was asked for.
    folder: PathBuf,
    commit: String,
}

impl Checkout {
    /// Checks out `revision` of the repository that `folder` is in, below the empty or missing folder `root`.
    ///
    /// # Errors
    /// [`RevisionError`] with what git said.
    pub fn new(folder: &Path, revision: &str, root: &Path) -> Result<Self, RevisionError> {
        let no_repository = |what| RevisionError::NoRepository { folder: folder.to_owned(), what };
        let below = git(folder, ["rev-parse", "--show-prefix"]).map_err(no_repository)?;
        let refused = |what| RevisionError::Refused { revision: revision.to_owned(), what };
        let (repository, commit) = commit(folder, revision)?;
        sweeper::sweep(&repository);
        let sweeper = Sweeper::new(&repository, root).map_err(|error| refused(error.to_string()))?;
        let words = ["worktree", "add", "--detach", "--force"].map(OsStr::new);
        let words = words.into_iter().chain([root.as_os_str(), OsStr::new(&commit)]);
        git(&repository, words).map_err(refused)?;
        let folder = root.join(below);
        Ok(Self { _sweeper: sweeper, folder, commit })
    }

    /// The folder in the revision that corresponds to the one that was asked for.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The commit, in full.
    pub fn commit(&self) -> &str {
        &self.commit
    }
}

/// The top folder of the repository around a folder, and the commit of a revision of it, in full.
pub(crate) fn commit(folder: &Path, revision: &str) -> Result<(PathBuf, String), RevisionError> {
    let no_repository = |what| RevisionError::NoRepository { folder: folder.to_owned(), what };
    let top = git(folder, ["rev-parse", "--show-toplevel"]).map_err(no_repository)?;
    let refused =
        |what: &str| RevisionError::Refused { revision: revision.to_owned(), what: what.to_owned() };
    // A word that begins with a dash would be an option.
    if revision.starts_with('-') {
        return Err(refused("is no revision"));
    }
    let commit = git(folder, ["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])
        .map_err(|_| refused("there is no such commit"))?;
    Ok((top.into(), commit))
}

/// What git writes, or what it complains of.
pub(crate) fn git<W: AsRef<OsStr>>(
    folder: &Path,
    words: impl IntoIterator<Item = W>,
) -> Result<String, String> {
    git_bytes(folder, words).map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// The same, to the byte.
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
        .map_err(|error| format!("git cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
}
