//! Runs of real programs, compiled here by gcc, from the configuration to the recorded counts.

mod bad_runs;
mod bench;
mod builds;
mod features;
mod recording;
mod resuming;
