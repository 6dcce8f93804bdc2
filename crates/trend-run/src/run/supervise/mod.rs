//! Supervised processes: jobs that run one after another, and end when the caller wants to stop.
//!
//! Begin with `runner`. `process` is the tool's side of a supervisor, `scratch` the folder that both share.

mod process;
pub(crate) mod runner;
pub(crate) mod scratch;
pub(crate) mod stop;
