//! The scratch folder of a study's runs, `STUDY.run` next to the study: who owns it, and how it is removed.
//!
//! ```text
//!   s.trend.run/lock               marks the folder as ours; held while workloads of s.trend run
//! ```
//!
//! A foreign folder is never touched, whatever its name. Our folder is used through its open handle, so that a link in
//! its place cannot redirect a deletion. The tool and its supervisors share one lock, which is free when the last of
//! them ends.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{
    AtFlags, FlockOperation, Mode, OFlags, Stat, flock, fstat, lstat, mkdir, openat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, geteuid, pidfd_open, pidfd_send_signal};

use crate::error::RunError;
use crate::program::digest::Digest;

const LOCK: &str = "lock";

/// First line of the lock file.
const MARK: &[u8] = b"trend-prof: scratch folder of runs\n";

/// Maximum time to wait for a folder that an ending or killed tool still uses.
const PATIENCE: Duration = Duration::from_secs(5);

/// Interval between attempts while waiting.
const GLANCE: Duration = Duration::from_millis(20);

/// Maximum length of a file name in bytes.
const LONGEST_NAME: usize = 255;

/// The locked scratch folder of a study. It is removed on drop.
#[derive(Debug)]
pub(crate) struct LockedFolder {
    path: PathBuf,
    handle: OwnedFd,
    lock: File,
}

impl LockedFolder {
    /// Creates and locks the folder, and removes what a killed process left in it.
    ///
    /// # Errors
    /// [`RunError::NotScratch`] if the folder or file of that name is not ours. [`RunError::UnderWay`] if another tool
    /// uses the folder and keeps it.
    pub(crate) fn open(study: &Path) -> Result<Self, RunError> {
        Self::open_within(study, PATIENCE)
    }

    fn open_within(study: &Path, patience: Duration) -> Result<Self, RunError> {
        let path = path_of(study);
        let until = Instant::now() + patience;
        loop {
            if let Some(folder) = attempt(&path)? {
                return Ok(folder);
            }
            if Instant::now() >= until {
                return Err(RunError::UnderWay { study: study.to_owned() });
            }
            thread::sleep(GLANCE);
        }
    }

    /// The path that programs use.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    pub(crate) fn lock(&self) -> BorrowedFd<'_> {
        self.lock.as_fd()
    }
}

impl Drop for LockedFolder {
    fn drop(&mut self) {
        // The lock is still held. Another process that opens it meanwhile notices that it was removed.
        remove(self.handle(), &self.path);
    }
}

/// Tries once to open the folder. Returns `None` if another process uses it, or has just removed it.
fn attempt(path: &Path) -> Result<Option<LockedFolder>, RunError> {
    let failed = |e: Errno| RunError::Io { path: path.to_owned(), source: e.into() };
    let foreign = || RunError::NotScratch { folder: path.to_owned() };
    match mkdir(path, Mode::from_raw_mode(0o755)) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(failed(error)),
    }
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(handle) => handle,
        Err(Errno::LOOP | Errno::NOTDIR) => return Err(foreign()),
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if !has_lock(handle.as_fd()) && has_others(handle.as_fd()) {
        return Err(foreign());
    }
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let lock = match openat(&handle, LOCK, flags, Mode::from_raw_mode(0o666)) {
        Ok(lock) => File::from(lock),
        Err(Errno::LOOP | Errno::ISDIR | Errno::NXIO) => return Err(foreign()),
        // The previous user is removing the folder.
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    // The owner of a folder can replace anything that this process creates in it, so it must be ours.
    if fstat(&handle).map_err(failed)?.st_uid != geteuid().as_raw() {
        return Err(foreign());
    }
    // The lock of a foreign folder is not even taken.
    let Some(marked) = is_marked(&lock, handle.as_fd()) else { return Err(foreign()) };
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(failed(error)),
    }
    // The lock's folder may have been removed between the two calls.
    if !is_current(handle.as_fd(), path) || !is_lock_of(&lock, handle.as_fd()) {
        return Ok(None);
    }
    if marked {
        // The last user did not clean up, and may have left processes as well.
        kill_users_of(path);
        clear(handle.as_fd());
    } else {
        lock.write_all_at(MARK, 0).map_err(|source| RunError::Io { path: path.join(LOCK), source })?;
    }
    Ok(Some(LockedFolder { path: path.to_owned(), handle, lock }))
}

/// Returns true if the lock has our mark, false if it was just created, and `None` if it is foreign.
fn is_marked(lock: &File, folder: BorrowedFd<'_>) -> Option<bool> {
    let metadata = lock.metadata().ok().filter(fs::Metadata::is_file)?;
    if metadata.len() == 0 && !has_others(folder) {
        return Some(false);
    }
    let mut start = [0; MARK.len()];
    (lock.read_exact_at(&mut start, 0).is_ok() && start == *MARK).then_some(true)
}

/// Removes the folder unless another process holds its lock: the tool, another supervisor, or a tool that started
/// since. The caller must not hold the lock. If several end together, the last one gets it.
pub(crate) fn remove_if_last(handle: BorrowedFd<'_>, path: &Path) {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Ok(lock) = openat(handle, LOCK, flags, Mode::empty()) else { return };
    let lock = File::from(lock);
    if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() && is_lock_of(&lock, handle) {
        remove(handle, path);
    }
}

/// Removes the folder with everything in it. The caller must hold the lock.
fn remove(handle: BorrowedFd<'_>, path: &Path) {
    clear(handle);
    let is_here = is_current(handle, path);
    let _ = unlinkat(handle, LOCK, AtFlags::empty());
    if is_here {
        // Fails if another tool has created its lock there meanwhile.
        let _ = fs::remove_dir(path);
    }
}

/// Removes everything but the lock. Follows no links below the handle.
fn clear(handle: BorrowedFd<'_>) {
    for name in names(handle).filter(|name| name != LOCK) {
        let path = below(handle, &name);
        let is_folder = fs::symlink_metadata(&path).is_ok_and(|m| m.is_dir());
        let _ = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
}

fn has_lock(handle: BorrowedFd<'_>) -> bool {
    statat(handle, LOCK, AtFlags::SYMLINK_NOFOLLOW).is_ok()
}

fn has_others(handle: BorrowedFd<'_>) -> bool {
    names(handle).any(|name| name != LOCK)
}

fn names(handle: BorrowedFd<'_>) -> impl Iterator<Item = OsString> {
    fs::read_dir(below(handle, OsStr::new(".")))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name())
}

/// Returns a path that goes through the handle.
pub(crate) fn below(handle: BorrowedFd<'_>, name: &OsStr) -> PathBuf {
    Path::new("/proc/self/fd").join(handle.as_raw_fd().to_string()).join(name)
}

/// Returns true if the path still leads to the folder.
fn is_current(handle: BorrowedFd<'_>, path: &Path) -> bool {
    is_same(fstat(handle), lstat(path))
}

fn is_lock_of(lock: &File, handle: BorrowedFd<'_>) -> bool {
    is_same(fstat(lock), statat(handle, LOCK, AtFlags::SYMLINK_NOFOLLOW))
}

fn is_same(a: Result<Stat, Errno>, b: Result<Stat, Errno>) -> bool {
    matches!((a, b), (Ok(a), Ok(b)) if (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino))
}

/// Returns the folder next to the study, as an absolute path because runs have their own working directories.
fn path_of(study: &Path) -> PathBuf {
    const SUFFIX: &str = ".run";
    let study = std::path::absolute(study).unwrap_or_else(|_| study.to_owned());
    let mut name = study.file_name().map(OsString::from).unwrap_or_default();
    if name.len() + SUFFIX.len() > LONGEST_NAME {
        let digest = format!("-{}", &Digest::new().field(&name).finish()[..16]);
        let mut bytes = name.into_vec();
        bytes.truncate(LONGEST_NAME - SUFFIX.len() - digest.len());
        bytes.extend_from_slice(digest.as_bytes());
        name = OsString::from_vec(bytes);
    }
    name.push(SUFFIX);
    study.with_file_name(name)
}

/// Kills all processes that write counters below `folder`. They belong to a run that is over, and are left if the tool
/// and its supervisors were killed together.
///
/// A process is identified by its environment, because a recorded process id may belong to another process by now. The
/// process's handle is opened first, so that the signal reaches the same process.
fn kill_users_of(folder: &Path) {
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
mod tests;
