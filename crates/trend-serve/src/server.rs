//! The server: what it serves, and how it begins and ends.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::signal::unix::{SignalKind, signal};
use trend_analyze::{Exclusion, Options};
use trend_profile::StudyFile;

use crate::editor::Editor;
use crate::file_state::FileState;
use crate::gate::Gate;
use crate::live::Live;
use crate::predict::Predictor;
use crate::routes::Site;
use crate::source::SourceRoot;
use crate::{ServeError, address, connection};

/// Threads for what takes its time. All requests are read and answered by one.
const MOST_THREADS: usize = 8;

/// How a study is served.
#[derive(Debug, Default)]
pub struct ServeOptions {
    /// The port; without one, the first free port from 7357 on.
    pub port: Option<u16>,
    /// What opens a line of code.
    pub editor: Option<Editor>,
    /// The folder that the study's source paths start from, whose files may be shown.
    pub source_root: Option<PathBuf>,
    /// Workloads that are left out.
    pub exclusion: Exclusion,
    /// The bytes of memory that the study may take; without, what a study of its size may.
    pub memory: Option<u64>,
    /// How the study is analysed.
    pub analysis: Options,
}

/// A server that listens and answers nothing yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
    site: Arc<Site>,
}

impl Server {
    /// Reads the study at `path` and listens on loopback.
    ///
    /// # Errors
    /// The study cannot be read, or the port cannot be listened on.
    pub fn bind(path: &Path, options: ServeOptions) -> Result<Self, ServeError> {
        let ServeOptions { port, editor, source_root, exclusion, memory, analysis } = options;
        let analysis = Options { keep_fits: true, ..analysis };
        // Taken before the study is read: what is written meanwhile is seen later.
        let seen = FileState::of(path);
        let study = exclusion.apply(StudyFile::read(path, memory)?);
        let listener = address::listen(port)?;
        let port = listener.local_addr()?.port();
        let site = Arc::new(Site {
            gate: Gate::new(port),
            predictor: Predictor::new(analysis.clone()),
            editor,
            source_root: SourceRoot(source_root),
            live: Live::follow(path.to_owned(), memory, exclusion, seen, study, analysis)?,
        });
        Ok(Self { listener, port, site })
    }

    /// Answers requests until the process is interrupted (SIGINT). Calls `ready` with the page's address as soon as an
    /// interruption is heard: whoever reads the address may interrupt at once.
    ///
    /// # Errors
    /// [`ServeError::Io`].
    pub fn run(self, ready: impl FnOnce(&str)) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(MOST_THREADS)
            .enable_all()
            .build()?;
        let interrupted = runtime.block_on(async {
            let mut interrupts = signal(SignalKind::interrupt())?;
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::spawn(connection::accept(listener, self.site));
            ready(&format!("http://127.0.0.1:{}/", self.port));
            interrupts.recv().await;
            Ok(())
        });
        // Nobody waits for answers that are being made.
        runtime.shutdown_background();
        interrupted
    }
}
