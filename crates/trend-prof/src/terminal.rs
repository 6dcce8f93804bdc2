//! The two ways out: results to stdout, everything else to stderr.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use trend_analyze::Findings;
use trend_report::TableOptions;

use crate::cli::{Color, Global};
use crate::failure::{Failure, HINT, harmless};

/// Width where there is no terminal to ask.
const DEFAULT_WIDTH: usize = 100;

/// What the user wants to see.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    pub(crate) verbose: u8,
    pub(crate) quiet: bool,
}

impl Terminal {
    /// Applies the options that hold for the whole process.
    pub(crate) fn new(global: &Global) -> Self {
        match global.color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        Self { verbose: global.verbose, quiet: global.quiet }
    }

    /// Columns of the terminal, or of `COLUMNS`.
    pub(crate) fn width() -> usize {
        let asked = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
        let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        asked.or_else(seen).unwrap_or(DEFAULT_WIDTH)
    }

    /// What a table is to look like here.
    pub(crate) fn table_options(self) -> TableOptions {
        TableOptions {
            all_doubts: self.verbose > 0,
            whole_names: !io::IsTerminal::is_terminal(&io::stdout()),
            width: Self::width(),
            ..TableOptions::default()
        }
    }

    /// Whether somebody watches stderr.
    pub(crate) fn shows_progress(self) -> bool {
        !self.quiet && io::IsTerminal::is_terminal(&io::stderr())
    }

    /// A line for whoever watches.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr(), "{}", harmless(text));
        }
    }

    /// A line for whoever asked for more.
    pub(crate) fn detail(self, text: &str) {
        if self.verbose > 0 {
            self.note(text);
        }
    }

    /// A way out.
    pub(crate) fn hint(self, text: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr(), "{HINT} hint{HINT:#}: {}", harmless(text));
        }
    }

    /// A doubt.
    pub(crate) fn warn(self, text: &str) {
        if !self.quiet {
            let yellow = anstyle::Style::new().fg_color(Some(anstyle::AnsiColor::Yellow.into())).bold();
            let _ = writeln!(anstream::stderr(), "{yellow}warning{yellow:#}: {}", harmless(text));
        }
    }
}

/// Writes the output of a build that failed to stderr, as it explains the error.
pub(crate) fn said(text: &str) {
    let _ = write!(anstream::stderr(), "{}", harmless(text));
}

/// `1 run`, `2 runs`.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// Writes a table to stdout, its colours stripped unless they belong there.
pub(crate) fn table(text: &str) -> Result<(), Failure> {
    write_all(anstream::stdout().lock(), text.as_bytes())
}

/// Writes a document to stdout byte for byte; on a terminal, without what that would obey.
pub(crate) fn document(text: &str) -> Result<(), Failure> {
    let stdout = io::stdout().lock();
    if io::IsTerminal::is_terminal(&stdout) {
        return write_all(stdout, harmless(text).as_bytes());
    }
    write_all(stdout, text.as_bytes())
}

/// Writes findings to stdout as JSON, which can be long, as it comes.
pub(crate) fn json(findings: &Findings) -> Result<(), Failure> {
    let stdout = io::stdout().lock();
    if io::IsTerminal::is_terminal(&stdout) {
        return document(&trend_report::json(findings));
    }
    written(trend_report::write_json(findings, stdout))
}

fn write_all(mut stream: impl Write, bytes: &[u8]) -> Result<(), Failure> {
    written(stream.write_all(bytes).and_then(|()| stream.flush()))
}

/// Nobody reading on is fine.
fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::from_error("failed to write the result", &error))
        }
        _ => Ok(()),
    }
}

/// Writes a file whole or not at all; `-` is stdout.
pub(crate) fn file(path: &Path, text: &str) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return document(text);
    }
    binary(path, text.as_bytes())
}

/// Writes bytes that are no text into a file, or to stdout for `-`.
pub(crate) fn binary(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return write_all(io::stdout().lock(), bytes);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || {
        let mut file = tempfile::Builder::new().prefix(".trend-prof-").tempfile_in(folder)?;
        file.write_all(bytes)?;
        // A temporary file is private; what a user asks for is not.
        fs::set_permissions(file.path(), std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
        file.persist(path).map_err(|e| e.error).map(drop)
    };
    let failed = |e: io::Error| Failure::from_error(format!("failed to write {}", path.display()), &e);
    // A device such as /dev/null must not be replaced by a file.
    if fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        let device = fs::OpenOptions::new().write(true).open(path).map_err(failed)?;
        return write_all(device, bytes);
    }
    write().map_err(failed)
}
