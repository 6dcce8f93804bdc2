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
mod addresses;
mod builder;
mod costs;
mod effects;
mod formats;
mod hooks;
mod ir;
mod lanes;
mod loops;
mod models;
mod ranges;
mod redundancy;
mod routines;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine};

/// Runtime library that instrumented programs are linked with.
const RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libtrend_runtime.a"));

/// Compiles LLVM bitcode with trend-prof's probe. `trend-prof build --probe routines` calls it.
#[derive(Parser)]
#[command(name = "trend-probe", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
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

/// How routines are probed.
#[derive(clap::Args)]
struct Routines {
    /// Size in bytes of a cell, the unit of input sizes.
    #[arg(long, value_name = "BYTES", default_value = "4", value_parser = ["1", "2", "4", "8", "16"])]
    cell_size: String,
    /// Unit of costs.
    #[arg(long, value_enum, default_value_t = Unit::Blocks)]
    cost: Unit,
    /// Definition of a call's input size.
    #[arg(long, value_enum, default_value_t = Metric::Rms)]
    metric: Metric,
    /// Record the calling contexts of a routine separately.
    #[arg(long)]
    contexts: bool,
    /// Record loops as well.
    #[arg(long)]
    loops: bool,
    #[command(flatten)]
    compilation: Compilation,
}

/// Input and output of a compilation.
#[derive(clap::Args)]
struct Compilation {
    /// Bitcode of clang or rustc before any optimization; for loops, with full debug information.
    input: PathBuf,
    /// Output file.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Update method for the counters of blocks, if the bitcode contains any.
    #[arg(long, value_enum, default_value_t = Update::Atomic)]
    update: Update,
    /// Description of the build to store in the object, next to the names of compilers.
    #[arg(long, value_name = "TEXT")]
    mark: Option<String>,
}

/// How counters of blocks are updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Update {
    /// Exact with any number of threads.
    Atomic,
    /// Exact with one thread, and faster.
    Single,
}

/// What the size of an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Metric {
    /// Cells that a call reads before it writes them.
    Rms,
    /// Like `rms`, plus cells that the call reads again after the kernel or another thread wrote them. RMS is recorded
    /// as well.
    Drms,
}

/// What costs are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Unit {
    /// Basic blocks before optimization.
    Blocks,
    /// LLVM instructions before optimization.
    Instructions,
    /// Elapsed nanoseconds.
    Nanoseconds,
}

/// Options that all parts of the instrumentation need.
#[derive(Clone, Copy)]
struct Options {
    /// Binary logarithm of a cell's size in bytes.
    cell_shift: u32,
    unit: Unit,
    /// True if writes of the kernel and other threads are watched.
    is_dynamic: bool,
    /// True if calling contexts are distinguished.
    has_contexts: bool,
}

/// Reason why a module could not be compiled. Completes "failed to probe: …".
#[derive(Debug, thiserror::Error)]
enum ProbeError {
    #[error("{}: is not bitcode of LLVM 22 or older: {reason}", path.display())]
    NotBitcode { path: PathBuf, reason: String },
    #[error("{}: is code for {target}, but only x86-64 Linux can be probed", path.display())]
    OtherTarget { path: PathBuf, target: String },
    #[error("{what}: {reason}")]
    Llvm { what: &'static str, reason: String },
    #[error("write {}: {reason}", path.display())]
    NotWritten { path: PathBuf, reason: String },
}

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

/// Compiles a module with the probe of routines, if there are options for it, and with the probe of loops.
fn compile(arguments: &Compilation, routines: Option<Options>, has_loops: bool) -> Result<(), ProbeError> {
    let context = Context::create();
    let module = read(&context, &arguments.input)?;
    let target = module.get_triple().as_str().to_string_lossy().into_owned();
    if !(target.starts_with("x86_64") && target.contains("linux")) {
        return Err(ProbeError::OtherTarget { path: arguments.input.clone(), target });
    }
    let machine = machine()?;
    let run = |passes: &str| {
        let options = PassBuilderOptions::create();
        options.set_loop_vectorization(true);
        options.set_loop_slp_vectorization(true);
        options.set_loop_unrolling(true);
        options.set_merge_functions(false);
        module
            .run_passes(passes, &machine, options)
            .map_err(|e| ProbeError::Llvm { what: "optimize", reason: e.to_string() })
    };
    let atomically = (arguments.update == Update::Atomic).then_some(c"-instrprof-atomic-counter-update-all");
    // A function's own threshold only applies if inline costs are computed in full. If only the program knows the trip
    // count of a loop, the loop keeps one body: several bodies have more code to watch.
    let common = [c"-inline-cost-full", c"-unroll-runtime=false"];
    // The cost of a routine's loop is computed behind the loop and not in it, however long that takes. A 64-bit sum in
    // a loop would halve the number of 32-bit elements in its vectors.
    let behind = routines.map(|_| c"-replexitval=noharduse");
    ir::set_options(&common.into_iter().chain(behind).chain(atomically).collect::<Vec<_>>());
    routines::leave_out_resolvers(&module);
    let captures = has_loops.then(|| loops::captures(&module));
    // Each counter belongs to the function that contains it now; later, it may be inlined into others.
    run("instrprof")?;
    // Routines keep the branches of the source. So a count is the same if the compiler puts counters into their arms,
    // and memory is only read where the source reads it.
    let simplify = match routines {
        Some(_) => "function(sroa,early-cse,simplifycfg<no-speculate-blocks>)",
        None => "function(sroa,early-cse,simplifycfg)",
    };
    run(&format!("coro-early,{simplify}"))?;
    match routines {
        Some(_) => routines::keep_those_with_trends(&module),
        None => loops::keep_apart(&module),
    }
    // Inlined code is simplified before the cost of its caller is estimated: only then are closures and iterators
    // small.
    let inlining = format!("always-inline,cgscc(devirt<4>(inline,{simplify})),globaldce");
    run(&inlining)?;
    if routines::has_coroutines(&module) {
        // Coroutines are split before costs are counted, since each resumption counts anew. Calls of awaited functions
        // exist only after the split, so they are inlined now.
        run("cgscc(coro-split),coro-cleanup")?;
        run(&inlining)?;
    }
    if let Some(options) = routines {
        routines::find_parts(&module);
        routines::keep_all(&module);
        costs::count(&module, options.unit);
    }
    let mut facts = None;
    if let Some(captures) = &captures {
        loops::canonicalize(&module, run)?;
        facts = Some(loops::watch(&module, captures));
    }
    loops::release(&module);
    run("function(sroa),default<O2>")?;
    if let Some(options) = routines {
        lanes::take_apart(&module, run)?;
        // The effects of a call are recorded on the edge that it takes when it returns, and on no other.
        run("function(break-crit-edges)")?;
        hooks::link(&context, &module, options)?;
        hooks::instrument(&module, options);
    }
    if let Some(facts) = facts {
        loops::link(&context, &module, &facts)?;
    }
    run("function(mem2reg),always-inline,globaldce,function(sroa,early-cse,simplifycfg)")?;
    if let Some(mark) = &arguments.mark {
        let text = context.metadata_string(mark).into();
        module
            .add_global_metadata("llvm.ident", &context.metadata_node(&[text]))
            .map_err(|e| ProbeError::Llvm { what: "mark the object", reason: e.to_string() })?;
    }
    module
        .verify()
        .map_err(|e| ProbeError::Llvm { what: "the instrumented code is wrong", reason: e.to_string() })?;
    let object = machine
        .write_to_memory_buffer(&module, FileType::Object)
        .map_err(|e| ProbeError::Llvm { what: "generate code", reason: e.to_string() })?;
    std::fs::write(&arguments.output, object.as_slice())
        .map_err(|e| ProbeError::NotWritten { path: arguments.output.clone(), reason: e.to_string() })
}

fn read<'a>(context: &'a Context, path: &Path) -> Result<Module<'a>, ProbeError> {
    Module::parse_bitcode_from_path(path, context)
        .map_err(|e| ProbeError::NotBitcode { path: path.to_owned(), reason: e.to_string() })
}

/// Returns the target machine. The optimizer assumes a basic x86-64 processor; functions state themselves what they may
/// use.
fn machine() -> Result<TargetMachine, ProbeError> {
    let error = |reason: String| ProbeError::Llvm { what: "prepare LLVM", reason };
    Target::initialize_x86(&InitializationConfig::default());
    let triple = TargetMachine::get_default_triple();
    let target = Target::from_triple(&triple).map_err(|e| error(e.to_string()))?;
    let level = OptimizationLevel::Default;
    target
        .create_target_machine(&triple, "x86-64", "", level, RelocMode::PIC, CodeModel::Default)
        .ok_or_else(|| error("this processor is unknown".to_owned()))
}
