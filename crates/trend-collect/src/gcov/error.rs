//! What can go wrong with notes and data.

use super::version::Version;

/// Why notes or data could not be used. Each completes "failed to read PATH: …"; the caller knows the
/// path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GcovError {
    /// The file is something else.
    #[error("is not a gcov {expected} file (it begins with {found})")]
    NotGcov {
        /// `notes` or `data`.
        expected: &'static str,
        /// The first bytes, printable.
        found: String,
    },
    /// A compiler that is too old or too new wrote the file.
    #[error(
        "has gcov format version {version}, and this trend-prof reads those of gcc 4.7 to gcc 15; build \
         the program with such a compiler (clang: `-Xclang -coverage-version=B11*`)"
    )]
    UnknownVersion {
        /// The file's version.
        version: Version,
    },
    /// The file ends too early.
    #[error("is cut off at byte {offset}, within {within}: {missing} more bytes were expected")]
    Truncated {
        /// Where the part begins that is not all there.
        offset: usize,
        /// What that part is.
        within: &'static str,
        /// How much is lacking at least.
        missing: usize,
    },
    /// The bytes contradict the format.
    #[error("is damaged at byte {offset}: {what}")]
    Malformed {
        /// Where it was noticed.
        offset: usize,
        /// What is wrong.
        what: String,
    },
    /// Notes and data do not belong together.
    #[error(
        "is of another build than the notes: its stamp is {data:#010x} (format {data_version}), theirs is \
         {notes:#010x} (format {notes_version}); build again and run again"
    )]
    OtherBuild {
        /// The stamp of the notes.
        notes: u32,
        /// The stamp of the data.
        data: u32,
        /// The format version of the notes.
        notes_version: Version,
        /// The format version of the data.
        data_version: Version,
    },
    /// The data counts other functions than the notes have, or with other counters.
    #[error("{what}")]
    Mismatch {
        /// How they differ, and where.
        what: String,
    },
}

/// The notes want another number of counters than there are.
pub(super) fn other_number(offset: usize, function: &str, expected: usize, found: usize) -> GcovError {
    let what =
        format!("has {found} counters for function `{function}` at byte {offset} instead of {expected}");
    GcovError::Mismatch { what }
}
