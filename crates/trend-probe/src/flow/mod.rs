//! Control flow of a function: its blocks, what they dominate, and its loops.
//!
//! Begin with [`graph`]: the blocks and their edges, with [`dominators`] and the blocks of [`exceptions`]. [`loops`]
//! finds the loops in it. [`cycles`] tells which functions have any cycle at all.

pub(crate) mod cycles;
pub(crate) mod dominators;
pub(crate) mod exceptions;
pub(crate) mod graph;
pub(crate) mod loops;
