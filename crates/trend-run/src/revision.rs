//! Checks out revisions of a git repository in a separate folder, which is removed when it is no longer needed.
//!
//! The user's own worktree is never touched: git checks the revision out as another worktree, without a branch. The
//! user's hooks do not run.

mod sweeper;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use self::sweeper::Folder;

/// Names of the worktrees in the folder.
const TREES: [&str; 2] = ["before", "after"];

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

/// A folder in which two revisions are checked out. It is removed with all its content on drop.
#[derive(Debug)]
pub struct Revisions {
    scratch: Folder,
    /// Path of the requested folder below the top of the repository.
    below: String,
    commits: [String; 2],
}

impl Revisions {
    /// Creates the folder for two revisions of the repository that contains `folder`. Nothing is checked out yet.
    ///
    /// # Errors
    /// [`RevisionError`] with the message of git or of the system.
    pub fn new(folder: &Path, revisions: [&str; 2]) -> Result<Self, RevisionError> {
        let no_repository = |what| RevisionError::NoRepository { folder: folder.to_owned(), what };
        let below = git(folder, ["rev-parse", "--show-prefix"]).map_err(no_repository)?;
        let ((repository, before), (_, after)) =
            (commit(folder, revisions[0])?, commit(folder, revisions[1])?);
        sweeper::sweep(&repository);
        let scratch = Folder::new(&repository).map_err(|error| RevisionError::NoFolder(error.to_string()))?;
        Ok(Self { scratch, below, commits: [before, after] })
    }

    /// Checks out the first or the second revision. Returns the folder that corresponds to the requested one.
    ///
    /// # Errors
    /// [`RevisionError`] with git's message.
    pub fn check_out(&self, which: usize) -> Result<PathBuf, RevisionError> {
        let (tree, commit) = (self.scratch.path().join(TREES[which]), &self.commits[which]);
        let words = ["worktree", "add", "--detach", "--force"].map(OsStr::new);
        let words = words.into_iter().chain([tree.as_os_str(), OsStr::new(commit)]);
        let refused = |what| RevisionError::Refused { revision: commit.clone(), what };
        git(self.scratch.repository(), words).map_err(refused)?;
        Ok(tree.join(&self.below))
    }

    /// Returns the full commit hash of the first or the second revision.
    pub fn commit(&self, which: usize) -> &str {
        &self.commits[which]
    }

    /// Returns the path of the folder. The caller may create files in it, but not with the names "before", "after" and
    /// "lock".
    pub fn path(&self) -> &Path {
        self.scratch.path()
    }
}

/// Returns the top folder of the repository around a folder, and the full commit hash of a revision.
pub(crate) fn commit(folder: &Path, revision: &str) -> Result<(PathBuf, String), RevisionError> {
    let no_repository = |what| RevisionError::NoRepository { folder: folder.to_owned(), what };
    let top = git(folder, ["rev-parse", "--show-toplevel"]).map_err(no_repository)?;
    let refused =
        |what: &str| RevisionError::Refused { revision: revision.to_owned(), what: what.to_owned() };
    // git would take a word that begins with a dash for an option.
    if revision.starts_with('-') {
        return Err(refused("is not a revision"));
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
