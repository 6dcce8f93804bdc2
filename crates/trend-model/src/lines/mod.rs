//! Lines: least squares with and without weights, and robust intervals. Nothing here knows about logarithms or costs.
//! Begin at `regression`.

pub(crate) mod line;
pub(crate) mod regression;
pub(crate) mod robust_intervals;
pub(crate) mod weighted_line;
