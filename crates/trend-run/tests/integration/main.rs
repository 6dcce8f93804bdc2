//! Runs real programs, compiled here by gcc, from the configuration to the recorded counts.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod bad_runs;
mod bench;
mod builds;
mod callgrind;
mod ends;
mod features;
mod languages;
mod processes;
mod python;
mod recording;
mod resuming;
mod trials;
