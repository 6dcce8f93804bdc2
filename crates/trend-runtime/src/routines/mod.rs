//! Routines: their activations, on the stacks of frames of the threads that run them.
//!
//! ```text
//!   tables, state ─▶ ends, paths, guests ─▶ process ─▶ fork ─▶ thread ─▶ activations
//! ```
//!
//! Begin at `thread`.

pub mod activations;
pub mod contexts;
pub mod descriptors;
mod ends;
pub(crate) mod fork;
mod guests;
mod paths;
pub(crate) mod process;
mod renumber;
mod snapshot;
mod state;
pub mod tables;
pub mod thread;
