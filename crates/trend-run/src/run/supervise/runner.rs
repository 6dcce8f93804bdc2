//! Runs jobs one after another in a supervisor.

use std::cell::RefCell;
use std::io;
use std::path::Path;

use super::process::Supervisor;
use super::scratch::RunFolder;
use super::stop::Stop;
use crate::supervisor::wire::{Ended, Job, Part};

/// The reason why the result of a run is unknown.
#[derive(Debug)]
pub(crate) enum NotRun {
    /// A part of the run could not be opened or started.
    NotStarted { part: Part, error: io::Error },
    /// The supervisor cannot be started.
    NoSupervisor(io::Error),
    /// The supervisor ended before the run did, in this way.
    SupervisorEnded(String),
}

/// Runs one program after another in its supervisor, which it starts for the first program.
#[derive(Debug)]
pub(crate) struct Runner<'a> {
    executable: &'a Path,
    folder: &'a RunFolder,
    stop: &'a Stop<'a>,
    supervisor: RefCell<Option<Supervisor>>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(executable: &'a Path, folder: &'a RunFolder, stop: &'a Stop<'a>) -> Self {
        Self { executable, folder, stop, supervisor: RefCell::new(None) }
    }

    /// Runs a program until it and all its descendants have ended.
    ///
    /// # Errors
    /// [`NotRun`]; no process of the run is left then.
    pub(crate) fn run(&self, job: Job) -> Result<Ended, NotRun> {
        let mut place = self.supervisor.borrow_mut();
        let supervisor = match place.take() {
            Some(supervisor) => supervisor,
            None => Supervisor::start(self.executable, self.folder.locked()).map_err(NotRun::NoSupervisor)?,
        };
        match supervisor.run(job, self.stop) {
            Ok(answer) => {
                *place = Some(supervisor);
                answer.map_err(|(part, errno)| {
                    let error = io::Error::from_raw_os_error(errno);
                    NotRun::NotStarted { part, error }
                })
            }
            // The next run gets a new supervisor.
            Err(_) => Err(NotRun::SupervisorEnded(supervisor.end())),
        }
    }
}
