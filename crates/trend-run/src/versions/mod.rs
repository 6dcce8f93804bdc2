//! Versions of a program in a git repository.
//!
//! `revision` checks two of them out. `since` decides which workloads a change can affect, and `carry` keeps the
//! counts of the others.

mod carry;
mod diff;
pub(crate) mod git;
pub(crate) mod revision;
pub(crate) mod since;
mod sweeper;
