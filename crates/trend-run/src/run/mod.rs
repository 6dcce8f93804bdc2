//! Runs of a program's workloads, and what is recorded of them.
//!
//! ```text
//!   units ──▶ worker ─┐  input, run, counters → counts, features
//!         ──▶ worker ─┼──▶ channel ──▶ recorder ──▶ study
//!         ──▶ worker ─┘               (the caller's thread)
//! ```
//!
//! Begin with `execute`. From the bottom to the top:
//!
//! - `supervise` runs a process under a supervisor, in the scratch folder of a study.
//! - `decode` reads the counts that a run left, from each source of counts, and explains why there are none.
//! - `memory` records which lines allocate.
//! - `workload` runs one workload, from its input to its report.
//! - `execute` decides which workloads are left to run, and records their reports.
//! - `timing` times workloads without counters.
//!
//! `trials` and `fragments` run programs whose counts are not recorded in a study.

pub(crate) mod decode;
pub(crate) mod event;
pub(crate) mod execute;
pub(crate) mod fragments;
mod memory;
pub(crate) mod options;
pub(crate) mod root;
mod supervise;
pub(crate) mod timing;
pub(crate) mod trials;
mod workload;
