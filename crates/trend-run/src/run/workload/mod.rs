//! One workload: its input, its run, and the report about it.
//!
//! Begin with `worker`. `values` finds the values of features.

pub(crate) mod ended;
pub(crate) mod report;
mod values;
pub(crate) mod worker;
