//! Numbers that describe workloads.

use serde::{Deserialize, Serialize};

/// Index of a [`Feature`] in a [`Study`](crate::Study), in declared order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId(pub u32);

impl FeatureId {
    /// The index as a subscript.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a feature's values come from; kept in the study so that it explains itself. New variants go to the end: study
/// files hold their positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Definition {
    /// Bytes of the input file.
    Size,
    /// Newline characters of the input file.
    Lines,
    /// A parameter of the sweep.
    Parameter(String),
    /// A regular expression's first group in the workload's path.
    Path(String),
    /// A regular expression's first group in what the program wrote to stdout; the last match counts.
    Stdout(String),
    /// The same in what it wrote to stderr.
    Stderr(String),
    /// The same in a file that the run wrote.
    File {
        /// The file, relative to the run's working directory.
        path: String,
        /// The expression.
        pattern: String,
    },
    /// What a command printed.
    Command(Vec<String>),
    /// How often a line ran, as `file:line`; computed from the counts whenever a study is loaded.
    Location(String),
    /// Given with imported counts, or added afterwards from a table.
    Given,
    /// The size of a routine's input, by the routine's name: of the call with the largest; computed from the study's series
    /// whenever it is loaded.
    InputSize(String),
}

/// A number that describes each workload.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Unique in the study.
    pub name: String,
    /// Where the values come from.
    pub definition: Definition,
    /// `[workloads]`; `None` where the value is missing or is not a finite number.
    pub values: Vec<Option<f64>>,
}
