//! Errors that prevent a study from being served.

use std::io;

use trend_profile::StudyError;

/// Error that prevents a study from being served. Each message completes "failed to …".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The study cannot be read.
    #[error("use the study: {0}")]
    Study(#[from] StudyError),
    /// The editor's command line cannot be parsed.
    #[error("read --editor {command}: {what}")]
    Editor {
        /// Command line of the editor.
        command: String,
        /// Description of the mistake.
        what: String,
    },
    /// The server cannot listen on the port.
    #[error("listen on 127.0.0.1:{port}: {source}")]
    Listen {
        /// Requested port; 0 if none was requested.
        port: u16,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The server cannot get a resource that it needs.
    #[error("serve: {0}")]
    Io(#[from] io::Error),
}

impl ServeError {
    /// Returns a hint that helps to fix the error.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Editor { .. } => Some("write for example --editor 'code -g {file}:{line}'"),
            Self::Listen { source, .. } => Some(match source.kind() {
                io::ErrorKind::AddrInUse => {
                    "omit --port to use the next free one, or stop the server that listens there"
                }
                io::ErrorKind::PermissionDenied => {
                    "ports below 1024 are reserved; choose another, or omit --port"
                }
                _ => "choose another with --port, or omit it",
            }),
            Self::Study(_) | Self::Io(_) => None,
        }
    }
}
