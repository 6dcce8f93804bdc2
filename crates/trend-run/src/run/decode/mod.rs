//! Counts of a run, read from what the program left in its counter folder.
//!
//! Begin with `source`, which chooses the decoder: `counters` for programs of `trend-prof build`, `routines` for the
//! probe, `callgrind`, or a module of `language`. `counting` sets the variables that make a program write its
//! counters, and `diagnosis` explains why there are none.

mod callgrind;
pub(crate) mod counted;
mod counters;
pub(crate) mod counting;
pub(crate) mod diagnosis;
mod inlined;
pub(crate) mod language;
mod places;
mod routines;
pub(crate) mod source;
