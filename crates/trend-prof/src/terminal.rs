//! Output: results go to stdout, everything else to stderr.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use trend_analyze::Findings;
use trend_report::TableOptions;

use crate::cli::{Color, Global};
use crate::failure::{Failure, HINT, harmless};

/// Width in columns if stdout is not a terminal.
const DEFAULT_WIDTH: usize = 100;

/// Verbosity of the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    pub(crate) verbose: u8,
    pub(crate) quiet: bool,
}

impl Terminal {
    /// Applies the options that affect the whole process.
    pub(crate) fn new(global: &Global) -> Self {
        match global.color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        Self { verbose: global.verbose, quiet: global.quiet }
    }

    /// Returns the width from `COLUMNS`, or else from the terminal.
    pub(crate) fn width() -> usize {
        let configured = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
        let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        configured.or_else(seen).unwrap_or(DEFAULT_WIDTH)
    }

    /// Returns the table options for this terminal.
    pub(crate) fn table_options(self) -> TableOptions {
        TableOptions {
            all_doubts: self.verbose > 0,
            whole_names: !io::IsTerminal::is_terminal(&io::stdout()),
            width: Self::width(),
            ..TableOptions::default()
        }
    }

    /// Returns true if progress is shown: stderr is a terminal, and `--quiet` is not given.
    pub(crate) fn shows_progress(self) -> bool {
        !self.quiet && io::IsTerminal::is_terminal(&io::stderr())
    }

    /// Prints a status line.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr(), "{}", harmless(text));
        }
    }

    /// Prints a line if `--verbose` is given.
    pub(crate) fn detail(self, text: &str) {
        if self.verbose > 0 {
            self.note(text);
        }
    }

    /// Prints a hint.
    pub(crate) fn hint(self, text: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr(), "{HINT} hint{HINT:#}: {}", harmless(text));
        }
    }

    /// Prints a warning.
    pub(crate) fn warn(self, text: &str) {
        if !self.quiet {
            let yellow = anstyle::Style::new().fg_color(Some(anstyle::AnsiColor::Yellow.into())).bold();
            let _ = writeln!(anstream::stderr(), "{yellow}warning{yellow:#}: {}", harmless(text));
        }
    }
}

/// Writes the output of a failed build to stderr, because it explains the error.
pub(crate) fn write_build_output(text: &str) {
    let _ = write!(anstream::stderr(), "{}", harmless(text));
}

/// Formats a count with its noun: `1 run`, `2 runs`.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// Writes a table to stdout. Strips its colours if stdout does not support them.
pub(crate) fn table(text: &str) -> Result<(), Failure> {
    write_all(anstream::stdout().lock(), text.as_bytes())
}

/// Writes a document to stdout byte for byte. On a terminal, escapes control characters.
pub(crate) fn document(text: &str) -> Result<(), Failure> {
    let stdout = io::stdout().lock();
    if io::IsTerminal::is_terminal(&stdout) {
        return write_all(stdout, harmless(text).as_bytes());
    }
    write_all(stdout, text.as_bytes())
}

/// Streams findings to stdout as JSON, which can be long.
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

/// Ignores broken pipes.
fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::from_error("failed to write the result", &error))
        }
        _ => Ok(()),
    }
}

/// Writes a file atomically; `-` is stdout.
pub(crate) fn file(path: &Path, text: &str) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return document(text);
    }
    binary(path, text.as_bytes())
}

/// Writes bytes to a file atomically, or to stdout for `-`.
pub(crate) fn binary(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return write_all(io::stdout().lock(), bytes);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || {
        let mut file = tempfile::Builder::new().prefix(".trend-prof-").tempfile_in(folder)?;
        file.write_all(bytes)?;
        // Temporary files are private, but an output file should be readable by all.
        fs::set_permissions(file.path(), std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
        file.persist(path).map_err(|e| e.error).map(drop)
    };
    let failed = |e: io::Error| Failure::from_error(format!("failed to write {}", path.display()), &e);
    // Write to devices such as /dev/null directly: they must not be replaced by a file.
    if fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        let device = fs::OpenOptions::new().write(true).open(path).map_err(failed)?;
        return write_all(device, bytes);
    }
    write().map_err(failed)
}
