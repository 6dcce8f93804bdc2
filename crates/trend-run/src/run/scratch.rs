//! The folder in which runs keep what is theirs, `STUDY.run` next to the study.
//!
//! ```text
//!   s.trend.run/lock               says whose folder it is; held while workloads of s.trend are run
//!   s.trend.run/5f3a…/input        a generated input
//!   s.trend.run/5f3a…/counters/    what GCOV_PREFIX names; gone after the run
//!   s.trend.run/5f3a…/stdout …     what the program wrote
//! ```
//!
//! A workload's folder has the same name whenever it is run: programs look at their arguments, and
//! the length of a path can show in the counts.
//!
//! A folder that is not ours is never touched, whatever its name. Ours is used by way of its open handle: a link that
//! takes the folder's place leads no deletion elsewhere. The tool and its supervisors hold one lock together, which is free
//! when the last of them is done.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write as _};
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

use crate::RunError;
use crate::digest::Digest;
use crate::supervisor::wire::Output;

const LOCK: &str = "lock";

/// The first line of the lock.
const MARK: &[u8] = b"trend-prof: scratch folder of runs\n";

/// How long a folder may still be in use by a tool that is ending or was killed.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is looked at meanwhile.
const GLANCE: Duration = Duration::from_millis(20);

/// The longest name of a file.
const LONGEST_NAME: usize = 255;

/// The folder of all runs of one study, locked; goes with this value.
#[derive(Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
    handle: OwnedFd,
    lock: File,
}

/// The folder of one workload.
#[derive(Clone, Debug)]
pub(super) struct WorkloadFolder {
    /// Its name in the scratch folder.
    pub(super) name: OsString,
    /// Where programs find it.
    pub(super) path: PathBuf,
    /// Where this process makes and removes files of it: by way of the handle of the scratch folder.
    pub(super) handle: PathBuf,
}

impl WorkloadFolder {
    /// A file of it that a program writes to, of which `keep` bytes at the end are of use.
    pub(super) fn output(&self, file: &str, keep: Option<u64>) -> Output {
        Output { path: Path::new(&self.name).join(file).into(), keep }
    }

    /// Whether there is room at the end of a file that is done with. Programs and the runtimes of their counters often ignore that a write failed: on
    /// a full disk a run ends well, and what it wrote is cut off.
    ///
    /// # Errors
    /// There is none, or the disk fails otherwise.
    pub(super) fn check_room(&self, file: impl AsRef<Path>) -> io::Result<()> {
        let mut file = File::options().append(true).create(true).open(self.handle.join(file))?;
        file.write_all(&[0; ROOM])
    }
}

/// A write that fails for want of room has filled the disk to its last block; a journal may need some more.
const ROOM: usize = 16 << 10;

impl RunFolder {
    /// Makes and locks the folder, and clears away what a killed process left there.
    ///
    /// # Errors
    /// [`RunError::NotScratch`] when a folder or file of that name is somebody else's, [`RunError::UnderWay`] when another
    /// tool has the folder and keeps it.
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

    /// Where programs find it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    pub(crate) fn lock(&self) -> BorrowedFd<'_> {
        self.lock.as_fd()
    }

    /// The folder of one workload; it does not exist yet.
    pub(super) fn of_workload(&self, workload: &str) -> WorkloadFolder {
        let name = OsString::from(&Digest::new().field(workload).finish()[..16]);
        let (path, handle) = (self.path.join(&name), below(self.handle(), &name));
        WorkloadFolder { name, path, handle }
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // Still locked: whoever opens the lock meanwhile notices that it is gone.
        remove(self.handle(), &self.path);
    }
}

/// One try; `None` where somebody has the folder, or has just removed it.
fn attempt(path: &Path) -> Result<Option<RunFolder>, RunError> {
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
        // The one before us is removing the folder.
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    // Whose folder it is can put anything into the place of what this process makes there.
    if fstat(&handle).map_err(failed)?.st_uid != geteuid().as_raw() {
        return Err(foreign());
    }
    // The lock of somebody else's folder is not even taken.
    let Some(marked) = is_marked(&lock, handle.as_fd()) else { return Err(foreign()) };
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(failed(error)),
    }
    // It may be the lock of a folder that was removed between the two calls.
    if !is_current(handle.as_fd(), path) || !is_lock_of(&lock, handle.as_fd()) {
        return Ok(None);
    }
    if marked {
        // Its last user did not clear it away, and may have left processes as well.
        kill_users_of(path);
        clear(handle.as_fd());
    } else {
        lock.write_all_at(MARK, 0).map_err(|source| RunError::Io { path: path.join(LOCK), source })?;
    }
    Ok(Some(RunFolder { path: path.to_owned(), handle, lock }))
}

/// Whether it has our mark or was just made; `None` for somebody else's.
fn is_marked(lock: &File, folder: BorrowedFd<'_>) -> Option<bool> {
    let metadata = lock.metadata().ok().filter(fs::Metadata::is_file)?;
    if metadata.len() == 0 && !has_others(folder) {
        return Some(false);
    }
    let mut start = [0; MARK.len()];
    (lock.read_exact_at(&mut start, 0).is_ok() && start == *MARK).then_some(true)
}

/// Removes the folder unless somebody else has its lock: the tool, another supervisor, or a tool that began since. To be
/// called without having it; when several end together, the last one gets it.
pub(crate) fn remove_if_last(handle: BorrowedFd<'_>, path: &Path) {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Ok(lock) = openat(handle, LOCK, flags, Mode::empty()) else { return };
    let lock = File::from(lock);
    if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() && is_lock_of(&lock, handle) {
        remove(handle, path);
    }
}

/// Removes the folder with everything in it; whoever calls it has the lock.
fn remove(handle: BorrowedFd<'_>, path: &Path) {
    clear(handle);
    let is_here = is_current(handle, path);
    let _ = unlinkat(handle, LOCK, AtFlags::empty());
    if is_here {
        // Fails where another tool has made its lock there meanwhile.
        let _ = fs::remove_dir(path);
    }
}

/// Removes everything but the lock. Below the handle no link is followed.
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

/// A path that leads through the handle.
fn below(handle: BorrowedFd<'_>, name: &OsStr) -> PathBuf {
    Path::new("/proc/self/fd").join(handle.as_raw_fd().to_string()).join(name)
}

/// Whether a path still leads to the folder.
fn is_current(handle: BorrowedFd<'_>, path: &Path) -> bool {
    is_same(fstat(handle), lstat(path))
}

fn is_lock_of(lock: &File, handle: BorrowedFd<'_>) -> bool {
    is_same(fstat(lock), statat(handle, LOCK, AtFlags::SYMLINK_NOFOLLOW))
}

fn is_same(a: Result<Stat, Errno>, b: Result<Stat, Errno>) -> bool {
    matches!((a, b), (Ok(a), Ok(b)) if (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino))
}

/// The folder next to the study, absolute: the runs have working directories of their own.
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

/// Kills every process whose counters go below `folder`: it belongs to a run that is over. They are left when the tool and
/// its supervisors were killed at one blow.
///
/// The process is known by its environment and not by a number that was written down, which may be
/// another's by now. The handle is taken first, so that it is still the same process.
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
