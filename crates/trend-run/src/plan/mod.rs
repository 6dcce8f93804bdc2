//! Plans: a configuration and the files on disk, turned into workloads.
//!
//! Begin with `make`. `extend` adds further values of a parameter later.

mod extend;
mod files;
pub(crate) mod make;
mod order;
mod single;
pub(crate) mod values;
pub(crate) mod workload;
