//! Files for other programs: JSON, CSV, Parquet, and formats of profilers.
//!
//! Begin at `json.rs` for all findings, and at `csv.rs` for the rows of a table.

pub(crate) mod aprof;
pub(crate) mod counts;
pub(crate) mod csv;
pub(crate) mod extra_p;
mod fields;
pub(crate) mod json;
pub(crate) mod laws;
#[cfg_attr(not(feature = "parquet"), path = "parquet/absent.rs")]
pub(crate) mod parquet;
pub(crate) mod predicted;
mod typed_columns;
