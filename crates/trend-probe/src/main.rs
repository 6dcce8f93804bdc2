//! Compiles LLVM bitcode so that every call of a routine records its cost and the size of the input that it read.
//!
//! ```text
//!   bitcode ─▶ simplify ─▶ inline functions without a trend ─▶ split coroutines ─▶ count blocks ─▶ -O2 ─▶ entries, exits,
//!   reads, writes ─▶ object
//! ```
//!
//! Costs are counted before optimization, and memory is watched after it. So an access that the optimizer removes is
//! not watched and takes no time, and a count does not depend on how a loop was optimized.

mod accesses;
mod compile;
mod error;
mod flow;
mod hooks;
mod ir;
mod library;
mod loops;
mod options;
mod routines;

use std::process::ExitCode;

use clap::Parser;

use crate::compile::compile;
use crate::error::ProbeError;
use crate::options::{Arguments, Command, Metric, Options};

/// Runtime library that instrumented programs are linked with.
const RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libtrend_runtime.a"));

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Routines(routines) => {
            let cell_size: u32 = routines.cell_size.parse().unwrap_or(4);
            let options = Options {
                cell_shift: cell_size.trailing_zeros(),
                unit: routines.cost,
                is_dynamic: routines.metric == Metric::Drms,
                has_contexts: routines.contexts,
            };
            compile(&routines.compilation, Some(options), routines.loops)
        }
        Command::Loops(compilation) => compile(&compilation, None, true),
        Command::Runtime { output } => std::fs::write(&output, RUNTIME)
            .map_err(|e| ProbeError::NotWritten { path: output, reason: e.to_string() }),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "this is what a program says its errors on")]
            {
                eprintln!("trend-probe: failed to probe: {error}");
            }
            ExitCode::from(2)
        }
    }
}
