//! `trend-prof serve`: serves the page on loopback.

use std::path::Path;
use std::process::ExitCode;

use trend_analyze::Exclusion;
use trend_serve::{Editor, ServeError, ServeOptions, Server};

use crate::cli;
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};

/// Program that opens an address in the user's browser.
const BROWSER: &str = "xdg-open";

pub(crate) fn serve(args: &cli::Serve, terminal: Terminal) -> Result<ExitCode, Failure> {
    let at = study::sizes(&args.at)?;
    let options = ServeOptions {
        port: args.port,
        analysis: study::options_for_page(&args.analysis, &at)?,
        editor: args.editor.as_deref().map(Editor::parse).transpose()?,
        source_root: args.source_root.clone(),
        exclusion: Exclusion::new(&args.analysis.exclude),
        memory: args.analysis.memory,
    };
    let path = study::path_or_only(args.study.as_deref())?;
    Server::bind(&path, options)?.run(|address| announce(address, &path, args.open, terminal))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the address of the page: to stdout for programs, and to stderr for users.
fn announce(address: &str, path: &Path, open: bool, terminal: Terminal) {
    // Serve the page even if stdout is closed.
    let _ = terminal::document(&format!("{address}\n"));
    terminal.note(&format!("serving {} on this machine; Ctrl-C stops it", path.display()));
    if open && let Err(error) = trend_run::launch(&[BROWSER.into(), address.into()]) {
        terminal.warn(&format!("failed to start {BROWSER} ({error}); open the address yourself"));
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::Study(error) => error.into(),
            error => Self::new(format!("failed to {error}")).maybe_hint(error.hint()),
        }
    }
}
