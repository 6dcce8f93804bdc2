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
    /// A newer trend-prof wrote into it what this one does not know.
    #[error("{path}: was written by a newer trend-prof: {what}")]
    NewerContents {
        /// The file.
        path: PathBuf,
        /// What is not known.
        what: String,
    },
    /// The contents contradict themselves.
    #[error("{path}: is damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where and how.
        what: String,
    },
    /// Reading it would take more memory than a study of its size may.
    #[error(
        "{path}: its {bytes} bytes would take more than {limit} bytes of memory, the most that a study of that size may"
    )]
    Limit {
        /// The file.
        path: PathBuf,
        /// The length of the file.
        bytes: u64,
        /// The most that it may take.
        limit: u64,
    },
    /// The file is not where it was while it is written.
    #[error("{path}: was {} while it was written", match now { Some(now) => format!("renamed to {}", now.display()), None => "removed or replaced".to_owned() })]
    Moved {
        /// The file.
        path: PathBuf,
        /// Where it is now, as far as that can be told.
        now: Option<PathBuf>,
    },
    /// The file is not as it was left while it is written.
    #[error("{path}: was changed by another program while it was written")]
    Changed {
        /// The file.
        path: PathBuf,
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
    #[error("{path}: another trend-prof is writing to it")]
    Busy {
        /// The file.
        path: PathBuf,
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
