//! The tool's side of a run: a supervisor that is told what to run, and what becomes of it when it ends itself.

use std::cell::RefCell;
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

use super::scratch::RunFolder;
use super::stop::Stop;
use crate::RunError;
use crate::supervisor::tree;
use crate::supervisor::wire::{self, Answer, Ended, Job, Order, Part};

/// How often a wait looks whether the caller wants to stop. The end of the run itself is
/// noticed at once.
const WATCH: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// How long the kernel may take to end what a supervisor left.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why there is no answer of how a run ended.
#[derive(Debug)]
pub(super) enum NotRun {
    /// Something of it could not be opened or started.
    NotStarted { part: Part, error: io::Error },
    /// The supervisor cannot be started.
    NoSupervisor(io::Error),
    /// It ended before the run, in this way.
    SupervisorEnded(String),
}

/// Runs one program after another in the supervisor that it starts for the first of them.
#[derive(Debug)]
pub(super) struct Runner<'a> {
    executable: &'a Path,
    folder: &'a RunFolder,
    stop: &'a Stop<'a>,
    supervisor: RefCell<Option<Supervisor>>,
}

impl<'a> Runner<'a> {
    pub(super) fn new(executable: &'a Path, folder: &'a RunFolder, stop: &'a Stop<'a>) -> Self {
        Self { executable, folder, stop, supervisor: RefCell::new(None) }
    }

    /// The same, with its supervisor.
    ///
    /// # Errors
    /// [`RunError::NoSupervisor`].
    pub(super) fn started(
        executable: &'a Path,
        folder: &'a RunFolder,
        stop: &'a Stop<'a>,
    ) -> Result<Self, RunError> {
        let failed = |source| RunError::NoSupervisor { path: executable.to_owned(), source };
        let supervisor = Supervisor::start(executable, folder).map_err(failed)?;
        Ok(Self { supervisor: RefCell::new(Some(supervisor)), ..Self::new(executable, folder, stop) })
    }

    /// Runs a program until it and all processes that come from it have ended.
    ///
    /// # Errors
    /// [`NotRun`]; then nothing of it is left.
    pub(super) fn run(&self, job: Job) -> Result<Ended, NotRun> {
        let mut place = self.supervisor.borrow_mut();
        let supervisor = match place.take() {
            Some(supervisor) => supervisor,
            None => Supervisor::start(self.executable, self.folder).map_err(NotRun::NoSupervisor)?,
        };
        match supervisor.run(job, self.stop) {
            Ok(answer) => {
                *place = Some(supervisor);
                answer.map_err(|(part, errno)| {
                    let error = io::Error::from_raw_os_error(errno);
                    NotRun::NotStarted { part, error }
                })
            }
            // The next run gets another one.
            Err(_) => Err(NotRun::SupervisorEnded(supervisor.end())),
        }
    }
}

/// A process that supervises one run at a time.
#[derive(Debug)]
struct Supervisor {
    process: Child,
    socket: UnixStream,
}

impl Supervisor {
    fn start(executable: &Path, folder: &RunFolder) -> io::Result<Self> {
        let (socket, theirs) = UnixStream::pair()?;
        let mut command = crate::supervisor::command(executable.as_os_str(), theirs, folder)?;
        // Held until it is listed, so that nobody takes it for an orphan.
        let mut supervisors = supervisors();
        // What it leaves when it is killed is to come here.
        set_child_subreaper(Some(getpid()))?;
        let process = command.spawn()?;
        supervisors.insert(process.id() as i32);
        Ok(Self { process, socket })
    }

    fn run(&self, job: Job, stop: &Stop<'_>) -> io::Result<Answer> {
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

    /// Ends it, kills what it leaves, and says how it ended.
    fn end(mut self) -> String {
        let _ = self.process.kill();
        let how = match self.process.wait() {
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("with exit code {code}"),
                (None, Some(9)) => "by SIGKILL (perhaps for want of memory)".to_owned(),
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
        // It has nothing to run and leaves nothing.
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        let _ = self.process.wait();
        let mut supervisors = supervisors();
        supervisors.remove(&(self.process.id() as i32));
        if supervisors.is_empty() {
            let _ = set_child_subreaper(None);
        }
    }
}

/// The supervisors of this process.
fn supervisors() -> MutexGuard<'static, BTreeSet<i32>> {
    static SUPERVISORS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all processes that came here from supervisors that have ended. They are known by their session: every run has
/// one of its own, no process can enter one that exists, and what this process starts for itself is in its own.
fn end_orphans() {
    let until = Instant::now() + PATIENCE;
    loop {
        // Nobody starts a supervisor meanwhile.
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
