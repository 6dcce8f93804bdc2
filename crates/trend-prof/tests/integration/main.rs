//! End-to-end tests of the binary: from a program's source to the findings on stdout.
//!
//! Behaviour of a single crate is tested in that crate. These tests go through all crates, and compile and run programs
//! in temporary folders.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod aprof_plot;
mod bad_input;
mod bench;
mod book;
mod builds;
mod calibrate;
mod cargo;
mod chaos;
mod check;
mod ci;
mod ctest;
mod demo;
mod diff;
mod documented_ways;
mod endings;
mod examples;
mod grows;
mod hostile_names;
mod hostile_studies;
mod import_growth;
mod import_trust;
mod imports;
mod interruptions;
mod memory;
mod named;
mod notes;
mod one_law;
mod outputs;
mod probe;
mod probe_builds;
mod probe_libraries;
mod profiles;
mod redaction;
mod rust;
mod rust_probe;
mod seconds;
mod sentences;
mod serve;
mod shards;
mod since;
mod studies;
mod trial;
mod until_decided;
mod worst;
