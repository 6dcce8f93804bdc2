//! Manages a program and all its descendants: reaps those that have ended, and ends those that must.

use std::io;
use std::process::ExitStatus;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Signal, WaitId, WaitIdOptions, waitid};
use wait4::{ResUse, try_wait4_pid};

use super::tree::{self, Process};

/// Time that processes get to end after SIGTERM.
const GRACE: Duration = Duration::from_millis(200);

/// Time that the kernel gets to end a process after SIGKILL. Freeing the memory of a process took more than ten
/// seconds on a busy machine. A process that hangs in a device or belongs to another user may never end.
const PATIENCE: Duration = Duration::from_mins(1);

/// The first and the longest pause between two checks for remaining processes.
const PAUSES: (Duration, Duration) = (Duration::from_micros(200), Duration::from_millis(20));

/// A sequence of pauses, each twice as long as the previous one.
pub(super) struct Pauses(Duration);

impl Pauses {
    pub(super) fn new() -> Self {
        Self(PAUSES.0)
    }

    pub(super) fn next(&mut self) -> Duration {
        let pause = self.0;
        self.0 = (pause * 2).min(PAUSES.1);
        pause
    }
}

/// All descendants of this process.
#[derive(Debug)]
pub(super) struct Family {
    program: u32,
    /// The exit status of the program, once it has ended.
    pub(super) status: Option<ExitStatus>,
    pub(super) user: Duration,
    pub(super) system: Duration,
    pub(super) peak_rss_bytes: u64,
}

impl Family {
    pub(super) fn new(program: u32) -> Self {
        let zero = Duration::ZERO;
        Self { program, status: None, user: zero, system: zero, peak_rss_bytes: 0 }
    }

    /// Reaps the processes that have ended. Returns true if any are left.
    ///
    /// - Time: two system calls if only the program has ended and left no processes.
    pub(super) fn reap(&mut self) -> bool {
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            match waitid(WaitId::All, ended) {
                Err(Errno::CHILD) => return false,
                Ok(None) | Err(_) => return true,
                Ok(Some(_)) => {}
            }
            // `waitid` does not say which process has ended.
            let is_program = self.status.is_none() && self.fetch(self.program);
            if !is_program && !self.fetch_orphans() {
                return true;
            }
        }
    }

    fn fetch_orphans(&mut self) -> bool {
        let own = std::process::id() as i32;
        let orphans = tree::all().into_iter().filter(|p| p.parent == own && p.is_zombie);
        orphans.filter(|orphan| self.fetch(orphan.pid as u32)).count() > 0
    }

    /// Reaps one process if it has ended.
    fn fetch(&mut self, pid: u32) -> bool {
        let Ok(Some(ResUse { status, rusage })) = try_wait4_pid(pid) else { return false };
        if pid == self.program && self.status.is_none() {
            self.status = Some(status);
        }
        self.user += rusage.utime;
        self.system += rusage.stime;
        self.peak_rss_bytes = self.peak_rss_bytes.max(rusage.maxrss);
        true
    }

    /// Ends all processes: first with SIGTERM if `kindly`, then with SIGKILL. Returns a process that cannot be ended,
    /// if there is one.
    pub(super) fn end(&mut self, kindly: bool) -> Option<i32> {
        if kindly && self.reap() {
            tree::signal_groups(&members(), Signal::TERM);
            self.is_over_before(Instant::now() + GRACE);
        }
        let until = Instant::now() + PATIENCE;
        let mut pauses = Pauses::new();
        // One round is not enough: a process that starts others meanwhile, in their own groups, is ahead of the list.
        while self.reap() {
            let members = members();
            tree::signal_groups(&members, Signal::KILL);
            if Instant::now() >= until {
                return members.iter().find(|p| !p.is_zombie).map(|p| p.pid);
            }
            thread::sleep(pauses.next());
        }
        None
    }

    fn is_over_before(&mut self, until: Instant) -> bool {
        let mut pauses = Pauses::new();
        while self.reap() {
            if Instant::now() >= until {
                return false;
            }
            thread::sleep(pauses.next());
        }
        true
    }
}

fn members() -> Vec<Process> {
    tree::below(std::process::id() as i32, &tree::all(), |_| false)
}

/// Returns the error number of a system call.
pub(super) fn errno(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or(Errno::IO.raw_os_error())
}
