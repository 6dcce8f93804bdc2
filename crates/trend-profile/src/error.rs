//! Errors of reading and writing studies.

use std::path::PathBuf;

/// A reason why a study could not be read or written. Each message completes "failed to use the study: …".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The file does not exist.
    #[error("{path}: no such study")]
    Missing {
        /// Path of the study.
        path: PathBuf,
    },
    /// The file already exists.
    #[error("{path} already exists")]
    Exists {
        /// Path of the study.
        path: PathBuf,
    },
    /// The file is not a study.
    #[error("{path} is not a trend-prof study ({problem})")]
    NotAStudy {
        /// Path of the file.
        path: PathBuf,
        /// Short description of the file's contents.
        problem: String,
    },
    /// The file has a format version that only a newer trend-prof reads.
    #[error("{path} has format version {version}, but this trend-prof reads only up to {supported}")]
    Newer {
        /// Path of the study.
        path: PathBuf,
        /// Format version of the file.
        version: i64,
        /// Newest version that this program reads.
        supported: i64,
    },
    /// A newer trend-prof wrote a record that this one does not know.
    #[error("{path} was written by a newer trend-prof: {what}")]
    NewerContents {
        /// Path of the study.
        path: PathBuf,
        /// Description of the unknown record.
        what: String,
    },
    /// The contents contradict themselves.
    #[error("{path} is damaged: {what}")]
    Damaged {
        /// Path of the study.
        path: PathBuf,
        /// Position and kind of the damage.
        what: String,
    },
    /// Reading the study would take more memory than a study of its size may.
    #[error(
        "{path}: its {bytes} bytes would take more than {limit} bytes of memory, the limit for a study of \
         that size"
    )]
    Limit {
        /// Path of the study.
        path: PathBuf,
        /// Length of the file in bytes.
        bytes: u64,
        /// Memory limit in bytes.
        limit: u64,
    },
    /// The file was moved, removed or replaced while it was written.
    #[error("{path} was {} while it was written", match now { Some(now) => format!("renamed to {}", now.display()), None => "removed or replaced".to_owned() })]
    Moved {
        /// Path of the study.
        path: PathBuf,
        /// New path of the file, if known.
        now: Option<PathBuf>,
    },
    /// Another program changed the file while it was written.
    #[error("{path} was changed by another program while it was written")]
    Changed {
        /// Path of the study.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("{path}: no space left on the disk")]
    DiskFull {
        /// Path of the study.
        path: PathBuf,
    },
    /// The file or its folder cannot be written.
    #[error("{path} cannot be written (read-only file, folder or disk)")]
    ReadOnly {
        /// Path of the study.
        path: PathBuf,
    },
    /// Another program kept the file locked for too long.
    #[error("{path}: another trend-prof is writing to it")]
    Busy {
        /// Path of the study.
        path: PathBuf,
    },
    /// The operating system reported another error.
    #[error("{path}: {source}")]
    Io {
        /// Path of the study.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The study cannot be merged into another one, because it measures something else.
    #[error("{path} {what}")]
    Unlike {
        /// Path of the study.
        path: PathBuf,
        /// The first difference.
        what: String,
    },
    /// The parts do not form a valid study.
    #[error("the study is inconsistent: {what}")]
    Inconsistent {
        /// Description of the contradiction.
        what: String,
    },
}
