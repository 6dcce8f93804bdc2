//! The server: its options, and how it starts and ends.

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

/// Maximum number of threads for long work. A single thread reads and answers all requests.
const MOST_THREADS: usize = 8;

/// Options of a server.
#[derive(Debug, Default)]
pub struct ServeOptions {
    /// Port; by default the first free port that is at least 7357.
    pub port: Option<u16>,
    /// Command that opens a line of code.
    pub editor: Option<Editor>,
    /// Folder that the study's source paths are relative to; its files may be shown.
    pub source_root: Option<PathBuf>,
    /// Workloads that are left out.
    pub exclusion: Exclusion,
    /// Maximum bytes of memory for the study; by default they depend on the size of the study.
    pub memory: Option<u64>,
    /// Options of the analysis.
    pub analysis: Options,
}

/// A server that listens, but does not answer yet.
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
    /// Fails if the study cannot be read, or if the server cannot listen on the port.
    pub fn bind(path: &Path, options: ServeOptions) -> Result<Self, ServeError> {
        let ServeOptions { port, editor, source_root, exclusion, memory, analysis } = options;
        let analysis = Options { keep_fits: true, ..analysis };
        // The state is taken before the study is read, so that later writes are noticed.
        let seen = FileState::read(path);
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

    /// Answers requests until the process is interrupted (SIGINT). Calls `ready` with the page's address only when
    /// interrupts are handled, because a caller that reads the address may interrupt at once.
    ///
    /// # Errors
    /// [`ServeError::Io`] if the server cannot be set up.
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
        // Answers in progress are abandoned.
        runtime.shutdown_background();
        interrupted
    }
}
