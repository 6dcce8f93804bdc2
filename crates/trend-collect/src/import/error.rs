//! What can be wrong with a file of counts.

/// Longer texts are cut in errors.
const SHOWN: usize = 60;

/// Why a file could not be used. Each completes "failed to read PATH: …"; the caller knows the path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// It is of another format.
    #[error("is no {format}: {found}")]
    OtherFormat {
        /// The format that was asked for.
        format: &'static str,
        /// What it looks like, or what it lacks.
        found: String,
    },
    /// It is of the format, and another version of trend-prof wrote it.
    #[error(
        "is a {format} that {} trend-prof wrote: it is of version {found}, and this one reads {known}; build the program with this \
         trend-prof, or import it with the one that built it", if found > known { "a newer" } else { "an older" }
    )]
    OtherVersion {
        /// The format.
        format: &'static str,
        /// The file's version.
        found: u32,
        /// The one that can be read.
        known: u32,
    },
    /// It ends before it is complete.
    #[error("is cut off: {missing}")]
    CutOff {
        /// What should still come.
        missing: String,
    },
    /// A line cannot be read.
    #[error("line {line}: {problem}")]
    Line {
        /// 1-based.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// The JSON cannot be read, or has another shape.
    #[error("line {line}, column {column}: {problem}")]
    Json {
        /// 1-based.
        line: usize,
        /// 1-based.
        column: usize,
        /// What the parser says.
        problem: String,
    },
    /// It is no table as tables of counts or features are.
    #[error("{what}")]
    Table {
        /// What is wrong where, and what helps.
        what: String,
    },
    /// What it says contradicts itself.
    #[error("contradicts itself: {what}")]
    Contradictory {
        /// What and what.
        what: String,
    },
    /// It is whole, and there is nothing to import.
    #[error("has no counts: {reason}")]
    NoCounts {
        /// Why, and what helps.
        reason: String,
    },
    /// It cannot be read.
    #[error("{error}")]
    Unreadable {
        /// What the system says.
        error: String,
    },
    /// More comes out of gzip than the size of the files explains.
    #[error("unpacks to more than {}, the limit for compressed files of this size", mebibytes(*most))]
    TooMuchUnpacked {
        /// In bytes.
        most: u64,
    },
    /// It has more places, counts or features than may be kept.
    #[error("takes more than {} of memory, the limit for files of this size", mebibytes(*most))]
    TooMuchMemory {
        /// In bytes.
        most: u64,
    },
    /// A line is longer than any that a tool writes.
    #[error("line {line} is longer than {}, which no line of this format is", mebibytes(*most as u64))]
    LongLine {
        /// 1-based.
        line: usize,
        /// In bytes.
        most: usize,
    },
    /// There are more of something than an import may have.
    #[error("has more than {most} {what}")]
    TooMany {
        /// What kind of thing.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// Something was asked for that is not there.
    #[error("has no {what} `{name}`; it has {known}")]
    Unknown {
        /// What kind of thing.
        what: &'static str,
        /// Its name.
        name: String,
        /// The names there are.
        known: String,
    },
}

/// A text for an error message.
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

    /// What a reader of bytes failed for: our own limits, or the system.
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

/// Names for an error message: not more than a few, and none too long.
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
