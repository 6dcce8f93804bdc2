//! Data of a page as one block of JSON: the published findings, and data that only the page needs. A test writes its
//! schema, `ui/generated/page.schema.json`, from which the page's types are made.
//!
//! Rows of clusters, functions and series are columns, see [`columns`]. Numbers that are not finite are `null`. Counts
//! above 2^53 are written exactly, but JavaScript rounds them. The findings' other numbers have six digits, see
//! [`numbers::write_findings`].
//!
//! Begin at `block.rs`.

mod answer;
pub(crate) mod block;
mod calls;
mod columns;
pub(crate) mod compare;
mod constant;
mod levels;
pub(crate) mod limits;
mod models;
mod numbers;
pub(crate) mod packed;
mod rows;
mod series;
mod sources;
mod tables;
mod words;
mod workloads;
