//! What can go wrong with a study.

use std::path::PathBuf;

/// Why a study could not be read or written. Each completes "failed to use the study: …".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// There is no such file.
    #[error("{path}: no such study")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file is there already.
    #[error("{path}: exists already")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{path}: is not a trend-prof study ({found})")]
    NotAStudy {
        /// The file.
        path: PathBuf,
        /// What it looks like.
        found: String,
    },
    /// The file was written by a newer trend-prof.
    #[error("{path}: has format version {found}, and this trend-prof reads up to {supported}")]
    Newer {
        /// The file.
        path: PathBuf,
        /// The file's version.
        found: i64,
        /// The newest version that can be read.
        supported: i64,
    },
    /// The contents contradict themselves.
    #[error("{path}: is damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where and how.
        what: String,
    },
    /// There are more counts than can be held.
    #[error(
        "{path}: is too large: it has {locations} locations in {workloads} workloads, and all of their counts could \
         take more memory than can be had"
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// How many it has.
        locations: usize,
        /// How many it has.
        workloads: usize,
    },
    /// The disk is full.
    #[error("{path}: no space left on the disk")]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// The file or its folder cannot be written.
    #[error("{path}: cannot be written (read-only file, folder or disk)")]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Another program has had the file locked for a long time.
    #[error("{path}: is locked by another process")]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// SQLite said something else.
    #[error("{path}: {source}")]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: rusqlite::Error,
    },
    /// The operating system refused.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// What was to be made a study is none.
    #[error("the study is inconsistent: {what}")]
    Inconsistent {
        /// What contradicts what.
        what: String,
    },
}
