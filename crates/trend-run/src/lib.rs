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

#![cfg(target_os = "linux")]

mod build;
mod config;
mod digest;
mod error;
mod event;
mod language;
mod launch;
mod machine;
mod mark;
mod named;
mod parameter;
mod placeholder;
mod plan;
mod quantity;
mod revision;
mod run;
mod shard;
mod shell;
pub mod shim;
mod since;
pub mod supervisor;
mod template;

pub use build::{
    BUILT_OTHERWISE, BuildOptions, BuildOutput, BuildReport, CellSize, ClangCounters, Compiler, Cost, Crates,
    GoCounters, Instrumentation, Metric, NOTHING_INSTRUMENTED, ONLY_CONFIGURED, Probe, ProbeOptions,
    UP_TO_DATE, Update, build, is_cargo_build, mentions_cargo, needs_build,
};
pub use config::{
    CONFIG_FILE, CommandLine, Config, CostLimit, Expectation, FeatureSource, Fragments, ProgramConfig,
    Target, WorkloadsConfig,
};
pub use error::{BuildError, ConfigError, RunError};
pub use event::{Event, LargerSkipped, Observer, PendingRun, TimingStep};
pub use language::{Language, Packages};
pub use launch::launch;
pub use machine::this_machine;
pub use named::{Named, is_made_without_counters, may_be_made, named};
pub use parameter::{Parameter, is_repetition, parse_parameter, parse_values};
pub use placeholder::Template;
pub use plan::{Plan, PlannedWorkload, plan};
pub use quantity::{QuantityError, parse_bytes, parse_duration, parse_quantity};
pub use revision::{RevisionError, Revisions};
pub use run::{
    Advice, CountSource, ExecuteOptions, Experiment, Failure, FragmentError, FragmentWorker, Measurement,
    Publish, Summary, Trial, TrialEnd, TrialError, TrialWorker, Trials, execute, go_modules,
    is_of_another_build, probe_of, starts_instrumented, starts_script, time, time_side_by_side,
};
pub use shard::Shard;
pub use since::{Bodies, Changes, changes_since};
pub use template::{Proposal, Seed, propose};
