//! Error reports for the user: message, causes and hints.

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Color, Style};

/// Exit code for wrong usage, configuration or input.
pub(crate) const EXIT_WRONG_INPUT: u8 = 2;

/// Exit code if a workload failed, or if the program grows faster than expected.
pub(crate) const EXIT_EXPECTATION: u8 = 1;

/// Exit code if the runs cannot tell whether an expectation holds.
pub(crate) const EXIT_UNDECIDED: u8 = 3;

/// Style of the word "hint".
pub(crate) const HINT: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Cyan))).bold();

/// The error with which a command ends.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit_code: u8,
    message: String,
    causes: Vec<String>,
    hints: Vec<String>,
}

impl Failure {
    /// Creates a failure that the user's input or the machine caused.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { exit_code: EXIT_WRONG_INPUT, message: message.into(), causes: Vec::new(), hints: Vec::new() }
    }

    /// Creates a failure from an error and its causes.
    pub(crate) fn from_error(message: impl Into<String>, error: &dyn std::error::Error) -> Self {
        let mut failure = Self::new(format!("{}: {error}", message.into()));
        let mut cause = error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            // Many error messages already end with their cause.
            if !failure.message.ends_with(&text) {
                failure.causes.push(text);
            }
            cause = error.source();
        }
        failure
    }

    /// Puts `what:` before the message.
    pub(crate) fn about(mut self, what: &str) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    /// Adds a hint: the flag, file or command that helps.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds a hint, if there is one.
    pub(crate) fn maybe_hint(self, hint: Option<impl Into<String>>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// Sets the exit code.
    pub(crate) fn exit_code(mut self, code: u8) -> Self {
        self.exit_code = code;
        self
    }

    /// Writes the failure to stderr. Ignores write errors, which could not be reported.
    pub(crate) fn print(&self) {
        let red = Style::new().fg_color(Some(AnsiColor::Red.into())).bold();
        let mut stderr = anstream::stderr();
        let _ = writeln!(stderr, "{red}error{red:#}: {}", harmless(&self.message));
        for cause in &self.causes {
            let _ = writeln!(stderr, "  caused by: {}", harmless(cause));
        }
        for hint in &self.hints {
            let _ = writeln!(stderr, "{HINT} hint{HINT:#}: {}", harmless(hint));
        }
    }
}

/// Escapes characters of untrusted text that a terminal would interpret.
pub(crate) fn harmless(text: &str) -> String {
    let is_hostile = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hostile(c) { safe.extend(c.escape_default()) } else { safe.push(c) }
    }
    safe
}

/// Returns the reason why a file cannot have this name, such as its length.
fn no_such_name(path: &Path) -> Option<io::Error> {
    std::fs::symlink_metadata(path).err().filter(|e| e.kind() == io::ErrorKind::InvalidFilename)
}

impl From<trend_profile::StudyError> for Failure {
    fn from(error: trend_profile::StudyError) -> Self {
        use trend_profile::StudyError as E;
        if let E::ReadOnly { path } = &error
            && let Some(reason) = no_such_name(path)
        {
            return Self::from_error(format!("failed to use the study {}", path.display()), &reason)
                .hint("choose another name with --study");
        }
        let hint = match &error {
            E::Missing { .. } => Some("make one with `trend-prof run`, or choose another"),
            E::Newer { .. } | E::NewerContents { .. } => {
                Some("use the trend-prof that wrote it, or a newer one")
            }
            E::NotAStudy { .. } => {
                Some("studies end in .trend and are made by `trend-prof run` or `trend-prof import`")
            }
            E::Damaged { .. } => {
                Some("recover the readable part with `trend-prof repair`, or measure again with --fresh")
            }
            E::Limit { .. } => Some("if you trust it, allow more with `--memory 8GB`"),
            E::Moved { now: None, .. } => Some("its runs are lost; do not move a study while it is written"),
            E::Moved { now: Some(_), .. } => {
                Some("it has the runs recorded until then; do not move a study while it is written")
            }
            E::Changed { .. } => Some("recover the readable part with `trend-prof repair`"),
            E::DiskFull { .. } => Some("all recorded runs are safe; free some space and rerun"),
            E::ReadOnly { .. } => Some("choose a writable folder with --study, or copy the study there"),
            E::Busy { .. } => Some("wait for the other trend-prof, or stop it"),
            E::Exists { .. } => Some("choose another with --study, or replace it with --fresh"),
            _ => None,
        };
        Self::from_error("failed to use the study", &error).maybe_hint(hint)
    }
}

impl From<trend_analyze::AnalyzeError> for Failure {
    fn from(error: trend_analyze::AnalyzeError) -> Self {
        use trend_analyze::AnalyzeError as E;
        let hint = match &error {
            E::NoWorkloads { .. } => Some("run the workloads with `trend-prof run`, which reports failures"),
            E::InvalidSize { .. } => Some("write feature=size, for example bytes=128MB"),
            _ => None,
        };
        Self::from_error("failed to analyse the study", &error).maybe_hint(hint)
    }
}
