//! callgrind's output, and that of others who write its format.
//!
//! ```text
//! positions: line                 or `instr line`: what a cost line begins with
//! events: Ir Dr                   what its costs are
//! fl=(1) sort.c                   a file; `(1)` alone means the same from here on
//! fn=(3) sort                     a function, whose lines follow
//! 16 400                          line, costs: the function's own
//! +2 30                           relative to the line before; `*` is the same
//! cfn=(4) swap                    a call of swap, which
//! calls=50 +10                    happened 50 times and whose
//! 17 600                          costs are swap's and those beneath it: no costs of sort
//! totals: 1030                    what all own costs add up to
//! ```
//!
//! `fi` and `fe` change the file within a function, where code was inlined. Several parts in one file add up.
//!
//! # What a location's cost is
//!
//! Of a line of the program, the instructions of that line itself: where the file has their addresses and
//! the caller knows what was inlined ([`Inlining`]), of the innermost line that is no library's. What that line
//! spends in libraries is a location of its own for each library function that it calls, inlined or not, such as
//! `src/main.rs:6 → Vec::remove`: the own instructions of that function and of everything beneath it that is
//! library code, so the `memmove` in `Vec::remove` too (`charge.rs`). Every instruction is in one location, and all
//! add up to the file's totals.
//!
//! Library code is Rust's and C++'s standard library and what the system brings (`library.rs`). What the program does
//! not call, such as the loader's work, is by function and line as callgrind has it.

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

/// Reads callgrind's output as one run, where nothing is known of what was inlined: code of a library counts for the
/// function that it was inlined into, at the library's line. `event` is the column that is the cost, by default `Ir`,
/// or the first where there is none.
///
/// # Errors
/// It is none, is cut off, has no such event, or its costs do not add up to its totals.
pub fn read<'a>(
    input: impl Into<Input<'a>>,
    event: Option<&str>,
    root: &Root,
) -> Result<Imported, ImportError> {
    read_inlined(input, event, root, &mut Unknown)
}

/// The same where it is known what was inlined.
///
/// # Errors
/// As [`read`].
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
