//! The study on disk: one file of records that are only ever appended.
//!
//! ```text
//!   header │ Program │ Features │ Objects │ Places │ Source … │ Run │ Run │ Warnings │ Run …
//! ```
//!
//! Each record is in a frame with a check, chained to the one before. So the file is whole at every moment: a copy of it
//! has everything that was recorded until then, and whatever ends its writer costs the record that was being written at
//! most. Reading applies the records in order; what is read is not trusted.
//!
//! - [`header`]: the first bytes, and whether the study was closed.
//! - [`frame`]: frames, and how to find whole ones in a damaged file.
//! - [`log`]: the file: locks, appending, coming into place by one rename.
//! - [`record`]: what the records say. [`facts`]: what they come to.
//! - [`body`], [`loops`], [`blob`]: what lies behind records: places, texts and series; loops; counts.
//! - [`load`]: a study in memory. [`matrix`]: the counts of all runs. [`write`]: what is appended when.
//! - [`repair`]: what is whole of a damaged study. [`legacy`]: studies of versions 1 and 2.

mod blob;
mod body;
mod calls;
mod facts;
mod frame;
mod header;
mod legacy;
mod load;
mod log;
mod loops;
mod matrix;
mod places;
mod record;
mod repair;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wholeness;
mod write;

use std::fs::File;
use std::path::{Path, PathBuf};

use self::body::Budget;
use self::facts::Facts;
use self::log::{Draft, Log, Opened};
use self::places::Index;
use self::record::Record;
use crate::{Outcome, StudyError, StudyId, Unit, Usage};

pub use facts::MOST_FEATURES;
pub use repair::{Repaired, repair};

/// Whether a study is opened to be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only to be read; works on read-only disks, and while another process writes.
    Read,
    /// To be read and changed, by one process at a time.
    Write,
}

/// What a new study needs to know.
#[derive(Clone, Debug)]
pub struct NewStudy {
    /// Which study it is.
    pub id: StudyId,
    /// The program's name.
    pub program: String,
    /// The folder that relative source paths start from; empty when there is none.
    pub root: String,
}

impl NewStudy {
    /// A study with an identity of its own.
    pub fn new(program: impl Into<String>, root: impl Into<String>) -> Self {
        Self { id: StudyId::random(), program: program.into(), root: root.into() }
    }
}

/// Where the counts of a study were imported from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The name of the format, such as `lcov`.
    pub format: String,
    /// What its costs are counted in.
    pub unit: Unit,
}

/// A counted object of the program's build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectRecord {
    /// The path of its notes.
    pub path: String,
    /// What the compiler stamped on notes and data of this build.
    pub stamp: u32,
}

/// A source file's text when the program was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The path as in [`Location::file`](crate::Location).
    pub file: String,
    /// The text, lossily decoded.
    pub text: String,
}

/// What is recorded of one run of a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunState {
    /// The workload's name.
    pub workload: String,
    /// Its fingerprint when it was run.
    pub fingerprint: String,
    /// Which repetition.
    pub repetition: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// What it used, where that was measured.
    pub usage: Option<Usage>,
    /// Whether the workload was timed without counters.
    pub is_timed: bool,
    /// Whether samples were taken of it, also where none could be recorded.
    pub is_sampled: bool,
    /// Whether the workload has series.
    pub has_series: bool,
    /// The end of its stderr, where it did not succeed.
    pub stderr_tail: String,
}

/// What became of a study that was to be opened.
#[derive(Debug)]
pub enum Opening {
    /// It is open.
    Whole(Box<StudyFile>),
    /// It is damaged, and has this name now.
    SetAside(PathBuf),
}

/// An open study file.
///
/// One that was opened to be written is closed by [`StudyFile::close`], which says whether that succeeded, or when the
/// value is dropped.
#[derive(Debug)]
pub struct StudyFile {
    /// Where it is while it is not yet in its place. Goes first: only its lock keeps the file from others.
    draft: Option<Draft>,
    log: Log,
    facts: Facts,
    /// Which places are known; made when it is first needed.
    index: Option<Index>,
}

impl StudyFile {
    /// Creates a study.
    ///
    /// # Errors
    /// [`StudyError::Exists`] when something is there already, and whatever the disk says.
    pub fn create(path: &Path, new: &NewStudy) -> Result<Self, StudyError> {
        let mut file = Self::draft(path, new, false)?;
        file.publish()?;
        Ok(file)
    }

    /// Creates a study that comes to `path` only by [`Self::publish`], and before that is lost with this value.
    ///
    /// # Errors
    /// [`StudyError::Exists`] when something is there that `may_replace` does not allow to be replaced;
    /// [`StudyError::Busy`] when another process writes to what is to be replaced.
    pub fn draft(path: &Path, new: &NewStudy, may_replace: bool) -> Result<Self, StudyError> {
        let is_there = std::fs::symlink_metadata(path).is_ok();
        if is_there && !may_replace {
            return Err(StudyError::Exists { path: path.to_owned() });
        }
        let replaced = is_there.then(|| log::open_file(path, Access::Write)).transpose()?;
        let (draft, log) = Draft::begin(path, new.id, may_replace, replaced)?;
        Self::begun(Some(draft), log, new)
    }

    fn begun(draft: Option<Draft>, log: Log, new: &NewStudy) -> Result<Self, StudyError> {
        let mut file = Self { draft, log, facts: Facts::default(), index: None };
        file.append(Record::Program {
            program: new.program.clone(),
            root: new.root.clone(),
            seal: Vec::new(),
            written_by: concat!("trend-prof ", env!("CARGO_PKG_VERSION")).to_owned(),
        })?;
        Ok(file)
    }

    /// Brings a draft into its place, at once and whole. Does nothing for a study that is there.
    pub fn publish(&mut self) -> Result<(), StudyError> {
        if let Some(draft) = &mut self.draft {
            draft.publish(&mut self.log)?;
        }
        self.draft = None;
        Ok(())
    }

    /// Whether it is where others find it, and not a draft.
    pub fn is_published(&self) -> bool {
        self.draft.is_none()
    }

    /// Opens a study. One of an older version is brought up to date where it is to be written.
    ///
    /// # Errors
    /// Says whether the file is missing, something else, of a newer version, damaged, or cannot be written.
    pub fn open(path: &Path, access: Access) -> Result<Self, StudyError> {
        if access == Access::Write {
            log::remove_unfinished(path);
        }
        Self::of_file(path, log::open_file(path, access)?, access)
    }

    /// Opens a study to write it; one that is damaged is renamed to a name that was free.
    ///
    /// # Errors
    /// As [`Self::open`], without [`StudyError::Damaged`].
    pub fn open_or_set_aside(path: &Path) -> Result<Opening, StudyError> {
        let file = log::open_file(path, Access::Write)?;
        // Stays locked until it has its new name: what comes here next is another study.
        let locked = file.try_clone().map_err(|e| log::io_error(path, e))?;
        let opening = match Self::of_file(path, file, Access::Write) {
            Err(StudyError::Damaged { .. }) => log::set_aside(path).map(Opening::SetAside),
            whole => whole.map(|study| Opening::Whole(Box::new(study))),
        };
        drop(locked);
        opening
    }

    fn of_file(path: &Path, file: File, access: Access) -> Result<Self, StudyError> {
        let mut log = match Log::of_file(path, file, access)? {
            Opened::Study(log) => log,
            Opened::Database(file) => return legacy::open(path, file, access),
        };
        let mut facts = Facts::default();
        log.replay(|offset, payload| {
            let (record, rest) = Record::parse(payload)?;
            let offset = offset + (payload.len() - rest.len()) as u64;
            Ok(facts.apply(record, offset, rest.len())?)
        })?;
        // A value that nobody gave takes its place in every table all the same.
        let values = facts.features.len() as u64 * facts.workloads.len() as u64;
        let file = Self { draft: None, log, facts, index: None };
        let taken = Budget::of_file(file.log.length()).take::<[Option<f64>; 2]>(values);
        taken.map_err(|over| file.over_budget(over))?;
        Ok(file)
    }

    /// Marks what was written as whole and brings it to the disk.
    ///
    /// # Errors
    /// Whatever the disk says, and [`StudyError::Moved`] when the file is not where it was opened: everything recorded is
    /// in it all the same.
    pub fn close(mut self) -> Result<(), StudyError> {
        if self.draft.is_some() { Ok(()) } else { self.log.close() }
    }

    /// Whether a file that begins with these bytes can be a study, of any version.
    pub fn may_begin_with(start: &[u8; 16]) -> bool {
        [header::MAGIC, header::DATABASE_MAGIC].contains(start)
    }

    /// The file's path, as it was given.
    pub fn path(&self) -> &Path {
        self.log.path()
    }

    fn damaged(&self, what: impl Into<String>) -> StudyError {
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
