//! The command that runs a program.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The command that runs a program in every workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The words, with placeholders for what differs between workloads.
    Template(Vec<Vec<CommandPiece>>),
    /// The line that earlier versions recorded. Its words are unknown.
    Line(String),
}

/// A part of a word of a command.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CommandPiece {
    /// Text, lossily decoded.
    Text(String),
    /// Name of a parameter, or `input`.
    Placeholder(String),
}

impl Command {
    /// Returns true if both start the same program. Unknown for lines, which are equal or not.
    pub fn has_program_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Template(one), Self::Template(other)) => one.first() == other.first(),
            (one, other) => one.is_same(other),
        }
    }

    /// Returns true if both are the same command.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Template(one), Self::Template(other)) => one == other,
            (one, other) => one.to_string() == other.to_string(),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            Self::Template(words) => words,
            Self::Line(line) => return f.write_str(line),
        };
        for (i, word) in words.iter().enumerate() {
            f.write_str(if i > 0 { " " } else { "" })?;
            for piece in word {
                match piece {
                    CommandPiece::Text(text) => {
                        f.write_str(&text.replace('{', "{{").replace('}', "}}"))?;
                    }
                    CommandPiece::Placeholder(name) => write!(f, "{{{name}}}")?,
                }
            }
        }
        Ok(())
    }
}
