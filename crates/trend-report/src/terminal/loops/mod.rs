//! Loops in the program's own variables: a table of them, and the source annotated with its loops.
//!
//! Begin at `table.rs`; `page.rs` shows one function.

mod cells;
mod chosen;
pub(crate) mod page;
mod parts;
pub(crate) mod table;

#[cfg(test)]
mod tests;
