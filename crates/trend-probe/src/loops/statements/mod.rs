//! Statements of the code about trips: how often a loop runs, as far as the code alone says it.
//!
//! - Begin with [`stated`]: trips as an expression in the inputs, and [`constants`]: constant trip counts.
//! - Expressions are [`terms`]. The values in them grow by equal steps ([`linear`]), or are multiplied or divided in each
//!   trip ([`geometric`]).

pub(crate) mod constants;
pub(crate) mod geometric;
pub(crate) mod linear;
pub(crate) mod stated;
pub(crate) mod terms;
