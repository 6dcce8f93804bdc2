//! A commented trend-prof.toml for the program in a folder.

use std::path::Path;

/// A configuration that somebody can go on from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The text of a trend-prof.toml; [`Config::parse`](crate::Config::parse) accepts it.
    pub text: String,
    /// What was found in the folder, a sentence each.
    pub found: Vec<String>,
    /// What has to be filled in before it can run, a sentence each; empty when it works as it is.
    pub to_do: Vec<String>,
}

/// Looks at a folder and proposes a configuration.
pub fn propose(_folder: &Path) -> Proposal {
    Proposal { text: String::new(), found: Vec::new(), to_do: Vec::new() }
}
