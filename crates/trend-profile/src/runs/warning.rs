//! Warnings as data: what users should know before they trust a result.

use serde::{Deserialize, Serialize};

/// A warning about doubtful data or results, with advice.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Warning {
    /// A stable machine-readable word such as `few_workloads`.
    pub kind: String,
    /// Message for the user: the finding, its meaning, and advice.
    pub message: String,
}

impl Warning {
    /// Creates a warning of the given kind.
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), message: message.into() }
    }

    /// Returns a warning about the named workloads, which are no longer configured; `None` if there are none.
    pub fn of_retired<'n>(mut names: impl Iterator<Item = &'n str>) -> Option<Self> {
        let first = names.next()?;
        let message = match names.count() {
            0 => format!(
                "workload {first} does not count, because it is no longer configured; its runs stay in the \
                 study"
            ),
            more => format!(
                "{} workloads, such as {first}, do not count, because they are no longer configured; their \
                 runs stay in the study",
                more + 1
            ),
        };
        Some(Self::new("retired", message))
    }
}
