//! Statements of the code about trips: how often a loop runs, as far as the code alone says it.
//!
//! Begin with [`stated`]: trips as an expression in the inputs. [`constants`]: constant trip counts; [`linear`]: values
//! that grow by equal steps; [`geometric`]: values that change by equal factors; [`terms`]: expressions.

pub(crate) mod constants;
pub(crate) mod geometric;
pub(crate) mod linear;
pub(crate) mod stated;
pub(crate) mod terms;
