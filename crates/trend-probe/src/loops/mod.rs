//! Watches loops: finds the inputs that decide their trip counts, and counts the trips.
//!
//! ```text
//!   bitcode ─▶ inline functions without loops ─▶ canonical loops ─▶ inputs, names ─▶ counters ─▶ -O2 ─▶ bodies of the hooks
//! ```
//!
//! - [`graph`]: dominators and natural loops; [`latches`]: a single latch for each loop.
//! - [`inputs`]: inputs that a loop depends on; [`limits`]: values at which it always ends; [`constants`]: constant
//!   trip counts; [`names`] and [`debug`]: names of these values.
//! - [`stated`]: trips and movements that the code states; [`terms`]: their expressions.
//! - [`choices`]: conditions that decide; [`recurrences`] and [`written`]: loops whose trips a value from before the
//!   loop decides; [`stored`] and [`iterators`]: values that compilers keep in memory.
//! - [`entry`]: reads of memory at the beginning of a loop.
//! - [`mod@watch`]: the counters; [`groups`]: activations recorded together; [`weights`]: costs of blocks; [`hooks`]:
//!   functions that are called.
//! - [`facts`]: facts that are known before the program runs, which go into the object as text.

mod choices;
mod constants;
mod debug;
mod entry;
mod facts;
pub(crate) mod graph;
mod groups;
mod hooks;
mod inputs;
mod iterators;
mod latches;
mod limits;
mod names;
mod recurrences;
mod stated;
mod stored;
mod terms;
mod values;
mod watch;
mod weights;
mod written;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;

use self::debug::{Capture, Debug};
use self::facts::{KnownCall, KnownFunction, KnownLoop, TooLarge};
use self::graph::{Graph, Loop};
use self::hooks::Hooks;
use self::inputs::Slicer;
use self::names::{Names, View};
use self::watch::Watcher;
use self::written::Writes;
use crate::ProbeError;
use crate::ir::{self, Builder, Opcode, Value};
use crate::routines::{has_loop, is_of_standard_library, is_routine};

/// Passes that bring loops into the form that the analysis expects. They do not infer the effects of functions on
/// memory: functions will count, so calls of them must stay in place.
const CANONICAL: &str = "function(loop-simplify,lcssa,loop-mssa(licm))";
/// Brings loops into the form that the analysis expects.
pub(crate) fn canonicalize(
    module: &Module<'_>,
    run: impl Fn(&str) -> Result<(), ProbeError>,
) -> Result<(), ProbeError> {
    latches::unite(module);
    run(CANONICAL)
}

/// Minimum number of constant trips from which on the activations of an outermost loop are counted. For fewer, the count
/// would cost more than the loop.
const LEAST_COUNTED: u64 = 32;

/// Attribute of functions that are not inlined until their loops are watched.
const APART: &str = "trend-apart";

/// Kind of a loop's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Parameter,
    Variable,
    Field,
    Length,
    Target,
    Global,
    Result,
    Unnamed,
}

impl Kind {
    fn letter(self) -> char {
        match self {
            Self::Parameter => 'P',
            Self::Variable => 'V',
            Self::Field => 'F',
            Self::Length => 'L',
            Self::Target => 'T',
            Self::Global => 'G',
            Self::Result => 'R',
            Self::Unnamed => 'U',
        }
    }
}

/// Debug information about closures by function, read before optimization.
pub(crate) struct Captures(HashMap<Value, Vec<Capture>>);

/// Reads the debug information about closures.
pub(crate) fn captures(module: &Module<'_>) -> Captures {
    let debug = Debug::new(module);
    let functions = ir::functions(module).into_iter().filter(|f| is_routine(*f));
    let all = functions.map(|function| (function, debug.captures(function)));
    Captures(all.filter(|(_, captures)| !captures.is_empty()).collect())
}

/// Prevents the inlining of the program's own functions that loop, so that each loop is found once and in its place.
pub(crate) fn keep_apart(module: &Module<'_>) {
    for function in ir::functions(module).into_iter().filter(|f| is_routine(*f)) {
        // Loops of the standard libraries belong to the functions that they are inlined into.
        let is_library = function.source().is_some_and(|(path, _)| is_of_standard_library(&path));
        if !is_library
            && has_loop(function)
            && !function.has_attribute("alwaysinline")
            && !function.has_attribute("noinline")
        {
            function.add_attribute("noinline", 0);
            function.add_text_attribute(APART, "");
        }
    }
}

/// Allows these functions to be inlined again.
pub(crate) fn release(module: &Module<'_>) {
    for function in ir::functions(module).into_iter().filter(|f| f.has_text_attribute(APART)) {
        function.remove_attribute("noinline");
    }
}

/// Finds and watches the loops of a module. Returns the facts of these loops as text.
pub(crate) fn watch(module: &Module<'_>, captures: &Captures) -> String {
    let (builder, debug) = (Builder::new(module), Debug::new(module));
    let hooks = Hooks::declare(&builder);
    let facts = builder.external(c"trend.facts");
    let writes = Writes::new(module);
    let mut next = 0;
    let (mut functions, mut too_large) = (Vec::new(), Vec::new());
    for function in ir::functions(module).into_iter().filter(|f| is_routine(*f)) {
        let graph = Graph::new(function);
        let loops = graph.loops();
        if let Some(function) = TooLarge::of(function, &loops) {
            too_large.push(function);
            continue;
        }
        let captured = captures.0.get(&function).map_or(&[][..], |all| all);
        let names = Names::new(module, &debug, captured, function);
        let slicer = Slicer { module, graph: &graph, loops: &loops, names: &names, writes: &writes };
        let mut known = known(function, &slicer);
        let inputs: Vec<_> = known.loops.iter().map(|l| l.inputs.clone()).collect();
        for (of, one) in known.loops.iter_mut().enumerate() {
            one.stated = slicer.statement(of, &inputs);
        }
        let begin = function.blocks()[0].instructions()[0];
        let watcher =
            Watcher { module, builder: &builder, hooks: &hooks, graph: &graph, loops: &loops, facts, begin };
        watcher.watch(&inputs, &mut known.loops, &mut next);
        functions.push(known);
    }
    facts::text(&functions, &too_large)
}

/// Returns the facts of a function.
fn known(function: Value, slicer: &Slicer<'_, '_>) -> KnownFunction {
    let (graph, loops, names) = (slicer.graph, slicer.loops, slicer.names);
    let (file, line) = function.source().unwrap_or_default();
    let known = (0..loops.len()).map(|of| {
        let one = &loops[of];
        let inputs = slicer.inputs(of);
        // Outermost loops with many trips are watched all the same: nothing else counts their activations.
        let is_known = |trips: &u64| one.parent.is_some() || *trips < LEAST_COUNTED;
        let constant_trips = if inputs.is_empty() { slicer.constant_trips(of) } else { None };
        let constant_trips = constant_trips.filter(is_known);
        let around = one.preheader.unwrap_or(one.header);
        KnownLoop {
            line: line_of(names.debug, graph, one),
            parent: one.parent,
            has_one_exit: slicer.normal_exits(of).map(|(from, _)| from).collect::<HashSet<_>>().len() <= 1,
            is_conditional: can_be_left_out(graph, loops, around, one.parent),
            constant_trips,
            inputs,
            ..KnownLoop::default()
        }
    });
    let loops_known = known.collect();
    let mut calls = Vec::new();
    for (number, block) in graph.blocks.iter().enumerate().filter(|(number, _)| !graph.is_cleanup[*number]) {
        let within = (0..loops.len()).rev().find(|of| loops[*of].blocks.contains(&number));
        for call in block.instructions() {
            let is_call = matches!(call.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke));
            let Some(callee) = is_call.then(|| call.callee()).flatten() else { continue };
            if callee.is_intrinsic() || callee.name().starts_with("trend.") {
                continue;
            }
            let view = View { scope: names.debug.scope(call), ..View::default() };
            calls.push(KnownCall {
                line: names.debug.line(call),
                within,
                is_conditional: can_be_left_out(graph, loops, number, within),
                callee: callee.name(),
                arguments: (0..call.arguments())
                    .map(|index| names.argument(call.operand(index), &view))
                    .collect(),
            });
        }
    }
    let parameters = function.parameters().into_iter().map(|parameter| names.parameter(parameter)).collect();
    KnownFunction { linkage: function.name(), file, line, parameters, loops: loops_known, calls }
}

/// Returns true if a trip of a loop, or a call of the function, can end normally without executing a block.
fn can_be_left_out(graph: &Graph, loops: &[Loop], block: usize, within: Option<usize>) -> bool {
    match within {
        None => !graph.post_dominates(block, 0),
        Some(outer) => !loops[outer].latches.iter().all(|latch| graph.dominates(block, *latch)),
    }
}

fn line_of(debug: &Debug, graph: &Graph, one: &Loop) -> u32 {
    let said = one.latches.iter().find_map(|latch| debug.line_of_loop(graph.blocks[*latch].terminator()));
    // Code that is inlined into the body is deeper than the ends of the trips and of the loop.
    let ends = one.latches.iter().chain(one.exits.iter().map(|(from, _)| from));
    let depths = ends.map(|block| debug.lines(graph.blocks[*block].terminator()).len());
    let depth = depths.filter(|depth| *depth > 0).min().unwrap_or(1);
    let of_block = |block: usize| {
        let instructions = graph.blocks[block].instructions();
        let line = |at: &Value| debug.lines(*at).into_iter().take(depth).next_back();
        instructions.iter().rev().filter_map(line).find(|line| *line != 0)
    };
    said.or_else(|| of_block(one.header))
        .or_else(|| one.latches.iter().find_map(|latch| of_block(*latch)))
        .unwrap_or(0)
}

/// Adds the bodies of the hooks, and the facts of the loops.
pub(crate) fn link<'a>(context: &'a Context, module: &Module<'a>, facts: &str) -> Result<(), ProbeError> {
    let escaped = facts.bytes().fold(String::with_capacity(3 * facts.len()), |mut text, byte| {
        let _ = write!(text, "\\{byte:02X}");
        text
    });
    let mut source = Hooks::source();
    // The section is named, since `llvm.global_ctors` may use one that not every linker reads.
    let _ = write!(
        source,
        "@trend.facts.text = private constant [{length} x i8] c\"{escaped}\"
        @trend.facts = hidden global {{ i64, ptr, i64 }} {{ i64 {hash}, ptr @trend.facts.text, i64 {length} }}
        @trend.begin = private constant ptr @trend.loops.begin, section \".init_array\", align 8
        @llvm.used = appending global [1 x ptr] [ptr @trend.begin], section \"llvm.metadata\"
        declare void @trend_probe_loops_3_module(ptr)
        define internal void @trend.loops.begin() nounwind {{
          call void @trend_probe_loops_3_module(ptr @trend.facts)
          ret void
        }}\n",
        length = facts.len(),
        hash = facts::hash(facts) as i64,
    );
    let error = |reason: String| ProbeError::Llvm { what: "add the hooks of loops", reason };
    let text = MemoryBuffer::create_from_memory_range_copy(source.as_bytes(), "loops");
    let hooks = context.create_module_from_ir(text).map_err(|e| error(e.to_string()))?;
    hooks.set_data_layout(&module.get_data_layout());
    hooks.set_triple(&module.get_triple());
    module.link_in_module(hooks).map_err(|e| error(e.to_string()))?;
    ir::functions(module)
        .into_iter()
        .filter(|f| f.name().starts_with("trend.loop") && !f.is_declaration())
        .for_each(Value::make_internal);
    values::make_global_internal(module, c"trend.facts");
    Ok(())
}
