//! Reads callgrind's output, and files of other tools in its format.
//!
//! ```text
//! positions: line                 or `instr line`: the first fields of a cost line
//! events: Ir Dr                   the events counted by its costs
//! fl=(1) sort.c                   a file; `(1)` alone refers to it from here on
//! fn=(3) sort                     a function, whose lines follow
//! 16 400                          line, costs: the function's own
//! +2 30                           relative to the previous line; `*` repeats it
//! cfn=(4) swap                    a call of swap,
//! calls=50 +10                    which happened 50 times
//! 17 600                          inclusive costs of swap: no costs of sort
//! totals: 1030                    the sum of all own costs
//! ```
//!
//! `fi` and `fe` change the file within a function, for inlined code. Several parts in one file add up.
//!
//! # Cost of a location
//!
//! A program line's cost is the instructions of that line itself. If the file has addresses and the caller knows the
//! inlined functions ([`Inlining`]), it is the innermost line outside of libraries. The line's cost in libraries is a
//! separate location for each library function that it calls, inlined or not, such as `src/main.rs:6 → Vec::remove`.
//! That location has the own instructions of the function and of all library code below it, including the `memmove` in
//! `Vec::remove` (`charge.rs`). Every instruction is in one location, and all add up to the file's totals.
//!
//! Library code is Rust's and C++'s standard library and the system's code (`library.rs`). Code that the program does
//! not call, such as the loader, is listed by function and line as in callgrind's file.

mod charge;
mod costs;
mod inlining;
pub(crate) mod library;
mod reader;

use std::sync::Arc;

pub use self::inlining::{Frame, Inlining};
use self::reader::ProfileReader;
use super::{ImportError, Imported, Input, Root};

struct Unknown;

impl Inlining for Unknown {
    fn frames(&mut self, _object: &str, _address: u64) -> Arc<[Frame]> {
        Arc::default()
    }
}

/// Reads callgrind's output as one run, without knowledge of inlined functions. Inlined library code counts for the
/// function around it, at the library's line. `event` selects the column of costs; the default is `Ir`, or the first
/// column if there is no `Ir`.
///
/// # Errors
/// Fails if the input has another format, is cut off, lacks the event, or has costs that do not add up to its totals.
pub fn read<'a>(
    input: impl Into<Input<'a>>,
    event: Option<&str>,
    root: &Root,
) -> Result<Imported, ImportError> {
    read_inlined(input, event, root, &mut Unknown)
}

/// Like [`read`], with knowledge of inlined functions.
///
/// # Errors
/// Fails like [`read`].
pub fn read_inlined<'a>(
    input: impl Into<Input<'a>>,
    event: Option<&str>,
    root: &Root,
    inlining: &mut dyn Inlining,
) -> Result<Imported, ImportError> {
    let mut input = input.into();
    let mut reader = ProfileReader::new(root, event, inlining, input.budget());
    while let Some((number, line)) = input.line()? {
        reader.line(line.trim(), number)?;
    }
    reader.finish(input.lines())
}

#[cfg(test)]
mod tests;
