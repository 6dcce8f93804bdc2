//! Builds programs with instrumentation, runs workloads and records counts.
//!
//! [`build`] runs any build command with compilers that instrument. A [`Config`] describes the program and its
//! workloads, and [`plan()`] lists these. [`execute`] runs the workloads that are not recorded yet, and records them in
//! a [`StudyFile`](trend_profile::StudyFile).
//!
//! # Design constraints
//!
//! - This is the only crate that spawns processes. Programs run under supervisors, and none of their processes outlives
//!   its run. During [`execute`], this process adopts orphans of its descendants.
//! - It never prints and never exits. It returns values and reports events to an [`Observer`].
//! - Recorded counts are complete. A run whose counters are missing, truncated or from another build is recorded with a
//!   reason and without counts.
//! - Runs never share a counter folder, and counts of two builds are never mixed.
//! - One thread writes the study, with one transaction per run.
//! - Names of files, arguments and variables are bytes, and need not be UTF-8.
//! - It runs on Linux only, because it relies on pidfd, wait4 and /proc.
//!
//! # Folders
//!
//! From the bottom up: no folder imports from a later one.
//!
//! | folder | its subject |
//! |---|---|
//! | `words`, `machine` | what users write; this machine |
//! | `program`, `project` | programs as files, and their instrumentation; packages of cargo and modules of Go |
//! | `shim`, `supervisor` | this executable in the role of a compiler; in the role of the parent process of a run |
//! | `config`, `plan` | the configuration, and the workloads that follow from it |
//! | `build` | builds with counters |
//! | `run` | runs of the workloads, their counts and their times |
//! | `versions` | two revisions of a repository, and the workloads that a change affects |

#![cfg(target_os = "linux")]

mod build;
mod config;
mod error;
mod machine;
mod plan;
mod program;
mod project;
mod run;
pub mod shim;
pub mod supervisor;
mod versions;
mod words;

pub use build::build;
pub use build::fresh::needs_build;
pub use build::named::{Named, is_made_without_counters, may_be_made, named};
pub use build::options::{BuildOptions, BuildOutput};
pub use build::report::{BuildReport, Compiler, GoCounters};
pub use config::command_line::CommandLine;
pub use config::expectation::{CostLimit, Expectation, Target};
pub use config::features::FeatureSource;
pub use config::program::ProgramConfig;
pub use config::propose::command::Seed;
pub use config::propose::{Proposal, propose};
pub use config::settings::{CONFIG_FILE, Config, Fragments};
pub use config::shard::Shard;
pub use config::workloads::WorkloadsConfig;
pub use error::{BuildError, RunError};
pub use machine::description::this_machine;
pub use machine::launch::launch;
pub use plan::make::plan;
pub use plan::workload::{Plan, PlannedWorkload};
pub use program::instrumentation::{
    CellSize, ClangCounters, Cost, Crates, Instrumentation, Metric, Probe, ProbeOptions, Update,
};
pub use program::language::{Language, Packages};
pub use program::nature::{starts_instrumented, starts_script};
pub use project::command::{is_cargo_build, mentions_cargo};
pub use run::decode::language::go::modules as go_modules;
pub use run::decode::source::CountSource;
pub use run::event::{Event, LargerSkipped, Observer, PendingRun, TimingStep};
pub use run::execute::built::probe_of;
pub use run::execute::execute;
pub use run::execute::resume::is_of_another_build;
pub use run::execute::summary::{Advice, Failure, Summary};
pub use run::fragments::{Experiment, FragmentError, FragmentWorker, Measurement};
pub use run::options::{ExecuteOptions, Publish};
pub use run::timing::time;
pub use run::trials::{Trial, TrialEnd, TrialError, TrialWorker, Trials};
pub use versions::git::RevisionError;
pub use versions::revision::Revisions;
pub use versions::since::{Bodies, Changes, changes_since};
pub use words::error::ConfigError;
pub use words::parameter::{Parameter, is_repetition, parse_parameter, parse_values};
pub use words::placeholder::Template;
pub use words::quantity::{QuantityError, parse_bytes, parse_duration, parse_quantity};
