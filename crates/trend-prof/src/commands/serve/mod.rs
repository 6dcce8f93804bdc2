//! `trend-prof serve`: the page on loopback, with what does not fit into a file: every location's costs, predictions for
//! any size, the editor, and the study as it fills.
//!
//! A request goes from `connection` over `gate` (who may ask) and `routes` (what is asked) to the module that answers.
//! The study is read and analysed by one thread (`live`); requests see what it found last (`content`).

mod address;
mod answer;
mod connection;
mod content;
mod editor;
mod file_state;
mod gate;
mod live;
mod points;
mod predict;
mod query;
mod revision;
mod routes;
mod seats;
mod source;

use std::process::ExitCode;
use std::sync::Arc;

use trend_analyze::Options;

use crate::cli;
use crate::exclusion::Exclusion;
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};
use editor::Editor;
use file_state::FileState;
use gate::Gate;
use live::Live;
use predict::Predictor;
use routes::Server;

/// What the page says that it was made by.
const GENERATED_BY: &str = concat!("trend-prof ", env!("CARGO_PKG_VERSION"));

/// Threads for what takes its time. All requests are read and answered by one.
const MOST_THREADS: usize = 8;

/// What opens an address in the user's browser.
const BROWSER: &str = "xdg-open";

pub(super) fn serve(args: &cli::Serve, terminal: Terminal) -> Result<ExitCode, Failure> {
    let at = study::sizes(&args.at)?;
    let options = Options { keep_fits: true, ..study::options_for_page(&args.analysis, &at)? };
    let editor = Editor::choose(args.editor.as_deref())?;
    let path = study::path_or_only(args.study.as_deref())?;
    let seen = FileState::of(&path);
    let exclusion = Exclusion::new(&args.analysis.exclude);
    let memory = args.analysis.memory.as_deref().map(study::memory).transpose()?;
    let study = exclusion.apply(study::load(&path, memory)?);
    let listener = address::listen(args.port)?;
    let failed = |e: std::io::Error| Failure::from_error("failed to serve", &e);
    let port = listener.local_addr().map_err(failed)?.port();
    let server = Arc::new(Server {
        gate: Gate::new(port),
        predictor: Predictor::new(options.clone()),
        editor,
        source_root: source::SourceRoot(args.source_root.clone()),
        live: Live::follow(path.clone(), memory, exclusion, seen, study, options).map_err(failed)?,
    });

    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(MOST_THREADS)
        .enable_all()
        .build()
        .map_err(failed)?;
    let interrupted = runtime.block_on(async {
        // Before the address is told: whoever reads it may interrupt at once.
        let mut interrupts = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
        tokio::spawn(connection::accept(tokio::net::TcpListener::from_std(listener)?, server));
        announce(port, &path, args.open, terminal);
        interrupts.recv().await;
        Ok(())
    });
    // Nobody waits for answers that are being made.
    runtime.shutdown_background();
    interrupted.map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

/// Says where the page is: to programs on stdout, to people besides.
fn announce(port: u16, path: &std::path::Path, open: bool, terminal: Terminal) {
    let address = format!("http://127.0.0.1:{port}/");
    // Served all the same where nobody reads it.
    let _ = terminal::document(&format!("{address}\n"));
    terminal.note(&format!("serving {} to this machine; Ctrl-C ends", path.display()));
    if open && let Err(error) = trend_run::launch(&[BROWSER.into(), address.into()]) {
        terminal.warn(&format!("{BROWSER} cannot be started ({error}): open the address yourself"));
    }
}
