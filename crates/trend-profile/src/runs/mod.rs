//! Runs of workloads: features, outcomes, units, samples, notes, and the machine. Begin at `workload`.

pub(crate) mod feature;
pub(crate) mod machine;
pub(crate) mod note;
pub(crate) mod sampled;
pub(crate) mod unit;
pub(crate) mod usage;
pub(crate) mod warning;
pub(crate) mod workload;
