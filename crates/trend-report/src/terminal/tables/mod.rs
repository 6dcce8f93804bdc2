//! Tables of the whole study: its functions and other rows, predictions, time, and constants of the machine.
//!
//! Begin at `table.rs`. It shows functions, the default, with the columns of `functions.rs`, and all other rows with
//! those of `rows.rs`.

pub(crate) mod calibration;
pub(crate) mod fitting;
pub(crate) mod functions;
pub(crate) mod markdown;
pub(crate) mod prediction;
pub(crate) mod rows;
pub(crate) mod table;
pub(crate) mod time_parts;
