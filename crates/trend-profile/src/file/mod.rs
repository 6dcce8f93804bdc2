//! The study on disk: one SQLite file in WAL mode.
//!
//! A run is recorded in one transaction, so that killing the tool at any moment loses at most the
//! runs in flight, and two tools can use one file at once. What is read is not trusted: see
//! `load.rs` for the checks.

mod blob;
mod load;
mod matrix;
mod open;
mod places;
mod record;
mod rows;
mod schema;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::{Outcome, StudyError, Unit};

/// Whether a study is opened to be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only to be read; works on read-only disks.
    Read,
    /// To be read and changed.
    Write,
}

/// What a new study needs to know.
#[derive(Clone, Debug)]
pub struct NewStudy {
    /// The program's name.
    pub program: String,
    /// The folder that relative source paths start from; empty when there is none.
    pub root: String,
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
    /// How long it took, where that was measured.
    pub wall: Option<std::time::Duration>,
    /// The end of its stderr, where it did not succeed.
    pub stderr_tail: String,
}

/// An open study file.
#[derive(Debug)]
pub struct StudyFile {
    path: PathBuf,
    connection: Connection,
}

impl StudyFile {
    /// The file's path, as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn sqlite(&self, source: rusqlite::Error) -> StudyError {
        open::explain(&self.path, source)
    }

    fn damaged(&self, what: impl Into<String>) -> StudyError {
        StudyError::Damaged { path: self.path.clone(), what: what.into() }
    }
}
