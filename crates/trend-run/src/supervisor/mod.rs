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
mod post;
pub(crate) mod program;
mod sampler;
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

use self::post::Post;
pub(crate) use self::sampler::may_sample;
pub use self::signals::is_ignored;
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
            attend(post);
            ExitCode::SUCCESS
        }
        // Nobody is there who could be told why.
        None => ExitCode::from(2),
    }
}

/// Does what it is ordered to until nobody orders anything.
fn attend(post: Post) {
    loop {
        match wire::receive(&post.socket) {
            Ok(Order::Run(job)) => {
                let Some(answer) = program::run(&job, &post) else { break };
                if wire::send(&post.socket, &answer).is_err() {
                    break;
                }
            }
            // The run had ended when this was sent.
            Ok(Order::Stop) => {}
            Err(_) => break,
        }
    }
    let Post { handle, path, lock, .. } = post;
    drop(lock);
    scratch::remove_if_last(handle.as_fd(), &path);
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
