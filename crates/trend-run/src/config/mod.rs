//! The configuration of a study, from `trend-prof.toml` or from the command line.
//!
//! A [`Config`](settings::Config) is checked when it is created: placeholders are known, expressions compile and ranges
//! make sense. Only [`Config::read`](settings::Config::read) reads files.
//!
//! Begin with `settings`, the whole configuration. `read` turns a file into it, `command_line` an argument list, and
//! `propose` writes a file for a new program.

pub(crate) mod command_line;
pub(crate) mod expectation;
pub(crate) mod features;
pub(crate) mod program;
pub(crate) mod propose;
mod read;
pub(crate) mod settings;
pub(crate) mod shard;
mod source;
mod started;
#[cfg(test)]
mod tests;
mod values;
pub(crate) mod workloads;
