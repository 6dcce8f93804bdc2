//! Time and memory: laws of both, the times of code fragments, and a person's formulas for an algorithm's time.

pub(crate) mod constants;
pub(crate) mod formula;
pub(crate) mod memory_law;
pub(crate) mod time_law;
pub(crate) mod uncounted;
