//! Compiles one module, from bitcode to an object.

use std::path::Path;

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine};

use crate::accesses::lanes::take_apart;
use crate::error::ProbeError;
use crate::hooks::instrument::instrument;
use crate::hooks::link::link as link_routines;
use crate::ir::control::forget_split_back_edges;
use crate::ir::options::set_options;
use crate::ir::symbols;
use crate::loops::apart::{keep_apart, release};
use crate::loops::canonical::canonicalize;
use crate::loops::instrument::link::link as link_loops;
use crate::loops::module;
use crate::loops::naming::captures::captures;
use crate::options::{Compilation, Options, Update};
use crate::routines::costs;
use crate::routines::inlining::{has_coroutines, keep_all, keep_those_with_trends};
use crate::routines::marks::leave_out_resolvers;
use crate::routines::parts::find_parts;

/// Compiles a module with the probe of routines, if there are options for it, and with the probe of loops.
pub(crate) fn compile(
    arguments: &Compilation,
    routines: Option<Options>,
    has_loops: bool,
) -> Result<(), ProbeError> {
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
            .map_err(|e| ProbeError::Llvm { what: "cannot optimize the code", reason: e.to_string() })
    };
    let atomically = (arguments.update == Update::Atomic).then_some(c"-instrprof-atomic-counter-update-all");
    // A function's own threshold only applies if inline costs are computed in full. If only the program knows the trip
    // count of a loop, the loop keeps one body: several bodies have more code to watch.
    let common = [c"-inline-cost-full", c"-unroll-runtime=false"];
    // The cost of a routine's loop is computed after the loop and not in it, however long that takes. A 64-bit sum in
    // a loop would halve the number of 32-bit elements in its vectors.
    let behind = routines.map(|_| c"-replexitval=noharduse");
    set_options(&common.into_iter().chain(behind).chain(atomically).collect::<Vec<_>>());
    leave_out_resolvers(&module);
    let captures = has_loops.then(|| captures(&module));
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
        Some(_) => keep_those_with_trends(&module),
        None => keep_apart(&module),
    }
    // Inlined code is simplified before the cost of its caller is estimated: only then are closures and iterators
    // small.
    let inlining = format!("always-inline,cgscc(devirt<4>(inline,{simplify})),globaldce");
    run(&inlining)?;
    if has_coroutines(&module) {
        // Coroutines are split before costs are counted, since each resumption counts as a new call. Calls of awaited
        // functions exist only after the split, so they are inlined now.
        run("cgscc(coro-split),coro-cleanup")?;
        run(&inlining)?;
    }
    if let Some(options) = routines {
        find_parts(&module);
        keep_all(&module);
        costs::count(&module, options.unit);
    }
    let mut facts = None;
    if let Some(captures) = &captures {
        canonicalize(&module, run)?;
        facts = Some(module::watch(&module, captures));
    }
    release(&module);
    run("function(sroa),default<O2>")?;
    if let Some(options) = routines {
        take_apart(&module, run)?;
        // The effects of a call are recorded on the edge that it takes when it returns, and on no other.
        run("function(break-crit-edges)")?;
        symbols::functions(&module).into_iter().for_each(forget_split_back_edges);
        link_routines(&context, &module, options)?;
        instrument(&module, options);
    }
    if let Some(facts) = facts {
        link_loops(&context, &module, &facts)?;
    }
    run("function(mem2reg),always-inline,globaldce,function(sroa,early-cse,simplifycfg)")?;
    if routines.is_some() {
        // Loops with accesses that only the first trip watches are split. Later trips have no hooks, and are unrolled as
        // without the probe.
        let split = "loop-mssa(licm),early-cse,loop-mssa(simple-loop-unswitch<nontrivial>)";
        run(&format!("function({split},simplifycfg<no-keep-loops>,loop-unroll<O2;runtime>)"))?;
    }
    if let Some(mark) = &arguments.mark {
        let text = context.metadata_string(mark).into();
        module
            .add_global_metadata("llvm.ident", &context.metadata_node(&[text]))
            .map_err(|e| ProbeError::Llvm { what: "cannot mark the object", reason: e.to_string() })?;
    }
    module
        .verify()
        .map_err(|e| ProbeError::Llvm { what: "the instrumented code is wrong", reason: e.to_string() })?;
    let object = machine
        .write_to_memory_buffer(&module, FileType::Object)
        .map_err(|e| ProbeError::Llvm { what: "cannot generate code", reason: e.to_string() })?;
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
    let error = |reason: String| ProbeError::Llvm { what: "cannot prepare LLVM", reason };
    Target::initialize_x86(&InitializationConfig::default());
    let triple = TargetMachine::get_default_triple();
    let target = Target::from_triple(&triple).map_err(|e| error(e.to_string()))?;
    let level = OptimizationLevel::Default;
    target
        .create_target_machine(&triple, "x86-64", "", level, RelocMode::PIC, CodeModel::Default)
        .ok_or_else(|| error("this processor is unknown".to_owned()))
}
