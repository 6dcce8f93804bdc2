//! The vocabulary of trend-prof as types, and the study file.
//!
//! A [`Study`] is one program with its workloads, their features and the counts. It holds everything that the analysis
//! needs, in memory and checked. A [`StudyFile`] is the same on disk, one file of records.
//!
//! # Design constraints
//!
//! - The study on disk is the whole interface between measuring and analysing. A study can be damaged or come from
//!   another machine, so everything is checked when it is read.
//! - A [`Study`] has a canonical order that does not depend on the order in which runs finished:
//!   locations by file, line, function and block, workloads by name. The same measurements give
//!   the same indices.
//! - Counts are `u64` everywhere up to the mathematics.
//! - This crate uses no terminal, starts no processes, and only counts: mathematics is elsewhere.

mod call;
mod command;
mod context;
mod counts;
mod error;
mod feature;
mod file;
mod identity;
mod location;
mod loops;
mod loops_stated;
mod machine;
mod order;
mod readable;
mod sampled;
mod series;
mod shell;
mod study;
mod unit;
mod warning;
mod workload;

pub use call::{Call, FunctionName};
pub use command::{Command, CommandPiece};
pub use counts::{Counts, CountsRow};
pub use error::StudyError;
pub use feature::{Definition, Feature, FeatureId};
pub use file::{
    Access, MOST_FEATURES, Merged, NewStudy, ObjectRecord, Opening, Origin, Repaired, RunState, SourceText,
    StudyFile, redact, repair,
};
pub use identity::StudyId;
pub use location::{Function, FunctionId, Kind, Location, LocationId, Symbol};
pub use loops::{
    LOOP_SAMPLING, LoopCall, LoopExits, LoopExtreme, LoopFunction, LoopFunctionKey, LoopInput, LoopInputKind,
    LoopInputValue, LoopObservation, LoopSummary, LoopTotal, MOST_LOOP_INPUTS, ProgramLoop, RunLoops,
};
pub use loops_stated::{LoopExpression, LoopMovement, LoopStatement, LoopTerm, MOST_LOOP_TERMS};
pub use machine::{Calibration, Constant, ConstantMeasurement, Machine, is_constant_name};
pub use readable::open_readable;
pub use sampled::{Part, Sampled, SampledPlace};
pub use series::{
    MOST_VARIABLES, MemoryMeasure, Observation, ObservationParts, OwnCosts, OwnInput, Place, Series,
    SeriesKey, SeriesKind, SeriesWords, Variable,
};
pub use shell::{shell_path, shell_word};
pub use study::{Study, StudyParts};
pub use unit::{Measure, Unit};
pub use warning::Warning;
pub use workload::{
    FailedWorkload, LargerRun, MemoryLatency, Outcome, Run, Timing, Usage, Workload, WorkloadId,
};
