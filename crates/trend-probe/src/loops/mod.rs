//! Loops of a module: the inputs that decide their trip counts, and the trips as the program counts them.
//!
//! ```text
//!   bitcode ─▶ inline functions without loops ─▶ canonical loops ─▶ inputs, names ─▶ counters ─▶ -O2 ─▶ bodies of the hooks
//! ```
//!
//! - Begin with [`module`]: takes the functions of a module through all that follows.
//! - [`apart`] and [`canonical`]: prepare functions and loops.
//! - [`debug`]: debug information; [`naming`]: names of values in the program's terms.
//! - [`inputs`]: values that a loop depends on; [`statements`]: trips that the code states.
//! - [`facts`]: facts that are known before the program runs, which go into the object as text.
//! - [`instrument`]: counters, and the functions that they are passed to.

pub(crate) mod apart;
pub(crate) mod canonical;
pub(crate) mod debug;
pub(crate) mod facts;
pub(crate) mod inputs;
pub(crate) mod instrument;
pub(crate) mod module;
pub(crate) mod naming;
pub(crate) mod statements;
