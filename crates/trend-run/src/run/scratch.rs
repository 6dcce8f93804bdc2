//! The folder in which runs keep what is theirs, `STUDY.run` next to the study.
//!
//! ```text
//!   s.trend.run/lock               held while workloads of s.trend are run
//!   s.trend.run/5f3a…/input        a generated input
//!   s.trend.run/5f3a…/counters/    what GCOV_PREFIX names; gone after the run
//!   s.trend.run/5f3a…/stdout …     what the program wrote
//! ```
//!
//! A workload's folder has the same name whenever it is run: programs look at their arguments, and
//! the length of a path can show in the counts.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::RunError;
use crate::digest::Digest;

/// The folder of all runs of one study, locked; goes with this value.
#[derive(Debug)]
pub(super) struct RunFolder {
    path: PathBuf,
    _lock: File,
}

impl RunFolder {
    /// Makes and locks the folder, and clears away what a killed process left there.
    pub(super) fn open(study: &Path) -> Result<Self, RunError> {
        let path = path_of(study);
        let lock_path = path.join("lock");
        let failed = |source| RunError::Io { path: path.clone(), source };
        loop {
            fs::create_dir_all(&path).map_err(failed)?;
            let lock = match File::options().create(true).append(true).open(&lock_path) {
                Ok(lock) => lock,
                // The one before us is removing the folder.
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                Err(source) => return Err(RunError::Io { path: lock_path, source }),
            };
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(RunError::UnderWay { study: study.to_owned() }),
                Err(TryLockError::Error(source)) => return Err(RunError::Io { path: lock_path, source }),
            }
            // It may be the lock of a folder that was removed between the two calls.
            let is_current = |a: io::Result<fs::Metadata>, b: io::Result<fs::Metadata>| matches!((a, b), (Ok(a), Ok(b)) if (a.dev(), a.ino()) == (b.dev(), b.ino()));
            if is_current(lock.metadata(), fs::metadata(&lock_path)) {
                kill_users_of(&path);
                clear(&path);
                return Ok(Self { path, _lock: lock });
            }
        }
    }

    /// The folder of one workload; it does not exist yet.
    pub(super) fn of_workload(&self, name: &str) -> PathBuf {
        self.path.join(&Digest::new().field(name).finish()[..16])
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // Still locked: whoever opens the lock meanwhile notices that it is gone.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// The folder next to the study, absolute: the runs have working directories of their own.
fn path_of(study: &Path) -> PathBuf {
    let study = std::path::absolute(study).unwrap_or_else(|_| study.to_owned());
    let mut name = study.file_name().map(OsString::from).unwrap_or_default();
    name.push(".run");
    study.with_file_name(name)
}

fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name() != "lock" {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Kills every process whose counters go below `folder`: it belongs to a run that is over.
///
/// The process is known by its environment and not by a number that was written down, which may be
/// another's by now. The handle is taken first, so that it is still the same process.
pub(super) fn kill_users_of(folder: &Path) {
    let mut mark = b"GCOV_PREFIX=".to_vec();
    mark.extend_from_slice(folder.as_os_str().as_bytes());
    mark.push(b'/');
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
        let Some(pid) = number.and_then(Pid::from_raw).filter(|pid| *pid != rustix::process::getpid()) else {
            continue;
        };
        let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
        let Ok(environment) = fs::read(entry.path().join("environ")) else { continue };
        if environment.split(|b| *b == 0).any(|variable| variable.starts_with(&mark)) {
            let _ = pidfd_send_signal(&handle, Signal::KILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_of_one_study_is_refused_and_leftovers_are_cleared() {
        let root = tempfile::tempdir().unwrap();
        let study = root.path().join("s.trend");
        let left = root.path().join("s.trend.run/0123");
        fs::create_dir_all(&left).unwrap();
        let folder = RunFolder::open(&study).unwrap();
        assert!(!left.exists());
        assert!(matches!(RunFolder::open(&study), Err(RunError::UnderWay { .. })));
        assert!(RunFolder::open(&root.path().join("t.trend")).is_ok());
        drop(folder);
        assert!(!root.path().join("s.trend.run").exists());
        assert!(RunFolder::open(&study).is_ok());
    }
}
