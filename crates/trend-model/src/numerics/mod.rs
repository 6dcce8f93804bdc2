//! Arithmetic: small linear systems, many logarithms at once, loops in wide registers, bisection. Nothing here knows
//! what the numbers mean.

pub(crate) mod bisection;
pub(crate) mod linear_system;
pub(crate) mod logarithms;
pub(crate) mod wide;
