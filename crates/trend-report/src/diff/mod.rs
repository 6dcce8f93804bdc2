//! Comparison of two studies, for people: one word first, then the changes.
//!
//! Begin at `table.rs`.

pub(crate) mod sentences;
pub(crate) mod table;
pub(crate) mod words;
