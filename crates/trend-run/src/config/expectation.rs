//! Expectations about a program's growth and costs.

use trend_profile::Measure;

/// The code whose growth or cost an [`Expectation`] limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The whole program.
    Program,
    /// A function, given by its name.
    Function(String),
    /// All functions of a file.
    File(String),
    /// A line, written `file:line`.
    Line(String),
    /// All functions that a baseline does not contain.
    NewCode,
}

/// One `[[expect]]` entry, which limits the growth or the cost of some code.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Line number of the entry in the configuration, 1-based.
    pub config_line: usize,
    /// The code whose growth or cost the entry limits.
    pub target: Target,
    /// The expected growth, such as `<= n log n`. It is not parsed here.
    pub growth: Option<String>,
    /// Limits of the costs.
    pub costs: Vec<CostLimit>,
    /// The features in which the growth is limited; empty for the first of the study.
    pub features: Vec<String>,
}

/// A cost limit at a given size.
#[derive(Clone, Debug, PartialEq)]
pub struct CostLimit {
    /// The measure that is limited.
    pub measure: Measure,
    /// The size, as features and their values.
    pub at: Vec<(String, f64)>,
    /// Maximum value: in the study's unit, in seconds or in bytes.
    pub most: f64,
}
