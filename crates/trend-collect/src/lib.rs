//! Readers that convert the bytes of foreign formats to locations and counts.
//!
//! They read gcc's and clang's execution counters ([`Program`], based on [`Notes`] and [`Data`]). They read LLVM's
//! source-based coverage of rustc and clang ([`Program`], based on [`CoverageMap`] and [`RawProfile`]). They also read
//! tables ([`csv`]), debug information ([`DebugInfo`], [`CodeObject`]) and counts of other tools ([`mod@import`]).
//!
//! # Design constraints
//!
//! - A reader takes bytes and returns values. It opens no file, spawns nothing and prints nothing.
//! - Any input can be cut off, damaged or hostile. A reader never panics on it and never takes a part of a file for the
//!   whole. It checks every length against the rest of the input before it allocates.
//! - Doubtful but readable input gives [`trend_profile::Warning`]s.
//! - The order of the output depends on the input alone.

#![forbid(unsafe_code)]

mod addresses;
mod asking_code;
mod bytes;
mod calls;
pub mod csv;
mod debug_info;
mod fnv;
mod gcov;
pub mod import;
mod llvm;
pub mod memory_record;
mod names;
mod number;
mod paths;
pub mod process_log;
mod program;
mod python_counts;
mod samples;

pub use addresses::{CodeObject, Mapping, Mappings, OwnCode, Sources};
pub use asking_code::{Asker, AskingCode, Role};
pub use calls::calls;
pub use debug_info::{DebugInfo, DebugInfoError};
pub use gcov::{Arc, BlockLine, Data, Doubt, FunctionCounts, FunctionNotes, GcovError, Notes, Version};
pub use llvm::{CoverageMap, LlvmError, MappedFunction, RawProfile, Region, RegionKind, SummedProfile};
pub use memory_record::{MemoryRecord, MemoryRecordError, MemorySite};
pub use names::symbol as readable_symbol;
pub use process_log::ProcessLog;
pub use program::{ObjectId, Program};
pub use python_counts::{PythonCounts, PythonCountsError};
pub use samples::Samples;
pub use trend_runtime::EXIT_FAILED as PROBE_FAILED;
