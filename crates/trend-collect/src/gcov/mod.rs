//! gcc's and clang's execution counters: `--coverage` leaves notes (`.gcno`) when it compiles and data
//! (`.gcda`) when the program ends.
//!
//! [`Notes`] and [`Data`] are one object file's; [`Program`] makes functions and locations of many.

mod data;
mod error;
mod flow;
mod matching;
mod names;
mod notes;
mod paths;
mod program;
mod reader;

pub(crate) use names::symbol;
pub(crate) use paths::Base;

pub use data::Data;
pub use error::GcovError;
pub use flow::{Doubt, FunctionCounts};
pub use notes::{Arc, BlockLine, FunctionNotes, Notes};
pub use program::{ObjectId, Program};
pub use reader::Version;
