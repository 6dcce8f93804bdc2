//! Imports counts of other tools: each reader turns the bytes of one file into an [`Imported`].
//!
//! ```text
//!   file ──reader──▶ Imported { functions, locations, runs: [ workload, features, counts ] }
//! ```
//!
//! A reader takes an [`Input`], which returns no more bytes than a [`Budget`] allows. It handles one format and one
//! file. The caller decides which files belong to one workload, and which features come from a file's name.
//!
//! Most readers collect what they read with one of these:
//!
//! | a file has | helper |
//! |---|---|
//! | counts of lines or blocks in functions and source files | `place::Places` and `place::Tally` |
//! | benchmarks with parameters and repetitions | `points::BenchmarkRuns` |
//! | a row per workload, and a column per location | `csv::Table` |
//! | a row per count | `long_table::LongTable` |
//! | names of locations such as `a.c:3:main` | `csv::places::ColumnPlaces` |
//!
//! `Input::line` reads a text line by line, and `Input::document` reads all of it. Everything kept is charged to the
//! input's [`Budget`].

mod budget;
mod error;
mod input;
#[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only Parquet files have a row per count"))]
mod long_table;
mod merged;
mod place;
mod points;
mod source_file;
mod text;
mod xml;

pub mod aprof;
pub mod callgrind;
pub mod clover;
pub mod cobertura;
pub mod criterion;
pub mod extra_p;
pub mod gcov_json;
pub mod gcovr;
pub mod go_bench;
pub mod go_cover;
pub mod go_coverage;
pub mod google_benchmark;
pub mod gungraun;
pub mod hyperfine;
pub mod istanbul;
pub mod lcov;
pub mod llvm_cov;
#[cfg_attr(not(feature = "parquet"), path = "parquet/absent.rs")]
pub mod parquet;
pub mod probe;
pub mod python_trace;
pub mod v8_coverage;

use std::sync::Arc;

use trend_profile::{Function, Location, LoopFunction, Series, Unit, Warning};

pub use budget::{Budget, Limits};
pub use error::ImportError;
pub(crate) use error::{listed, shown};
pub use input::Input;
pub use merged::Merged;
pub use place::Root;

/// Contents of a file of imported counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// Unit of the counts.
    pub unit: Unit,
    /// Functions that the locations belong to.
    pub functions: Vec<Function>,
    /// Places with a cost, and entries of functions.
    pub locations: Vec<Location>,
    /// Features in the order of the file; runs may have further ones, and lack some.
    pub features: Vec<String>,
    /// Runs in the order of the file.
    pub runs: Vec<ImportedRun>,
    /// Costs by size of the file's only run; their workload is not set.
    pub series: Vec<Series>,
    /// Loops of the file's only run.
    pub loops: Vec<LoopFunction>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Counts of one run, or of a part of one. Runs of one workload without common locations are parts of one run; all
/// others are repetitions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedRun {
    /// Workload, if the file names it; shared by its repetitions.
    pub workload: Option<Arc<str>>,
    /// Numbers that describe the workload, in the order of the file; shared by its repetitions.
    pub features: Arc<[(String, f64)]>,
    /// Index in [`Imported::locations`] and cost, each location at most once. A missing location was not executed.
    pub counts: Vec<(u32, u64)>,
}

/// Returns the label, the workload and the first cost of each run, for tests of formats whose locations are benchmarks.
#[cfg(test)]
fn rows(read: &Imported) -> Vec<(String, String, u64)> {
    let row = |run: &ImportedRun| {
        let (location, cost) = run.counts[0];
        let label = read.locations[location as usize].label.to_string();
        (label, run.workload.as_deref().unwrap_or_default().to_owned(), cost)
    };
    read.runs.iter().map(row).collect()
}
