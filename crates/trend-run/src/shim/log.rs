//! One line per compiler call, written by the shims and read when the build is over.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use super::arguments::{Decision, Work};

/// What one call was, as a line: fields separated by tabs, in which backslash escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// Flags were added.
    Instrumented { compiler: String, work: Work },
    /// What it linked, by absolute path.
    Linked { program: String },
    /// What it linked loses its counters where it ends by other means than `exit`, for this reason.
    EndsUncounted { reason: String },
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

    fn line(&self) -> String {
        let fields: Vec<String> = match self {
            Self::Instrumented { compiler, work } => {
                let numbers = [work.compilations.to_string(), usize::from(work.links).to_string()];
                let fixed = ["instrumented".to_owned(), compiler.clone()].into_iter().chain(numbers);
                fixed.chain(work.clashes.iter().cloned()).collect()
            }
            Self::Linked { program } => vec!["linked".to_owned(), program.clone()],
            Self::EndsUncounted { reason } => vec!["ends".to_owned(), reason.clone()],
            Self::PassedThrough { reason } => vec!["passed".to_owned(), reason.clone()],
        };
        let fields: Vec<String> = fields.iter().map(|f| f.escape_default().to_string()).collect();
        fields.join("\t") + "\n"
    }

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('\t').map(unescape);
        match fields.next()?.as_str() {
            "instrumented" => {
                let compiler = fields.next()?;
                let compilations = fields.next()?.parse().ok()?;
                let links = fields.next()? == "1";
                let work = Work { compilations, links, clashes: fields.collect() };
                Some(Self::Instrumented { compiler, work })
            }
            "linked" => Some(Self::Linked { program: fields.next()? }),
            "ends" => Some(Self::EndsUncounted { reason: fields.next()? }),
            "passed" => Some(Self::PassedThrough { reason: fields.next()? }),
            _ => None,
        }
    }
}

/// Undoes [`str::escape_default`].
fn unescape(field: &str) -> String {
    let mut text = String::new();
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('u') => {
                let digits: String = chars.by_ref().take_while(|c| *c != '}').filter(|c| *c != '{').collect();
                text.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
            }
            Some(other) => text.push(other),
            None => {}
        }
    }
    text
}

/// Appends a call. Parallel writers do not mix, because it is one write to a file opened to append.
pub(crate) fn append(log: &Path, call: &Call) -> io::Result<()> {
    append_text(log, &call.line())
}

/// Appends lines of another log.
pub(crate) fn append_text(log: &Path, lines: &str) -> io::Result<()> {
    OpenOptions::new().append(true).open(log)?.write_all(lines.as_bytes())
}

/// Every call of a log; lines that are none are skipped.
pub(crate) fn read(text: &str) -> Vec<Call> {
    text.lines().filter_map(Call::parse).collect()
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
        let text: String = calls.iter().map(Call::line).collect();
        assert_eq!(text.lines().count(), 4);
        assert_eq!(read(&format!("{text}junk\n")), calls);
    }
}
