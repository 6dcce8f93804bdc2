//! A program and all processes that come from it: fetched when they end, ended when they must.

use std::io;
use std::process::ExitStatus;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Signal, WaitId, WaitIdOptions, waitid};
use wait4::{ResUse, try_wait4_pid};

use super::tree::{self, Process};

/// How long processes may take to end after SIGTERM.
const GRACE: Duration = Duration::from_millis(200);

/// How long the kernel may take to end a process after SIGKILL. One that hangs in a device or is another user's takes
/// longer, and for ever.
const PATIENCE: Duration = Duration::from_secs(10);

/// The first pause and the longest between two looks at what is left.
const PAUSES: (Duration, Duration) = (Duration::from_micros(200), Duration::from_millis(20));

/// Pauses that double.
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

/// All processes below this one.
#[derive(Debug)]
pub(super) struct Family {
    program: u32,
    /// How the program ended.
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

    /// Fetches the processes that have ended; whether any is left.
    ///
    /// - Time: two system calls when the program alone has ended and left nothing.
    pub(super) fn reap(&mut self) -> bool {
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            match waitid(WaitId::All, ended) {
                Err(Errno::CHILD) => return false,
                Ok(None) | Err(_) => return true,
                Ok(Some(_)) => {}
            }
            // The call does not say which.
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

    /// Fetches one process, where it has ended.
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

    /// Ends every process: kindly if there is time for that, then surely. Gives one that cannot be ended, where there is
    /// one.
    pub(super) fn end(&mut self, kindly: bool) -> Option<i32> {
        if kindly && self.reap() {
            tree::signal_groups(&members(), Signal::TERM);
            self.is_over_before(Instant::now() + GRACE);
        }
        let until = Instant::now() + PATIENCE;
        let mut pauses = Pauses::new();
        // One round is not enough: what starts processes meanwhile, in groups of their own, is ahead of the list.
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

/// The number of the error that a system call gave.
pub(super) fn errno(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or(Errno::IO.raw_os_error())
}
