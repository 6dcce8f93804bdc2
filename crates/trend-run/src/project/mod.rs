//! Projects that other tools build: packages of cargo, modules of Go, and the commands that build them.
//!
//! `command` tells which tool a command calls. `cargo_run` and `go_run` split a command that builds and runs into its
//! two parts.

pub(crate) mod cargo;
pub(crate) mod cargo_run;
pub(crate) mod command;
pub(crate) mod go_run;
