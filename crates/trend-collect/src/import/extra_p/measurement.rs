//! What all shapes of the format are read into.

use std::sync::Arc;

/// What stands for a metric, or a callpath, that has no name.
pub(super) const UNNAMED: &str = "value";
pub(super) const WHOLE_PROGRAM: &str = "main";

/// One measured value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measurement {
    pub(super) parameters: Vec<(String, f64)>,
    pub(super) metric: Arc<str>,
    pub(super) callpath: Arc<str>,
    pub(super) values: Vec<f64>,
}
