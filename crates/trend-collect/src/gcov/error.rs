//! Errors of reading notes and data.

use super::version::Version;

/// Reason why notes or data are unusable. Each message completes "failed to read PATH: …"; the caller knows the path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GcovError {
    /// The file is not a gcov file.
    #[error("is not a gcov {expected} file (it begins with {beginning})")]
    NotGcov {
        /// Expected kind of file: `notes` or `data`.
        expected: &'static str,
        /// First bytes of the file, printable.
        beginning: String,
    },
    /// The compiler that wrote the file is too old or too new.
    #[error(
        "has gcov format version {version}, but this trend-prof reads those of gcc 4.7 to gcc 15; build \
         with such a compiler (clang: `-Xclang -coverage-version=B11*`)"
    )]
    UnknownVersion {
        /// Format version of the file.
        version: Version,
    },
    /// The file ends too early.
    #[error("is cut off at byte {offset}, within {within}: {missing} more bytes were expected")]
    Truncated {
        /// Offset of the incomplete part.
        offset: usize,
        /// Description of that part.
        within: &'static str,
        /// Minimum number of missing bytes.
        missing: usize,
    },
    /// The bytes contradict the format.
    #[error("is damaged at byte {offset}: {what}")]
    Malformed {
        /// Offset at which the damage was found.
        offset: usize,
        /// Description of the damage.
        what: String,
    },
    /// Notes and data are from different builds.
    #[error(
        "is from another build than the notes: its stamp is {data:#010x} (format {data_version}), theirs \
         is {notes:#010x} (format {notes_version}); rebuild and run again"
    )]
    OtherBuild {
        /// Stamp of the notes.
        notes: u32,
        /// Stamp of the data.
        data: u32,
        /// Format version of the notes.
        notes_version: Version,
        /// Format version of the data.
        data_version: Version,
    },
    /// The functions or their numbers of counters differ between data and notes.
    #[error("{what}")]
    Mismatch {
        /// Description and position of the difference.
        what: String,
    },
}

/// Returns the error for a number of counters that differs from the notes.
pub(super) fn other_number(offset: usize, function: &str, expected: usize, actual: usize) -> GcovError {
    let what =
        format!("has {actual} counters for function `{function}` at byte {offset} instead of {expected}");
    GcovError::Mismatch { what }
}
