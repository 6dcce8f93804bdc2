//! An open study file.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::bodies::body::Budget;
use super::bodies::places::Index;
use super::container::header;
use super::container::log;
use super::container::log::{Access, Draft, Log};
use super::records::facts::Facts;
use super::records::record::Record;
use crate::error::StudyError;
use crate::identity::StudyId;
use crate::runs::unit::Unit;
use crate::runs::usage::Usage;
use crate::runs::workload::Outcome;

/// Properties of a new study.
#[derive(Clone, Debug)]
pub struct NewStudy {
    /// Identity of the study.
    pub id: StudyId,
    /// Name of the program.
    pub program: String,
    /// Folder that relative source paths start from; empty if it is not recorded.
    pub root: String,
}

impl NewStudy {
    /// Creates the properties of a study with a new identity.
    pub fn new(program: impl Into<String>, root: impl Into<String>) -> Self {
        Self { id: StudyId::random(), program: program.into(), root: root.into() }
    }
}

/// Origin of imported counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Name of the format, such as `lcov`.
    pub format: String,
    /// Unit of the costs.
    pub unit: Unit,
}

/// A counted object of the program's build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectRecord {
    /// Path of its notes file.
    pub path: String,
    /// Stamp that the compiler wrote into notes and data of this build.
    pub stamp: u32,
}

/// Summary of one recorded run of a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunState {
    /// Name of the workload.
    pub workload: String,
    /// Fingerprint of the workload when it ran.
    pub fingerprint: String,
    /// Number of the repetition.
    pub repetition: u32,
    /// Outcome of the run.
    pub outcome: Outcome,
    /// Time and memory of the run, if measured.
    pub usage: Option<Usage>,
    /// True if the workload was timed without counters.
    pub is_timed: bool,
    /// True if the workload was sampled, even if no sample could be recorded.
    pub is_sampled: bool,
    /// True if the workload has series.
    pub has_series: bool,
    /// Tail of the run's stderr if it did not succeed.
    pub stderr_tail: String,
}

/// Outcome of [`StudyFile::open_or_set_aside`]: an open study, or a renamed file.
#[derive(Debug)]
pub enum Opening {
    /// The study is intact and open.
    Whole(Box<StudyFile>),
    /// The study is damaged and was renamed to this path.
    SetAside(PathBuf),
}

/// An open study file.
///
/// [`StudyFile::close`] closes a study that was opened for writing and reports errors. Dropping the value closes it
/// too, but ignores errors.
#[derive(Debug)]
pub struct StudyFile {
    /// Temporary file until the study is published. Dropped first: only the log's lock keeps others from the file.
    pub(in crate::file) draft: Option<Draft>,
    pub(in crate::file) log: Log,
    pub(in crate::file) facts: Facts,
    /// Index of known places, built on first use.
    pub(in crate::file) index: Option<Index>,
}

impl StudyFile {
    /// Creates a study and publishes it at once.
    ///
    /// # Errors
    /// [`StudyError::Exists`] if the path already exists, and any error of the disk.
    pub fn create(path: &Path, new: &NewStudy) -> Result<Self, StudyError> {
        let mut file = Self::draft(path, new, false)?;
        file.publish()?;
        Ok(file)
    }

    /// Creates a study that appears at `path` only after [`Self::publish`]. Dropping the value before discards it.
    ///
    /// # Errors
    /// [`StudyError::Exists`] if the path exists and `may_replace` is false; [`StudyError::Busy`] if another process
    /// writes to the file to be replaced.
    pub fn draft(path: &Path, new: &NewStudy, may_replace: bool) -> Result<Self, StudyError> {
        let is_there = std::fs::symlink_metadata(path).is_ok();
        if is_there && !may_replace {
            return Err(StudyError::Exists { path: path.to_owned() });
        }
        let replaced = is_there.then(|| log::open_file(path, Access::Write)).transpose()?;
        let (draft, log) = Draft::begin(path, new.id, may_replace, replaced)?;
        Self::begun(Some(draft), log, new)
    }

    pub(in crate::file) fn begun(draft: Option<Draft>, log: Log, new: &NewStudy) -> Result<Self, StudyError> {
        let mut file = Self { draft, log, facts: Facts::default(), index: None };
        file.append(Record::Program {
            program: new.program.clone(),
            root: new.root.clone(),
            seal: Vec::new(),
            written_by: concat!("trend-prof ", env!("CARGO_PKG_VERSION")).to_owned(),
        })?;
        Ok(file)
    }

    /// Publishes a draft in one step. Does nothing for a study that is published already.
    pub fn publish(&mut self) -> Result<(), StudyError> {
        if let Some(draft) = &mut self.draft {
            draft.publish(&mut self.log)?;
        }
        self.draft = None;
        Ok(())
    }

    /// Returns true if the study is at its path and not a draft.
    pub fn is_published(&self) -> bool {
        self.draft.is_none()
    }

    /// Opens a study.
    ///
    /// # Errors
    /// Returns an error if the file is missing, damaged, not a study, of a newer version, or cannot be written.
    pub fn open(path: &Path, access: Access) -> Result<Self, StudyError> {
        if access == Access::Write {
            log::remove_unfinished(path);
        }
        Self::of_file(path, log::open_file(path, access)?, access)
    }

    /// Opens a study for writing; a damaged one is renamed to a free name.
    ///
    /// # Errors
    /// Fails like [`Self::open`], but never with [`StudyError::Damaged`].
    pub fn open_or_set_aside(path: &Path) -> Result<Opening, StudyError> {
        let file = log::open_file(path, Access::Write)?;
        // Keeps the file locked until it has its new name: the next file at this path is another study.
        let locked = file.try_clone().map_err(|e| log::io_error(path, e))?;
        let opening = match Self::of_file(path, file, Access::Write) {
            Err(StudyError::Damaged { .. }) => log::set_aside(path).map(Opening::SetAside),
            whole => whole.map(|study| Opening::Whole(Box::new(study))),
        };
        drop(locked);
        opening
    }

    fn of_file(path: &Path, file: File, access: Access) -> Result<Self, StudyError> {
        let mut log = Log::of_file(path, file, access)?;
        let mut facts = Facts::default();
        log.replay(|offset, payload| {
            let (record, rest) = Record::parse(payload)?;
            let offset = offset + (payload.len() - rest.len()) as u64;
            Ok(facts.apply(record, offset, rest.len())?)
        })?;
        // A missing value takes its place in every table as well.
        let values = facts.features.len() as u64 * facts.workloads.len() as u64;
        let file = Self { draft: None, log, facts, index: None };
        let taken = Budget::of_file(file.log.length()).take::<[Option<f64>; 2]>(values);
        taken.map_err(|over| file.over_budget(over))?;
        Ok(file)
    }

    /// Marks the study as intact and flushes it to disk.
    ///
    /// # Errors
    /// Any error of the disk, and [`StudyError::Moved`] if the file is no longer at its path; it is complete
    /// nevertheless.
    pub fn close(mut self) -> Result<(), StudyError> {
        if self.draft.is_some() { Ok(()) } else { self.log.close() }
    }

    /// Returns true if a file with these first bytes can be a study of any version.
    pub fn may_begin_with(start: &[u8; 16]) -> bool {
        *start == header::MAGIC
    }

    /// Returns the file's path as given.
    pub fn path(&self) -> &Path {
        self.log.path()
    }

    pub(in crate::file) fn damaged(&self, what: impl Into<String>) -> StudyError {
        StudyError::Damaged { path: self.path().to_owned(), what: what.into() }
    }
}

impl Drop for StudyFile {
    fn drop(&mut self) {
        if self.draft.is_none() {
            // A caller that needs the result calls `close`.
            let _ = self.log.close();
        }
    }
}
