//! Reads execution counters of gcc and clang: `--coverage` writes notes (`.gcno`) when it compiles and data (`.gcda`)
//! when the program ends.
//!
//! [`Notes`] and [`Data`] belong to one object file; [`Program`](crate::Program) combines many into functions and
//! locations.
//!
//! `reader` reads bytes, `notes` and `data` read records, and `flow` derives the count of each block from the counters.

mod data;
mod error;
pub(crate) mod flow;
pub(crate) mod matching;
pub(crate) mod notes;
mod reader;
pub(crate) mod shape;
mod version;

pub use data::Data;
pub use error::GcovError;
pub use flow::{Doubt, FunctionCounts};
pub use notes::{Arc, BlockLine, FunctionNotes, Notes};
pub use version::Version;
