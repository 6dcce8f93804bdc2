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
//! - This crate uses no terminal, starts no processes, and does no mathematics beyond counting.
//!
//! # Folders
//!
//! From the bottom up: each folder uses only earlier ones, and folders on the same line do not use each other.
//!
//! | folder | what it has |
//! |---|---|
//! | `program/`, `runs/` | places and loops as the code states them; workloads, features, outcomes, the machine |
//! | `observed/` | what runs have observed: costs by input size, trips of loops |
//! | `study/` | the study in memory: checked, in canonical order; the counts |
//! | `file/` | the study on disk |

mod error;
mod file;
mod identity;
mod observed;
mod program;
mod readable;
mod runs;
mod shell;
mod study;

pub use error::StudyError;
pub use file::container::log::Access;
pub use file::copies::merge::Merged;
pub use file::copies::redact::redact;
pub use file::copies::repair::{Repaired, repair};
pub use file::records::facts::MOST_FEATURES;
pub use file::study_file::{NewStudy, ObjectRecord, Opening, Origin, RunState, StudyFile};
pub use identity::StudyId;
pub use observed::loops::{
    LOOP_SAMPLING, LoopCall, LoopExits, LoopExtreme, LoopFunction, LoopFunctionKey, LoopInput, LoopInputKind,
    LoopInputValue, LoopObservation, LoopSummary, LoopTotal, MOST_LOOP_INPUTS, ProgramLoop, RunLoops,
};
pub use observed::series::{
    MOST_VARIABLES, MemoryMeasure, Observation, ObservationParts, OwnCosts, OwnInput, Place, Series,
    SeriesKey, SeriesKind, SeriesWords, Variable,
};
pub use program::call::{Call, FunctionName};
pub use program::command::{Command, CommandPiece};
pub use program::location::{Function, FunctionId, Kind, Location, LocationId, Symbol};
pub use program::loops_stated::{LoopExpression, LoopMovement, LoopStatement, LoopTerm, MOST_LOOP_TERMS};
pub use readable::open_readable;
pub use runs::feature::{Definition, Feature, FeatureId};
pub use runs::machine::{Calibration, Constant, ConstantMeasurement, Machine, is_constant_name};
pub use runs::note::{LONGEST_NOTE, Note, Noted};
pub use runs::sampled::{Part, Sampled, SampledPlace};
pub use runs::unit::{Measure, Unit};
pub use runs::usage::Usage;
pub use runs::warning::{Warning, WarningKind};
pub use runs::workload::{
    FailedWorkload, LargerRun, MemoryLatency, Outcome, Run, Timing, Workload, WorkloadId,
};
pub use shell::{shell_path, shell_word};
pub use study::counts::{Counts, CountsRow};
pub use study::source_text::SourceText;
pub use study::{Study, StudyParts};
