//! Names of values in the program's terms: variables and parameters by debug information, memory by the path to it
//! (`m.rows`, `*p`, `a[]`), and results by their call.
//!
//! A value can have several names. The loop's own scope takes precedence over others. Variables of inlined functions,
//! such as the iterators of the standard libraries, do not count as names.
//!
//! Begin with [`names`]: variables. [`memory`]: paths to memory; [`expressions`]: computed values; [`members`]: members
//! of structures; [`captures`]: variables of closures; [`named`]: a name with its kind.

pub(crate) mod captures;
pub(crate) mod expressions;
pub(crate) mod members;
pub(crate) mod memory;
pub(crate) mod named;
pub(crate) mod names;
