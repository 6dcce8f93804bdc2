//! Finds and watches the loops of a module.

use std::collections::HashSet;

use inkwell::module::Module;

use super::facts::{self, CallFacts, FunctionFacts, LoopFacts, UnwatchedFunction};
use crate::flow::graph::Graph;
use crate::flow::loops::Loop;
use crate::ir::builder::Builder;
use crate::ir::symbols;
use crate::ir::value::{Opcode, Value};
use crate::loops::debug::reader::Debug;
use crate::loops::inputs::slicer::Slicer;
use crate::loops::inputs::written::Writes;
use crate::loops::instrument::counters::Watcher;
use crate::loops::instrument::hooks::Hooks;
use crate::loops::naming::captures::Captures;
use crate::loops::naming::names::{Names, View};
use crate::routines::marks::is_routine;

/// Minimum number of constant trips of outermost loops whose activations are counted. For fewer, the count would cost
/// more than the loop.
const LEAST_COUNTED: u64 = 32;

/// Finds and watches the loops of a module. Returns the facts of these loops as text.
pub(crate) fn watch(module: &Module<'_>, captures: &Captures) -> String {
    let (builder, debug) = (Builder::new(module), Debug::new(module));
    let hooks = Hooks::declare(&builder);
    let facts = builder.external(c"trend.facts");
    let writes = Writes::new(module);
    let mut next = 0;
    let (mut functions, mut too_large) = (Vec::new(), Vec::new());
    for function in symbols::functions(module).into_iter().filter(|f| is_routine(*f)) {
        let graph = Graph::new(function);
        let loops = graph.loops();
        if let Some(function) = UnwatchedFunction::check(function, &loops) {
            too_large.push(function);
            continue;
        }
        let captured = captures.0.get(&function).map_or(&[][..], |all| all);
        let names = Names::new(module, &debug, captured, function);
        let slicer = Slicer { module, graph: &graph, loops: &loops, names: &names, writes: &writes };
        let mut function_facts = function_facts(function, &slicer);
        let inputs: Vec<_> = function_facts.loops.iter().map(|l| l.inputs.clone()).collect();
        for (of, one) in function_facts.loops.iter_mut().enumerate() {
            // No activation of another loop can confirm what the code states.
            if loops[of].is_simple(&graph) {
                one.stated = slicer.statement(of, &inputs);
            } else {
                one.has_one_exit = false;
            }
        }
        let begin = function.blocks()[0].instructions()[0];
        let watcher =
            Watcher { module, builder: &builder, hooks: &hooks, graph: &graph, loops: &loops, facts, begin };
        watcher.watch(&inputs, &mut function_facts.loops, &mut next);
        functions.push(function_facts);
    }
    facts::text(&functions, &too_large)
}

/// Returns the facts of a function.
fn function_facts(function: Value, slicer: &Slicer<'_, '_>) -> FunctionFacts {
    let (graph, loops, names) = (slicer.graph, slicer.loops, slicer.names);
    let (file, line) = function.source().unwrap_or_default();
    let loop_facts = (0..loops.len()).map(|of| {
        let one = &loops[of];
        let inputs = slicer.inputs(of);
        // Outermost loops with many trips are watched all the same: nothing else counts their activations.
        let is_known = |trips: &u64| one.parent.is_some() || *trips < LEAST_COUNTED;
        let constant_trips = if inputs.is_empty() { slicer.constant_trips(of) } else { None };
        let constant_trips = constant_trips.filter(is_known);
        let around = one.preheader.unwrap_or(one.header);
        LoopFacts {
            line: line_of(names.debug, graph, one, line),
            parent: one.parent,
            has_one_exit: slicer.normal_exits(of).map(|(from, _)| from).collect::<HashSet<_>>().len() <= 1,
            is_conditional: can_be_left_out(graph, loops, around, one.parent),
            constant_trips,
            inputs,
            ..LoopFacts::default()
        }
    });
    let loop_facts = loop_facts.collect();
    let mut calls = Vec::new();
    for (number, block) in graph.blocks.iter().enumerate().filter(|(number, _)| !graph.is_cleanup[*number]) {
        let parent_loop = (0..loops.len()).rev().find(|of| loops[*of].blocks.contains(&number));
        for call in block.instructions() {
            let is_call = matches!(call.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke));
            if !is_call || call.is_assembly() {
                continue;
            }
            let callee = call.callee_by_any_name();
            if callee.is_none() && !call.calls_pointer() {
                continue;
            }
            if callee.is_some_and(|callee| callee.is_intrinsic() || callee.name().starts_with("trend.")) {
                continue;
            }
            let view = View { scope: names.debug.scope(call), ..View::default() };
            calls.push(CallFacts {
                line: names.debug.line(call),
                parent_loop,
                is_conditional: can_be_left_out(graph, loops, number, parent_loop),
                callee: callee.map(Value::name),
                arguments: (0..call.arguments())
                    .map(|index| names.argument(call.operand(index), &view))
                    .collect(),
            });
        }
    }
    let parameters = function.parameters().into_iter().map(|parameter| names.parameter(parameter)).collect();
    FunctionFacts { linkage: function.name(), file, line, parameters, loops: loop_facts, calls }
}

/// Returns true if a trip of a loop, or a call of the function, can end normally without executing a block.
fn can_be_left_out(graph: &Graph, loops: &[Loop], block: usize, parent_loop: Option<usize>) -> bool {
    match parent_loop {
        None => !graph.post_dominates(block, 0),
        Some(outer) => !loops[outer].always_passes(graph, block),
    }
}

/// Returns the line of a loop. `function` is the first line of its function.
fn line_of(debug: &Debug, graph: &Graph, one: &Loop, function: u32) -> u32 {
    let debug_line =
        one.latches.iter().find_map(|latch| debug.line_of_loop(graph.blocks[*latch].terminator()));
    // Code that is inlined into the body is deeper than the ends of the trips and of the loop.
    let ends = one.latches.iter().chain(one.exits.iter().map(|(from, _)| from));
    let depths = ends.map(|block| debug.lines(graph.blocks[*block].terminator()).len());
    let depth = depths.filter(|depth| *depth > 0).min().unwrap_or(1);
    // The code of `for (;;)` begins with its body, so the first line is nearest. A phi has the line of any of its
    // values. Code of a macro can have a line above the function.
    let of_block = |block: usize| {
        let instructions = graph.blocks[block].instructions().into_iter();
        let code = instructions.filter(|at| at.opcode() != Some(Opcode::LLVMPHI));
        let lines = code.filter_map(|at| debug.lines(at).into_iter().take(depth).next_back());
        lines.filter(|line| *line >= function.max(1)).min()
    };
    debug_line
        .or_else(|| of_block(one.header))
        .or_else(|| one.latches.iter().find_map(|latch| of_block(*latch)))
        .unwrap_or(0)
}
