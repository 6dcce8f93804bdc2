//! The build's log: one line per compiler call, written by the shims and read after the build.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::arguments::{Decision, Work};
use crate::program::mark::Mark;

/// The log entry of a call, as a line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Call {
    /// The call was instrumented.
    Instrumented { compiler: String, work: Work },
    /// The call linked this program or library, given by its absolute path.
    Linked { program: String },
    /// The program or library that the call linked loses its counters unless it ends by `exit`, for this reason.
    EndsUncounted { reason: String },
    /// A source that the call compiled has no probe.
    NotProbed { source: String, reason: String },
    /// An object that the call linked was built with other options: with this probe, or without one.
    BuiltOtherwise { object: String, probe: Option<Mark> },
    /// An object that the call linked has no counters, because another build compiled it.
    Uncounted { object: String },
    /// The call was left alone.
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

/// Appends an entry in one write to a file opened for appending, so that entries of parallel writers do not mix.
pub(crate) fn append(log: &Path, call: &Call) -> io::Result<()> {
    append_text(log, &(serde_json::to_string(call)? + "\n"))
}

/// Appends lines of another log.
pub(crate) fn append_text(log: &Path, lines: &str) -> io::Result<()> {
    OpenOptions::new().append(true).open(log)?.write_all(lines.as_bytes())
}

/// Reads all entries of a log, and skips lines that are not entries.
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
