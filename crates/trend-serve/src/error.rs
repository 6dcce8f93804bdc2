//! Why a study is not served.

use std::io;

use trend_profile::StudyError;

/// Why a study is not served. Completes "failed to …".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The study cannot be read.
    #[error("use the study: {0}")]
    Study(#[from] StudyError),
    /// The editor's command line cannot be read.
    #[error("read --editor {command}: {what}")]
    Editor {
        /// The command line.
        command: String,
        /// What is wrong with it.
        what: String,
    },
    /// The port cannot be listened on.
    #[error("listen on 127.0.0.1:{port}: {source}")]
    Listen {
        /// The port.
        port: u16,
        /// What the operating system said.
        source: io::Error,
    },
    /// Something that a server needs cannot be had.
    #[error("serve: {0}")]
    Io(#[from] io::Error),
}

impl ServeError {
    /// What helps.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Editor { .. } => Some("write it as in --editor 'code -g {file}:{line}'"),
            Self::Listen { source, .. } => Some(match source.kind() {
                io::ErrorKind::AddrInUse => {
                    "leave --port out, and the next free one is taken; or stop the server that listens there"
                }
                io::ErrorKind::PermissionDenied => "ports below 1024 are reserved: name another, or none",
                _ => "name another with --port, or none",
            }),
            Self::Study(_) | Self::Io(_) => None,
        }
    }
}
