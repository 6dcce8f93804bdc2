//! The tool's side of a run: sends jobs to a supervisor, and cleans up if the supervisor itself ends.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpid, set_child_subreaper};
use wait4::try_wait4_pid;

use super::stop::Stop;
use crate::supervisor::folder::LockedFolder;
use crate::supervisor::tree;
use crate::supervisor::wire::{self, Answer, Job, Order};

/// Interval at which a wait checks if the caller wants to stop. The end of a run is noticed immediately.
const WATCH: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// Time that the kernel gets to end the processes that a supervisor left.
const PATIENCE: Duration = Duration::from_secs(10);

/// A process that supervises one run at a time.
#[derive(Debug)]
pub(crate) struct Supervisor {
    process: Child,
    socket: UnixStream,
}

impl Supervisor {
    pub(crate) fn start(executable: &Path, folder: &LockedFolder) -> io::Result<Self> {
        let (socket, theirs) = UnixStream::pair()?;
        let mut command = crate::supervisor::command(executable.as_os_str(), theirs, folder)?;
        // The lock is held until the supervisor is in the list. Otherwise `end_orphans` would take it for an orphan.
        let mut supervisors = supervisors();
        // Orphans of a killed supervisor must become children of this process.
        set_child_subreaper(Some(getpid()))?;
        let process = command.spawn()?;
        supervisors.insert(process.id() as i32);
        Ok(Self { process, socket })
    }

    pub(super) fn run(&self, job: Job, stop: &Stop<'_>) -> io::Result<Answer> {
        wire::send(&self.socket, &Order::Run(Box::new(job)))?;
        let mut is_told = false;
        loop {
            if !is_told && stop.is_requested() {
                wire::send(&self.socket, &Order::Stop)?;
                is_told = true;
            }
            let mut answer = [PollFd::new(&self.socket, PollFlags::IN)];
            match poll(&mut answer, (!is_told).then_some(&WATCH)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return wire::receive(&self.socket),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Ends the supervisor, kills the processes that it left, and describes how it ended.
    pub(super) fn end(mut self) -> String {
        let _ = self.process.kill();
        let how = match self.process.wait() {
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("with exit code {code}"),
                (None, Some(9)) => "by SIGKILL (out of memory?)".to_owned(),
                (None, signal) => format!("by signal {}", signal.unwrap_or_default()),
            },
            Err(error) => format!("in an unknown way ({error})"),
        };
        supervisors().remove(&(self.process.id() as i32));
        end_orphans();
        how
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // The supervisor is idle and leaves no processes.
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        let _ = self.process.wait();
        let mut supervisors = supervisors();
        supervisors.remove(&(self.process.id() as i32));
        if supervisors.is_empty() {
            let _ = set_child_subreaper(None);
        }
    }
}

/// Returns the process ids of this process's supervisors.
fn supervisors() -> MutexGuard<'static, BTreeSet<i32>> {
    static SUPERVISORS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all orphans of ended supervisors. They are recognised by their session: each run has its own, and no process
/// can join an existing session. Processes that this process starts for itself are in its own session.
fn end_orphans() {
    let until = Instant::now() + PATIENCE;
    loop {
        // While the lock is held, no supervisor is started.
        let supervisors = supervisors();
        let all = tree::all();
        let own = std::process::id() as i32;
        let session = all.iter().find(|p| p.pid == own).map(|p| p.session);
        let is_ours = |p: &tree::Process| supervisors.contains(&p.pid) || Some(p.session) == session;
        let orphans = tree::below(own, &all, is_ours);
        tree::signal_groups(&orphans, Signal::KILL);
        for orphan in orphans.iter().filter(|p| p.parent == own) {
            let _ = try_wait4_pid(orphan.pid as u32);
        }
        drop(supervisors);
        if orphans.is_empty() || Instant::now() >= until {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}
