//! Pages of one cluster, function, line or routine.
//!
//! Begin at `page.rs`, which finds what a name means.

mod calling_lines;
mod cluster;
pub(crate) mod page;
mod row;
mod source_lines;
