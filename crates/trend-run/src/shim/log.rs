//! One line per compiler call, written by the shims and read when the build is over.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::arguments::{Decision, Work};
use crate::mark::Mark;

/// What one call was: a line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Call {
    /// Flags were added.
    Instrumented { compiler: String, work: Work },
    /// What it linked, by absolute path.
    Linked { program: String },
    /// What it linked loses its counters where it ends by other means than `exit`, for this reason.
    EndsUncounted { reason: String },
    /// A source that it compiled is not probed.
    NotProbed { source: String, reason: String },
    /// An object that it linked was built with other options: with this probe, or without one.
    BuiltOtherwise { object: String, probe: Option<Mark> },
    /// An object that it linked has no counters, as another build compiled it.
    Uncounted { object: String },
    /// It was left alone.
    PassedThrough { reason: String },
}

impl Call {
    pub(crate) fn new(compiler: &Path, decision: Decision) -> Self {
        match decision {
            Decision::Instrument(work) => {
                Self::Instrumented { compiler: compiler.to_string_lossy().into_owned(), work }
            }
            Decision::PassThrough(reason) => Self::PassedThrough { reason: reason.to_owned() },
        }
    }
}

/// Appends a call. Parallel writers do not mix, because it is one write to a file opened to append.
pub(crate) fn append(log: &Path, call: &Call) -> io::Result<()> {
    append_text(log, &(serde_json::to_string(call)? + "\n"))
}

/// Appends lines of another log.
pub(crate) fn append_text(log: &Path, lines: &str) -> io::Result<()> {
    OpenOptions::new().append(true).open(log)?.write_all(lines.as_bytes())
}

/// Every call of a log; lines that are none are skipped.
pub(crate) fn read(text: &str) -> Vec<Call> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_come_back_from_the_log_whatever_their_names() {
        let work =
            Work { compilations: 2, links: true, clashes: vec!["a\tb\n".to_owned(), "ü\\".to_owned()] };
        let calls = [
            Call::Instrumented { compiler: "/usr/bin/my gcc\n".to_owned(), work },
            Call::Linked { program: "a b/\tc".to_owned() },
            Call::EndsUncounted { reason: "no\tcompiler".to_owned() },
            Call::PassedThrough { reason: "it's tested".to_owned() },
        ];
        let log = tempfile::NamedTempFile::new().unwrap();
        for call in &calls {
            append(log.path(), call).unwrap();
        }
        let text = std::fs::read_to_string(log.path()).unwrap();
        assert_eq!(text.lines().count(), 4);
        assert_eq!(read(&format!("{text}junk\n")), calls);
    }
}
