//! Command line of the probe, and the options that its parts need.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Compiles LLVM bitcode with trend-prof's probe. `trend-prof build --probe` calls it.
#[derive(Parser)]
#[command(name = "trend-probe", version, about)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Compile one module into an object that records its routines.
    Routines(Routines),
    /// Compile one module into an object that records its loops.
    Loops(Compilation),
    /// Write the library that instrumented programs are linked with.
    Runtime {
        /// Output file.
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
}

/// Options of the probe for routines.
#[derive(clap::Args)]
pub(crate) struct Routines {
    /// Size in bytes of a cell, the unit of input sizes.
    #[arg(long, value_name = "BYTES", default_value = "4", value_parser = ["1", "2", "4", "8", "16"])]
    pub(crate) cell_size: String,
    /// Unit of costs.
    #[arg(long, value_enum, default_value_t = Unit::Blocks)]
    pub(crate) cost: Unit,
    /// Definition of a call's input size.
    #[arg(long, value_enum, default_value_t = Metric::Rms)]
    pub(crate) metric: Metric,
    /// Record the calling contexts of a routine separately.
    #[arg(long)]
    pub(crate) contexts: bool,
    /// Record loops as well.
    #[arg(long)]
    pub(crate) loops: bool,
    #[command(flatten)]
    pub(crate) compilation: Compilation,
}

/// Input and output of a compilation.
#[derive(clap::Args)]
pub(crate) struct Compilation {
    /// Bitcode of clang or rustc before any optimization; for loops, with full debug information.
    pub(crate) input: PathBuf,
    /// Output file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Update method for the counters of blocks, if the bitcode contains any.
    #[arg(long, value_enum, default_value_t = Update::Atomic)]
    pub(crate) update: Update,
    /// Description of the build to store in the object, next to the names of compilers.
    #[arg(long, value_name = "TEXT")]
    pub(crate) mark: Option<String>,
}

/// Update of the counters of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Update {
    /// Exact with any number of threads.
    Atomic,
    /// Exact with one thread, and faster.
    Single,
}

/// Measure of an input's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Metric {
    /// Cells that a call reads before it writes them.
    Rms,
    /// Like `rms`, plus cells that the call reads again after the kernel or another thread wrote them. RMS is recorded
    /// as well.
    Drms,
}

/// Unit in which costs are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unit {
    /// Basic blocks before optimization.
    Blocks,
    /// LLVM instructions before optimization.
    Instructions,
    /// Elapsed nanoseconds.
    Nanoseconds,
}

/// Options that all parts of the instrumentation need.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// Binary logarithm of a cell's size in bytes.
    pub(crate) cell_shift: u32,
    pub(crate) unit: Unit,
    /// True if writes of the kernel and other threads are watched.
    pub(crate) is_dynamic: bool,
    /// True if calling contexts are distinguished.
    pub(crate) has_contexts: bool,
}
