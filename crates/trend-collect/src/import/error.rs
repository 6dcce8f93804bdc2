//! Errors of reading files of counts.

/// Maximum number of characters of a text in an error message.
const SHOWN: usize = 60;

/// Reason why a file is unusable. Each message completes "failed to read PATH: …"; the caller knows the path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file has another format.
    #[error("the file is not a valid {format}: {problem}")]
    OtherFormat {
        /// Expected format of the file.
        format: &'static str,
        /// Description of what was found or is missing.
        problem: String,
    },
    /// The build has no reader of the format.
    #[error(
        "the file is a {format} file, and this trend-prof was built without {format}: install it with `--features {feature}`"
    )]
    NotBuilt {
        /// Name of the format.
        format: &'static str,
        /// Cargo feature that brings its reader.
        feature: &'static str,
    },
    /// The format is right, but another version of trend-prof wrote the file.
    #[error(
        "the file is a {format} from {} trend-prof: it has version {version}, but this one reads {supported}; build the \
         program with this trend-prof, or import it with the one that built it", if version > supported { "a newer" } else { "an older" }
    )]
    OtherVersion {
        /// Name of the format.
        format: &'static str,
        /// Version of the file.
        version: u32,
        /// Version that this program reads.
        supported: u32,
    },
    /// The file ends too early.
    #[error("the file is cut off: {missing}")]
    CutOff {
        /// Description of the missing part.
        missing: String,
    },
    /// Bytes of a sealed file differ from those that were written.
    #[error(
        "the file was changed after it was written, in bytes {start} to {end} (page {page}); copy it again, or record it again"
    )]
    Changed {
        /// Number of the page, 0-based.
        page: u64,
        /// Position of the first byte of the page.
        start: u64,
        /// Position of its last byte.
        end: u64,
    },
    /// A line is invalid.
    #[error("line {line}: {problem}")]
    Line {
        /// Number of the line, 1-based.
        line: usize,
        /// Description of the error.
        problem: String,
    },
    /// The JSON is invalid, or has an unexpected structure.
    #[error("line {line}, column {column}: {problem}")]
    Json {
        /// Number of the line, 1-based.
        line: usize,
        /// Number of the column, 1-based.
        column: usize,
        /// Error message of the parser.
        problem: String,
    },
    /// The table is not a valid table of counts or features.
    #[error("{what}")]
    Table {
        /// Description and position of the error, and advice.
        what: String,
    },
    /// The contents contradict themselves.
    #[error("the file contradicts itself: {what}")]
    Contradictory {
        /// Description of the contradiction.
        what: String,
    },
    /// The file is complete, but has nothing to import.
    #[error("the file has no counts: {reason}")]
    NoCounts {
        /// Cause of the problem, and advice.
        reason: String,
    },
    /// The file cannot be read.
    #[error("{error}")]
    Unreadable {
        /// Error message of the operating system.
        error: String,
    },
    /// The file unpacks to more than files of this size may.
    #[error("the file unpacks to more than {}, the limit for compressed files of this size", mebibytes(*most))]
    TooMuchUnpacked {
        /// Limit in bytes for this import.
        most: u64,
    },
    /// The places, counts or features need more memory than allowed.
    #[error("the file takes more than {} of memory, the limit for files of this size", mebibytes(*most))]
    TooMuchMemory {
        /// Limit in bytes for this import.
        most: u64,
    },
    /// A line is longer than any line that a tool writes.
    #[error("line {line} is longer than {}, the limit for this format", mebibytes(*most as u64))]
    LongLine {
        /// Number of the line, 1-based.
        line: usize,
        /// Limit of a line in bytes.
        most: usize,
    },
    /// The file has more items of a kind than an import may have.
    #[error("the file has more than {most} {what}")]
    TooMany {
        /// Plural noun for the items.
        what: &'static str,
        /// Maximum number of items.
        most: usize,
    },
    /// A requested name does not exist in the file.
    #[error("the file has no {what} `{name}`; it has {choices}")]
    Unknown {
        /// Noun for the kind of name.
        what: &'static str,
        /// Name that was requested.
        name: String,
        /// List of existing names.
        choices: String,
    },
}

/// Cuts a text for an error message.
pub(crate) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl ImportError {
    pub(super) fn line(line: usize, problem: impl Into<String>) -> Self {
        Self::Line { line, problem: problem.into() }
    }

    pub(crate) fn table(what: impl Into<String>) -> Self {
        Self::Table { what: what.into() }
    }

    /// Converts an error of a reader of bytes. It wraps either one of our own errors or one of the system.
    pub(crate) fn from_read(error: std::io::Error) -> Self {
        error.downcast::<Self>().unwrap_or_else(|error| Self::Unreadable { error: error.to_string() })
    }
}

impl From<serde_json::Error> for ImportError {
    fn from(error: serde_json::Error) -> Self {
        if error.is_eof() {
            let missing = format!("the JSON ends within a value (line {})", error.line());
            return Self::CutOff { missing };
        }
        let text = error.to_string();
        let problem = text.split(" at line ").next().unwrap_or_default().to_owned();
        Self::Json { line: error.line(), column: error.column(), problem }
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

/// Formats names for an error message: at most a few, and each cut.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let mut names: Vec<String> = names.take(MOST + 1).map(|n| format!("`{}`", shown(n))).collect();
    if names.is_empty() {
        return "none".to_owned();
    }
    if names.len() > MOST {
        names.truncate(MOST);
        names.push("more".to_owned());
    }
    names.join(", ")
}
