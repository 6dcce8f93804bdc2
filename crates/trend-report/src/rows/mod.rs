//! Rows that outputs show: clusters, functions, lines and series, found by name, selected and sorted.
//!
//! Begin at `item.rs`, which gives all rows one shape, and `scope.rs`, by which the law of each is chosen.

pub(crate) mod call_tree;
pub(crate) mod item;
pub(crate) mod place;
pub(crate) mod scope;
pub(crate) mod select;
pub(crate) mod selection;
