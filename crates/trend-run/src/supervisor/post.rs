//! Takes over the resources that the tool passes to a supervisor.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use rustix::fs::{FileType, fstat};
use rustix::process::set_child_subreaper;
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use super::signals::outlive_signals;

/// The resources of a supervisor.
pub(super) struct Post {
    pub(super) socket: UnixStream,
    /// Handle of the scratch folder.
    pub(super) handle: OwnedFd,
    pub(super) path: PathBuf,
    /// The lock that the tool and its supervisors share.
    pub(super) lock: OwnedFd,
    /// True if programs may have huge pages although this process may not.
    pub(super) is_small: bool,
}

impl Post {
    pub(super) fn take(path: OsString, is_small: bool) -> io::Result<Self> {
        let owned = |fd: BorrowedFd<'_>| fd.try_clone_to_owned();
        let socket = owned(io::stdin().as_fd())?;
        if FileType::from_raw_mode(fstat(&socket)?.st_mode) != FileType::Socket {
            return Err(io::ErrorKind::NotConnected.into());
        }
        let post = Self {
            socket: UnixStream::from(socket),
            handle: owned(io::stdout().as_fd())?,
            lock: owned(io::stderr().as_fd())?,
            path: PathBuf::from(path),
            is_small,
        };
        // No program may inherit the streams, and the lock must become free when this process drops it.
        let nothing = File::options().read(true).write(true).open("/dev/null")?;
        dup2_stdin(&nothing)?;
        dup2_stdout(&nothing)?;
        dup2_stderr(&nothing)?;
        set_child_subreaper(Some(rustix::process::getpid()))?;
        outlive_signals();
        Ok(post)
    }
}
