//! Tables and pages of findings for a terminal; the same documents make Markdown.
//!
//! Begin at `tables/table.rs` for tables of many rows, and at `pages/page.rs` for the page of one. `frame.rs` writes
//! what surrounds both.

pub(crate) mod frame;
pub(crate) mod laws;
pub(crate) mod loops;
pub(crate) mod memory;
pub(crate) mod pages;
pub(crate) mod series;
pub(crate) mod tables;
