//! Series by size: the table of all, the tree of their calling contexts, and the page of one place.
//!
//! Begin at `table.rs`.

mod context_tree;
pub(crate) mod page;
pub(crate) mod table;
