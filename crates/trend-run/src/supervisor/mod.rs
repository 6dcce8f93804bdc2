//! The process between the tool and the programs that it runs.
//!
//! ```text
//!   tool ──┬─ socket ─▶ supervisor ─▶ program ─▶ its processes
//!          │                ▲            │
//!          │                └─ orphans ◀─┘   whatever they did with sessions and groups
//!          └─ socket ─▶ supervisor ─▶ …      one for each run at once
//! ```
//!
//! A supervisor is the tool's own executable, started under another name. It does one run after another and answers
//! each when nothing of it is left. It takes in the orphans of the program, so that daemons are waited for, counted, and
//! ended before the next run begins. It lives as long as the tool: at the end of the socket it kills what there is below
//! it and clears the scratch folder away. When it ends itself, the kernel kills the program, and the tool takes in and
//! kills what the program left.
//!
//! It stays small, as the kernel counts what a process occupies when it forks as memory of the child: some 1 MB here. For
//! the same reason it forks, and never shares its memory with the child until that runs its program, as `posix_spawn`
//! does; and it has no huge pages, of which an allocator takes two before anything is done.

mod family;
mod output;
pub(crate) mod program;
pub(crate) mod tree;
pub(crate) mod wire;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{env, io};

use rustix::fs::{FileType, fstat};
use rustix::process::{set_child_subreaper, setsid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use rustix::thread::{disable_transparent_huge_pages, transparent_huge_pages_are_disabled};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use self::wire::Order;
use crate::run::scratch;

/// The first word of a supervisor's command line. The second is the scratch folder.
const NAME: &str = "trend-prof-supervisor";

/// The third word, when the supervisor alone is denied the huge pages that its programs may have.
const SMALL: &str = "small";

/// Whether this process was started as a supervisor, by the first word of its command line. To be asked first in `main`;
/// then [`supervise`] is all that is left to do.
pub fn requested(argv0: Option<&OsStr>) -> bool {
    argv0.is_some_and(|name| name == NAME)
}

/// The command that starts a supervisor: its standard streams are the socket, the scratch folder and the lock there.
pub(crate) fn command(
    executable: &OsStr,
    socket: UnixStream,
    folder: &scratch::RunFolder,
) -> io::Result<Command> {
    let mut command = Command::new(executable);
    command.arg0(NAME).arg(folder.path()).stdin(Stdio::from(OwnedFd::from(socket)));
    command.stdout(Stdio::from(folder.handle().try_clone_to_owned()?));
    command.stderr(Stdio::from(folder.lock().try_clone_to_owned()?));
    let is_small = matches!(transparent_huge_pages_are_disabled(), Ok(false));
    if is_small {
        command.arg(SMALL);
    }
    let hook = move || {
        // The terminal is the tool's, which says when to stop; and who ends the whole session is to leave somebody who
        // clears up.
        setsid()?;
        if is_small {
            // The allocator would have taken some before the first line of `main`.
            disable_transparent_huge_pages(true)?;
        }
        Ok(())
    };
    #[expect(unsafe_code, reason = "the only way to do something in the child before the program begins")]
    // SAFETY: the hook runs between fork and exec, where only async-signal-safe functions may be
    // called: it makes system calls without libc, and neither allocates nor locks.
    unsafe {
        command.pre_exec(hook);
    }
    Ok(command)
}

/// Runs what the tool orders until the tool is gone.
pub fn supervise() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let folder = arguments.next();
    let is_small = arguments.next().is_some_and(|word| word == SMALL);
    match folder.and_then(|folder| Post::take(folder, is_small).ok()) {
        Some(post) => {
            post.attend();
            ExitCode::SUCCESS
        }
        // Nobody is there who could be told why.
        None => ExitCode::from(2),
    }
}

/// What a supervisor works with.
struct Post {
    socket: UnixStream,
    /// The scratch folder.
    handle: OwnedFd,
    path: PathBuf,
    /// Held together with the tool and the other supervisors.
    lock: OwnedFd,
    /// Whether programs are to have huge pages although this process has none.
    is_small: bool,
}

impl Post {
    fn take(path: OsString, is_small: bool) -> io::Result<Self> {
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

    fn attend(self) {
        loop {
            match wire::receive(&self.socket) {
                Ok(Order::Run(job)) => {
                    let Some(answer) = program::run(&job, &self) else { break };
                    if wire::send(&self.socket, &answer).is_err() {
                        break;
                    }
                }
                // The run had ended when this was sent.
                Ok(Order::Stop) => {}
                Err(_) => break,
            }
        }
        let Self { handle, path, lock, .. } = self;
        drop(lock);
        scratch::remove_if_last(handle.as_fd(), &path);
    }
}

/// Lets signals pass that are meant for the tool, such as those that go to all processes of a service or a name. They are
/// caught and not ignored: what a process ignores, the programs that it starts ignore as well. For the same reason those
/// that this process was started to ignore, by nohup, stay ignored.
fn outlive_signals() {
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        if !is_ignored(signal) {
            let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
        }
    }
}

/// Whether this process ignores a signal, as those do that nohup started.
pub fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    (1..=64).contains(&signal) && mask & (1 << (signal - 1)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_tells_a_supervisor_from_the_tool() {
        assert!(requested(Some(OsStr::new(NAME))));
        assert!(!requested(Some(OsStr::new("/usr/bin/trend-prof"))));
        assert!(!requested(None));
    }

    #[test]
    fn signals_that_are_ignored_are_known() {
        // The standard library lets every program ignore it.
        assert!(is_ignored(signal_hook::consts::SIGPIPE));
        assert!(!is_ignored(signal_hook::consts::SIGUSR1));
        assert!(!is_ignored(0));
    }
}
