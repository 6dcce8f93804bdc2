//! Candidates: the models that compete for a verdict, fitted and weighed by their evidence. `candidate` lists them, and
//! `weighing` uses the other files.

pub(crate) mod evidence;
pub(crate) mod growth_fit;
pub(crate) mod model;
pub(crate) mod weighing;

mod candidate;
mod columns;
mod fitted;
mod free;
mod independence;
mod regimes;
