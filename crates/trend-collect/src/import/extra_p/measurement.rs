//! Common representation of all shapes of the format.

use std::sync::Arc;

/// Name for a metric without a name.
pub(super) const UNNAMED: &str = "value";
pub(super) const WHOLE_PROGRAM: &str = "main";

/// Values measured at one point.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measurement {
    pub(super) parameters: Vec<(String, f64)>,
    pub(super) metric: Arc<str>,
    pub(super) callpath: Arc<str>,
    pub(super) values: Vec<f64>,
}
