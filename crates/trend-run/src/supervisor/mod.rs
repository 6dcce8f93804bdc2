//! The supervisor: a process between the tool and the programs that it runs.
//!
//! ```text
//!   tool ──┬─ socket ─▶ supervisor ─▶ program ─▶ its processes
//!          │                ▲            │
//!          │                └─ orphans ◀─┘   whatever they did with sessions and groups
//!          └─ socket ─▶ supervisor ─▶ …      one for each run at once
//! ```
//!
//! A supervisor is the tool's own executable, started under another name. It does one run after another, and answers
//! each when none of its processes are left. It adopts the program's orphans, so that daemons are waited for, counted,
//! and ended before the next run begins. A supervisor lives as long as the tool. At the end of the socket, it kills its
//! descendants and removes the scratch folder. If the supervisor itself ends, the kernel kills the program, and the
//! tool adopts and kills the remaining processes.
//!
//! A supervisor stays small (about 1 MB), because the kernel counts its memory as the child's when it forks. For this
//! reason it forks, instead of sharing its memory with the child until that runs its program, as `posix_spawn` does. It
//! also has no huge pages, of which an allocator takes two at the start.

mod family;
pub(crate) mod folder;
mod output;
mod post;
pub(crate) mod program;
pub(crate) mod sampler;
mod signals;
pub(crate) mod tree;
pub(crate) mod wire;

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::{env, io};

use rustix::process::setsid;
use rustix::thread::{disable_transparent_huge_pages, transparent_huge_pages_are_disabled};

use self::folder::{LockedFolder, remove_if_last};
use self::post::Post;
use self::wire::Order;

pub use self::signals::is_ignored;

/// First word of a supervisor's command line. The second is the scratch folder.
const NAME: &str = "trend-prof-supervisor";

/// Third word, if only the supervisor is denied huge pages, but its programs may have them.
const SMALL: &str = "small";

/// Returns true if this process was started as a supervisor, judged by the first word of its command line. Must be
/// called first in `main`; if true, only [`supervise`] is left to do.
pub fn requested(argv0: Option<&OsStr>) -> bool {
    argv0.is_some_and(|name| name == NAME)
}

/// Creates the command that starts a supervisor. Its standard streams are the socket, the scratch folder and its lock.
pub(crate) fn command(executable: &OsStr, socket: UnixStream, folder: &LockedFolder) -> io::Result<Command> {
    let mut command = Command::new(executable);
    command.arg0(NAME).arg(folder.path()).stdin(Stdio::from(OwnedFd::from(socket)));
    command.stdout(Stdio::from(folder.handle().try_clone_to_owned()?));
    command.stderr(Stdio::from(folder.lock().try_clone_to_owned()?));
    let is_small = matches!(transparent_huge_pages_are_disabled(), Ok(false));
    if is_small {
        command.arg(SMALL);
    }
    let hook = move || {
        // The terminal belongs to the tool, which decides when to stop. If the whole session is ended, the supervisor
        // must survive to clean up.
        setsid()?;
        if is_small {
            // Done here, because the allocator would already have huge pages before the first line of `main`.
            disable_transparent_huge_pages(true)?;
        }
        Ok(())
    };
    #[expect(unsafe_code, reason = "the only way to do something in the child before the program begins")]
    // SAFETY: the hook runs between fork and exec, where only async-signal-safe functions are allowed. It makes system
    // calls without libc, and neither allocates nor locks.
    unsafe {
        command.pre_exec(hook);
    }
    Ok(command)
}

/// Executes the tool's orders until the tool is gone.
pub fn supervise() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let folder = arguments.next();
    let is_small = arguments.next().is_some_and(|word| word == SMALL);
    match folder.and_then(|folder| Post::take(folder, is_small).ok()) {
        Some(post) => {
            attend(post);
            ExitCode::SUCCESS
        }
        // There is no tool to which the error could be reported.
        None => ExitCode::from(2),
    }
}

/// Executes orders until the socket closes.
fn attend(post: Post) {
    loop {
        match wire::receive(&post.socket) {
            Ok(Order::Run(job)) => {
                let Some(answer) = program::run(&job, &post) else { break };
                if wire::send(&post.socket, &answer).is_err() {
                    break;
                }
            }
            // The run had already ended when this order was sent.
            Ok(Order::Stop) => {}
            Err(_) => break,
        }
    }
    let Post { handle, path, lock, .. } = post;
    drop(lock);
    remove_if_last(handle.as_fd(), &path);
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
}
