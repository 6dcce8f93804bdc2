//! Doubts about a power law: bends, steps, two trends, uneven scatter. `diagnosis` applies all tests; each other file
//! has one pattern.

pub(crate) mod diagnosis;
pub(crate) mod equal_runs;
pub(crate) mod two_trends;

mod change_point;
mod curvature;
mod scatter;
mod words;
