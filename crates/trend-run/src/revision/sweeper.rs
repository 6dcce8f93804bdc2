//! Removes a checked out revision, however the tool ends. Also removes revisions that an earlier run of the tool left
//! behind.
//!
//! ```text
//!   trend-prof-diff-Xy/before.lock   held by the tool and its sweeper
//!   trend-prof-diff-Xy/before/       the worktree
//! ```
//!
//! The sweeper is a shell that waits for the end of a pipe and ignores Ctrl-C. The pipe ends with the tool, and the
//! sweeper then removes the worktree. If the sweeper is killed too, or the machine loses power, both files stay. The
//! lock is then free, and the next checkout in the repository removes them. A worktree without such a lock is never
//! touched.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::git;

/// Prefix of the folders in which `diff` checks out revisions.
pub const REVISIONS_PREFIX: &str = "trend-prof-diff-";

/// `$1` is the repository, `$2` the worktree and `$3` its lock. `$4` is the folder to remove as well if the tool ends
/// without saying goodbye. git or a build may still be writing then, so the worktree counts as removed once it stays
/// away for a second.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
away=0
read -r goodbye && away=1
for attempt in 1 2 3 4 5 6; do
    git -C "$1" -c core.hooksPath=/dev/null worktree remove --force --force -- "$2" >/dev/null 2>&1
    rm -rf -- "$2" 2>/dev/null
    if [ -e "$2" ]; then away=0; else away=$((away + 1)); fi
    [ "$away" -lt 2 ] || break
    sleep 1
done
git -C "$1" worktree prune >/dev/null 2>&1
rm -f -- "$3"
[ -n "$goodbye" ] || [ -z "$4" ] || rm -rf -- "$4"
"#;

/// A shell that removes a worktree when this value is dropped, or when the process ends.
#[derive(Debug)]
pub(super) struct Sweeper {
    shell: Child,
    repository: PathBuf,
    root: PathBuf,
    /// Held until the worktree is removed.
    _lock: File,
}

impl Sweeper {
    /// Starts the shell that removes the worktree at `root` when this process ends.
    pub(super) fn new(repository: &Path, root: &Path) -> io::Result<Self> {
        let lock_path = lock_of(root);
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&lock_path)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::Error(error) => error,
            TryLockError::WouldBlock => io::Error::from(io::ErrorKind::WouldBlock),
        })?;
        let folder = root.parent().filter(|folder| is_ours(folder)).unwrap_or(Path::new(""));
        let mut shell = Command::new("sh");
        shell.args(["-c", SCRIPT, "sh"]).args([repository, root, lock_path.as_path(), folder]);
        // The shell's stdout is the lock, which becomes free when the last process that has it open ends.
        shell.stdin(Stdio::piped()).stdout(lock.try_clone()?).stderr(Stdio::null()).process_group(0);
        let shell = shell.spawn()?;
        Ok(Self { shell, repository: repository.to_owned(), root: root.to_owned(), _lock: lock })
    }
}

impl Drop for Sweeper {
    fn drop(&mut self) {
        if let Some(mut pipe) = self.shell.stdin.take() {
            let _ = pipe.write_all(b"goodbye\n");
        }
        let is_swept = self.shell.wait().is_ok_and(|status| status.success());
        // The shell was killed.
        if !is_swept {
            remove(&self.repository, &self.root);
            let _ = git(&self.repository, ["worktree", "prune"]);
        }
    }
}

/// Removes a worktree with its lock, however much of it there is.
fn remove(repository: &Path, root: &Path) {
    let words = ["worktree", "remove", "--force", "--force", "--"].map(OsStr::new);
    let _ = git(repository, words.into_iter().chain([root.as_os_str()]));
    let _ = std::fs::remove_dir_all(root);
    let _ = std::fs::remove_file(lock_of(root));
}

/// Removes the worktrees of a repository that ended tools left behind.
pub(super) fn sweep(repository: &Path) {
    let Ok(list) = git(repository, ["worktree", "list", "--porcelain"]) else { return };
    let roots = list.lines().filter_map(|line| line.strip_prefix("worktree ")).map(PathBuf::from);
    for root in roots {
        let Some(folder) = root.parent().filter(|folder| is_ours(folder)) else { continue };
        let Ok(lock) = OpenOptions::new().write(true).open(lock_of(&root)) else { continue };
        if lock.try_lock().is_err() {
            continue;
        }
        // The worktree is in a folder with our prefix, and its owner has ended.
        remove(repository, &root);
        let has_other_lock = std::fs::read_dir(folder).is_ok_and(|mut entries| {
            entries.any(|entry| entry.is_ok_and(|e| e.path().extension().is_some_and(|e| e == "lock")))
        });
        if !has_other_lock {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
    let _ = git(repository, ["worktree", "prune"]);
}

fn lock_of(root: &Path) -> PathBuf {
    root.with_extension("lock")
}

fn is_ours(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(REVISIONS_PREFIX))
}
