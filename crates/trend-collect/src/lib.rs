//! Readers: bytes of a foreign format → locations and counts.
//!
//! gcc's and clang's execution counters ([`Program`], with [`Notes`] and [`Data`] beneath it), LLVM's
//! source-based coverage of rustc and clang ([`Program`], with [`CoverageMap`] and [`RawProfile`] beneath it),
//! tables ([`csv`]), debug information ([`DebugInfo`], [`CodeObject`]) and what other tools counted ([`mod@import`]).
//!
//! # Design constraints
//!
//! - A reader takes bytes and gives values. It opens no file, spawns nothing and prints nothing.
//! - Everything that is read can be cut off, damaged or hostile. A reader never panics on
//!   it, allocates nothing by a length that it has not checked against what is left of the input, and
//!   never takes a part of a file for the whole.
//! - What is doubtful but readable comes back with [`trend_profile::Warning`]s.
//! - The order of what comes back depends on the input alone.

#![forbid(unsafe_code)]

mod addresses;
mod asking_code;
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
pub use samples::Samples;
