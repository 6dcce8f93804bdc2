//! Removes the folder in which revisions are checked out, however the tool ends. Also removes folders that an earlier
//! run of the tool left behind.
//!
//! ```text
//!   trend-prof-diff-Xy/lock      held by the tool
//!   trend-prof-diff-Xy/before/   a worktree
//!   trend-prof-diff-Xy/after/    a worktree
//! ```
//!
//! The sweeper is a shell that waits for the end of a pipe and ignores Ctrl-C. The pipe ends with the tool, and the
//! sweeper then removes the folder with its worktrees. It starts before the folder is created. If the sweeper is killed
//! too, or the machine loses power, the folder stays. The lock is then free, and the next checkout in the repository
//! removes the folder if it has a worktree. A worktree without such a lock is never touched, and neither is one whose
//! folder is away, such as on a disk that is not mounted.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::git::{TREES, git};

/// Prefix of the folders in which revisions are checked out.
const PREFIX: &str = "trend-prof-diff-";

const LOCK: &str = "lock";

/// Script of the process that removes a folder. `$1` is the repository, `$2` the folder, and the other arguments are
/// its worktrees. If the tool ended without writing a goodbye, git or a build may still be writing. The folder then
/// counts as removed only if it is still absent a second later.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
repository=$1 folder=$2 away=0
shift 2
read -r created || exit 0
read -r goodbye && away=1
for attempt in 1 2 3 4 5 6; do
    rm -rf -- "$folder" 2>/dev/null
    for tree; do
        git -C "$repository" -c core.hooksPath=/dev/null worktree remove --force --force -- "$tree" >/dev/null 2>&1
    done
    if [ -e "$folder" ]; then away=0; else away=$((away + 1)); fi
    [ "$away" -lt 2 ] || break
    sleep 1
done
[ ! -e "$folder" ]
"#;

/// A folder for revisions, which is removed when this value is dropped, or when the process ends.
#[derive(Debug)]
pub(super) struct Folder {
    sweeper: Child,
    repository: PathBuf,
    path: PathBuf,
    /// Held until this process ends.
    _lock: File,
}

impl Folder {
    /// Creates a folder in the system's folder for temporary files.
    pub(super) fn new(repository: &Path) -> io::Result<Self> {
        let created = |path: &Path| {
            let mut sweeper = sweeper(repository, path)?;
            // If the folder belongs to another process, the shell ends without removing it.
            DirBuilder::new().mode(0o700).create(path)?;
            sweeper.stdin.as_mut().map_or(Ok(()), |pipe| pipe.write_all(b"created\n"))?;
            Ok(sweeper)
        };
        // git runs in another folder and needs an absolute path.
        let parent = std::path::absolute(std::env::temp_dir())?;
        let folder = tempfile::Builder::new().prefix(PREFIX).make_in(parent, created)?;
        let (sweeper, path) = folder.into_parts();
        let path = path.keep().map_err(|error| error.error)?;
        let lock = File::create(path.join(LOCK))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::Error(error) => error,
            TryLockError::WouldBlock => io::Error::from(io::ErrorKind::WouldBlock),
        })?;
        Ok(Self { sweeper, repository: repository.to_owned(), path, _lock: lock })
    }

    /// Returns the top folder of the repository.
    pub(super) fn repository(&self) -> &Path {
        &self.repository
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Starts the shell that removes a folder when this process ends.
pub(crate) fn sweeper(repository: &Path, folder: &Path) -> io::Result<Child> {
    let mut shell = Command::new("sh");
    shell.args(["-c", SCRIPT, "sh"]).args([repository, folder]).args(TREES.map(|tree| folder.join(tree)));
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn()
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some(mut pipe) = self.sweeper.stdin.take() {
            let _ = pipe.write_all(b"goodbye\n");
        }
        // The shell was killed.
        if !self.sweeper.wait().is_ok_and(|status| status.success()) {
            remove(&self.repository, &self.path);
        }
    }
}

/// Removes a folder with its worktrees, even if it is incomplete.
fn remove(repository: &Path, folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    for tree in TREES.map(|tree| folder.join(tree)) {
        let words = ["worktree", "remove", "--force", "--force", "--"].map(OsStr::new);
        let _ = git(repository, words.into_iter().chain([tree.as_os_str()]));
    }
}

/// Removes the folders with worktrees of a repository that tools left behind when they ended.
pub(super) fn sweep(repository: &Path) {
    let Ok(list) = git(repository, ["worktree", "list", "--porcelain"]) else { return };
    let trees = list.lines().filter_map(|line| line.strip_prefix("worktree ")).map(Path::new);
    let trees = trees.filter(|tree| TREES.iter().any(|name| tree.ends_with(name)));
    for folder in trees.filter_map(Path::parent).filter(|folder| is_ours(folder)) {
        let Ok(lock) = OpenOptions::new().write(true).open(folder.join(LOCK)) else { continue };
        if lock.try_lock().is_ok() {
            remove(repository, folder);
        }
    }
}

fn is_ours(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
}
