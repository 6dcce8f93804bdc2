//! Doubt as data: what a person should know before trusting a result.

use serde::{Deserialize, Serialize};

/// Something doubtful that was noticed, with what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Warning {
    /// A stable machine-readable word such as `few_workloads`.
    pub kind: String,
    /// A sentence for a person: what was noticed, what it means, what helps.
    pub message: String,
}

impl Warning {
    /// A warning of the given kind.
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), message: message.into() }
    }
}
