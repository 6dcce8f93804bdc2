//! Tables of the whole study: its functions and other rows, predictions, time, and constants of the machine.
//!
//! Begin at `table.rs`.

pub(crate) mod calibration;
pub(crate) mod fitting;
pub(crate) mod markdown;
pub(crate) mod overview;
pub(crate) mod prediction;
pub(crate) mod rows;
pub(crate) mod table;
pub(crate) mod time_parts;
