//! Numbers that describe workloads.

use serde::{Deserialize, Serialize};

/// Index of a [`Feature`] in a [`Study`](crate::Study), in declared order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId(pub u32);

impl FeatureId {
    /// Returns the index as a `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Source of a feature's values, kept in the study so that it documents itself. New variants go to the end: study files
/// store their positions.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Definition {
    /// Bytes of the input file.
    Size,
    /// Newline characters of the input file.
    Lines,
    /// A parameter of the sweep.
    Parameter(String),
    /// First group of a regular expression in the workload's path.
    Path(String),
    /// First group of a regular expression in the program's stdout; the last match counts.
    Stdout(String),
    /// First group of a regular expression in the program's stderr; the last match counts.
    Stderr(String),
    /// First group of a regular expression in a file that the run wrote; the last match counts.
    File {
        /// Path of the file, relative to the run's working directory.
        path: String,
        /// Regular expression with a group.
        pattern: String,
    },
    /// Output of a command.
    Command(Vec<String>),
    /// Executions of a line, as `file:line`; computed from the counts whenever a study is loaded.
    Location(String),
    /// Given with imported counts, or added later from a table.
    Given,
    /// Largest input size of a routine, by the routine's name. It is computed from the study's series whenever the
    /// study is loaded.
    InputSize(String),
}

/// A number that describes each workload.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Name, unique in the study.
    pub name: String,
    /// Source of the values.
    pub definition: Definition,
    /// `[workloads]`; `None` if the value is missing or not a finite number.
    pub values: Vec<Option<f64>>,
}
