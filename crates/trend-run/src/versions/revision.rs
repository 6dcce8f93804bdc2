//! Checks out revisions of a git repository in a separate folder, which is removed when it is no longer needed.
//!
//! The user's own worktree is never touched: git checks the revision out as another worktree, without a branch. The
//! user's hooks do not run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::git::{RevisionError, TREES, commit, git};
use super::sweeper::{self, Folder};

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
