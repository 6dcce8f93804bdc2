//! Reads LLVM's source-based coverage. `-C instrument-coverage` of rustc and `-fprofile-instr-generate
//! -fcoverage-mapping` of clang put a mapping into the program, which writes raw profiles when it ends.
//!
//! [`RawProfile`] holds one process's counters, [`CoverageMap`] the mapping of a program or library.
//!
//! `shape` turns the regions of a mapping into locations.

mod counter;
mod coverage_map;
mod error;
mod object;
mod profile;
mod reader;
mod regions;
mod sections;
mod shape;

pub use coverage_map::{CoverageMap, MappedFunction};
pub use error::LlvmError;
pub use object::SummedProfile;
pub use profile::RawProfile;
pub use regions::{Region, RegionKind};

pub(crate) use shape::{FunctionLocations, shape};
