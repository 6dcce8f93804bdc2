//! One process with its group: started, watched, ended, measured.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, kill_process_group, pidfd_open, setrlimit,
    test_kill_process_group,
};
use trend_profile::Usage;
use wait4::Wait4;

use super::Stop;

/// How often a wait looks whether the caller wants to stop. The end of the process itself is
/// noticed at once.
const WATCH: Duration = Duration::from_millis(50);

/// How long processes may take to end after SIGTERM.
const GRACE: Duration = Duration::from_millis(200);

/// How long processes may take to end that are to be counted: servers finish what they are at.
const STOP_GRACE: Duration = Duration::from_secs(10);

/// How long processes may outlive the one that started them.
const LINGER: Duration = Duration::from_secs(2);

/// What a run may use.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    pub(super) timeout: Option<Duration>,
    /// When a run has done what it was to do, and is ended.
    pub(super) stop_after: Option<Duration>,
    pub(super) memory_bytes: Option<u64>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Exited(i32),
    Signaled(i32),
    TimedOut,
    Cancelled,
    /// It was ended when its time had come, and ended in order.
    Stopped,
}

/// How a process ended and what it used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    pub(super) end: End,
    pub(super) usage: Usage,
    /// Whether processes of its group had to be killed after it.
    pub(super) left_processes: bool,
}

/// Runs a command in a process group of its own until it ends or has to be ended.
///
/// # Errors
/// When it cannot be started or watched; then nothing of it is left.
pub(super) fn run(mut command: Command, limits: Limits, stop: &Stop<'_>) -> io::Result<Ended> {
    command.process_group(0);
    limit_memory(&mut command, limits.memory_bytes);
    let begin = Instant::now();
    let deadline = limits.timeout.and_then(|t| begin.checked_add(t));
    let stopping = limits.stop_after.and_then(|t| begin.checked_add(t));
    let mut child = command.spawn()?;
    let group = Pid::from_child(&child);
    let watched = pidfd_open(group, PidfdFlags::empty()).map_err(io::Error::from);
    let interrupted = watched.and_then(|fd| {
        let mut interrupted = wait_or_interrupt(&fd, deadline, stopping, stop)?;
        if interrupted == Some(End::Stopped) {
            let _ = kill_process_group(group, Signal::TERM);
            let patience = Instant::now().checked_add(STOP_GRACE);
            let deadline = deadline.into_iter().chain(patience).min();
            interrupted = Some(wait_or_interrupt(&fd, deadline, None, stop)?.unwrap_or(End::Stopped));
        }
        if interrupted.is_some_and(|end| end != End::Stopped) {
            terminate(&fd, group);
        }
        Ok(interrupted)
    });
    let wall = begin.elapsed();
    let interrupted = match interrupted {
        Ok(interrupted) => interrupted,
        Err(error) => {
            let _ = kill_process_group(group, Signal::KILL);
            let _ = child.wait();
            return Err(error);
        }
    };
    finish(child, group, interrupted, wall, deadline, stop)
}

/// Reaps the process and sees to those that it left.
fn finish(
    child: Child,
    group: Pid,
    interrupted: Option<End>,
    wall: Duration,
    deadline: Option<Instant>,
    stop: &Stop<'_>,
) -> io::Result<Ended> {
    let waited = child.wait4()?;
    let is_whole = matches!(interrupted, None | Some(End::Stopped));
    let left_processes = is_whole && outlived(group, deadline, stop);
    let usage = Usage {
        wall,
        user: waited.rusage.utime,
        system: waited.rusage.stime,
        peak_rss_bytes: waited.rusage.maxrss,
    };
    let by_itself = match waited.status.code() {
        Some(code) => End::Exited(code),
        None => End::Signaled(waited.status.signal().unwrap_or_default()),
    };
    let end = match (interrupted, by_itself) {
        (Some(End::Stopped), End::Signaled(signal)) if signal != Signal::TERM.as_raw() => by_itself,
        (Some(interrupted), _) => interrupted,
        (None, _) => by_itself,
    };
    Ok(Ended { end, usage, left_processes })
}

/// Waits for the end; gives why it must not go on where that comes first.
fn wait_or_interrupt(
    fd: &OwnedFd,
    deadline: Option<Instant>,
    stopping: Option<Instant>,
    stop: &Stop<'_>,
) -> io::Result<Option<End>> {
    loop {
        if stop.is_requested() {
            return Ok(Some(End::Cancelled));
        }
        let left = |end: Option<Instant>| end.map(|e| e.saturating_duration_since(Instant::now()));
        let (to_deadline, to_stopping) = (left(deadline), left(stopping));
        if is_over(fd, to_deadline.into_iter().chain(to_stopping).fold(WATCH, Duration::min))? {
            return Ok(None);
        }
        if to_deadline.is_some_and(|l| l.is_zero()) {
            return Ok(Some(End::TimedOut));
        }
        if to_stopping.is_some_and(|l| l.is_zero()) {
            return Ok(Some(End::Stopped));
        }
    }
}

/// Whether the process ends within `time`.
fn is_over(fd: &OwnedFd, time: Duration) -> io::Result<bool> {
    let time = Timespec::try_from(time).map_err(io::Error::other)?;
    match poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&time)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Ends the group: kindly, then surely. The leader is not reaped yet, so the group is still ours.
fn terminate(fd: &OwnedFd, group: Pid) {
    let _ = kill_process_group(group, Signal::TERM);
    let _ = is_over(fd, GRACE);
    let _ = kill_process_group(group, Signal::KILL);
}

/// Gives processes that the leader left some time to end by themselves; whether they had to be
/// killed. Mostly there are none, and this is one system call.
fn outlived(group: Pid, deadline: Option<Instant>, stop: &Stop<'_>) -> bool {
    let linger = Instant::now() + LINGER;
    let until = deadline.map_or(linger, |d| d.min(linger));
    let mut pause = Duration::from_micros(200);
    while test_kill_process_group(group).is_ok() {
        if Instant::now() >= until || stop.is_requested() {
            return kill_process_group(group, Signal::KILL).is_ok();
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    false
}

/// Limits the address space from the first instruction on. Without a limit the command stays free
/// of hooks, which lets the standard library start it the fast way.
fn limit_memory(command: &mut Command, bytes: Option<u64>) {
    let Some(bytes) = bytes else { return };
    let limit = move || {
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        setrlimit(Resource::As, limit).map_err(io::Error::from)
    };
    #[expect(unsafe_code, reason = "the only way to set a limit before the program begins")]
    // SAFETY: the hook runs between fork and exec, where only async-signal-safe functions may be
    // called: it makes one system call without libc, and neither allocates nor locks.
    unsafe {
        command.pre_exec(limit);
    }
}
