//! Notes that people write on the rows of a study.

use serde::{Deserialize, Serialize};

/// Maximum length of a note in bytes.
pub const LONGEST_NOTE: usize = 10_000;

/// A note on a function or a cluster.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The row that the note is on.
    pub on: Noted,
    /// The text, at most [`LONGEST_NOTE`] bytes.
    pub text: String,
}

/// A row that can have a note.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Noted {
    /// A function.
    Function {
        /// Its name.
        name: String,
        /// Its source file.
        file: String,
    },
    /// A cluster.
    Cluster {
        /// The name of its representative.
        representative: String,
    },
}
