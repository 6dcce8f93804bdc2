//! Laws of one row, as its page shows them: in words, as a plot, and with predictions.
//!
//! Begin at `row.rs`.

pub(crate) mod curve;
pub(crate) mod plots;
pub(crate) mod predictions;
pub(crate) mod row;
