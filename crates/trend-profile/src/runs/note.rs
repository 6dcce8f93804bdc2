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
    /// A function, which its name and its source file identify.
    Function {
        /// Demangled name of the function.
        name: String,
        /// Source file, as the study names it.
        file: String,
    },
    /// A cluster, which its representative identifies.
    Cluster {
        /// Name of the representative: a feature or a location.
        representative: String,
    },
}
