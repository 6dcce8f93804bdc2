//! Polynomials: exact arithmetic, text, and sums over a counter. Begin at `polynomial`.

pub(crate) mod polynomial;
pub(crate) mod rational;
pub(crate) mod summation;
pub(crate) mod words;

mod parse;
