//! Removes a checked out revision, however the tool ends, and those that an earlier tool left behind.
//!
//! ```text
//!   trend-prof-diff-Xy/before.lock   held by the tool and its sweeper
//!   trend-prof-diff-Xy/before/       the worktree
//! ```
//!
//! The sweeper is a shell that waits at the end of a pipe, out of the reach of Ctrl-C. The pipe ends with the tool, and the
//! sweeper then removes the worktree. A sweeper that was killed as well, or a machine that lost its power, leaves both: the lock is
//! free then, and the next checkout in the repository removes them. A worktree without such a lock is never touched.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::git;

/// The folders of `diff` are called so.
pub const REVISIONS_PREFIX: &str = "trend-prof-diff-";

/// `$1` is the repository, `$2` the worktree, `$3` its lock, and `$4` the folder that goes as well if the tool did not say
/// goodbye. git or a build may still write then: the worktree has gone if it stays away for a second.
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

/// A shell that removes a worktree when this value goes, or the process does.
#[derive(Debug)]
pub(super) struct Sweeper {
    shell: Child,
    /// Held until the worktree has gone.
    _lock: File,
}

impl Sweeper {
    /// Starts to wait for the end of this process, to remove the worktree at `root` then.
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
        // Its stdout is the lock, which is free when the last that has it open ends.
        shell.stdin(Stdio::piped()).stdout(lock.try_clone()?).stderr(Stdio::null()).process_group(0);
        Ok(Self { shell: shell.spawn()?, _lock: lock })
    }
}

impl Drop for Sweeper {
    fn drop(&mut self) {
        if let Some(mut pipe) = self.shell.stdin.take() {
            let _ = pipe.write_all(b"goodbye\n");
        }
        let _ = self.shell.wait();
    }
}

/// Removes the worktrees of a repository that tools left behind which are no more.
pub(super) fn sweep(repository: &Path) {
    let Ok(list) = git(repository, ["worktree", "list", "--porcelain"]) else { return };
    let roots = list.lines().filter_map(|line| line.strip_prefix("worktree ")).map(PathBuf::from);
    for root in roots {
        let Some(folder) = root.parent().filter(|folder| is_ours(folder)) else { continue };
        let Ok(lock) = OpenOptions::new().write(true).open(lock_of(&root)) else { continue };
        if lock.try_lock().is_err() {
            continue;
        }
        let words = ["worktree", "remove", "--force", "--force", "--"].map(OsStr::new);
        let _ = git(repository, words.into_iter().chain([root.as_os_str()]));
        // Below a folder that we named, and whose owner is gone.
        let _ = std::fs::remove_dir_all(&root);
        let _ = std::fs::remove_file(lock_of(&root));
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
