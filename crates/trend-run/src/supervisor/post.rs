//! What a supervisor has from the tool that started it.

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

/// What a supervisor works with.
pub(super) struct Post {
    pub(super) socket: UnixStream,
    /// The scratch folder.
    pub(super) handle: OwnedFd,
    pub(super) path: PathBuf,
    /// Held together with the tool and the other supervisors.
    pub(super) lock: OwnedFd,
    /// Whether programs are to have huge pages although this process has none.
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
        // No program is to inherit them, and the lock is to be free when this process lets go of it.
        let nothing = File::options().read(true).write(true).open("/dev/null")?;
        dup2_stdin(&nothing)?;
        dup2_stdout(&nothing)?;
        dup2_stderr(&nothing)?;
        set_child_subreaper(Some(rustix::process::getpid()))?;
        outlive_signals();
        Ok(post)
    }
}
