//! Which functions are routines with observations of their own.
//!
//! A function without a loop that does not call itself costs the same whatever it gets; where it is small it becomes part of
//! its callers, as in a build without the probe. Recursive functions without a loop that only forward to the next one become part of
//! their callers as well: Rust's traits and closures make many. All others stay as the source has them. A coroutine is a
//! routine whatever it does: its beginning, each time that it goes on, and its end are activations.

use std::collections::{HashMap, HashSet};

use inkwell::module::Module;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use crate::ir::{self, Opcode, Value};
use crate::models;

/// Marks functions that run before the program's libraries are ready.
const RESOLVER: &str = "trend-resolver";

/// Leaves out what chooses between versions of a function while the program is loaded.
pub(crate) fn leave_out_resolvers(module: &Module<'_>) {
    for resolver in ir::resolvers(module) {
        resolver.add_text_attribute(RESOLVER, "");
    }
}

/// Whether the probe's hooks go into a function.
pub(crate) fn is_routine(function: Value) -> bool {
    !function.is_declaration()
        && function.linkage() != inkwell::llvm_sys::LLVMLinkage::LLVMAvailableExternallyLinkage
        && !function.has_attribute("naked")
        && !function.has_text_attribute(RESOLVER)
        && !function.name().starts_with("trend.")
        // What rustc makes itself hands on to the allocator.
        && !models::is_of_allocator(&function.name())
}

/// Keeps functions that loop or call themselves out of their callers.
pub(crate) fn keep_those_with_trends(module: &Module<'_>) {
    let functions: Vec<Value> = ir::functions(module).into_iter().filter(|f| is_routine(*f)).collect();
    let recursive = recursive(&functions);
    for function in &functions {
        function.add_text_attribute("disable-tail-calls", "true");
        // What loops does not hand on: it would go round for ever.
        if is_coroutine(*function)
            || has_loop(*function)
            || (recursive.contains(function) && !hands_on(*function))
        {
            keep_out(*function);
        }
    }
}

/// Whether the module has coroutines that are not split yet.
pub(crate) fn has_coroutines(module: &Module<'_>) -> bool {
    ir::functions(module).into_iter().any(is_coroutine)
}

fn is_coroutine(function: Value) -> bool {
    function.has_attribute("presplitcoroutine")
}

/// Keeps all functions that are still there out of their callers.
pub(crate) fn keep_all(module: &Module<'_>) {
    ir::functions(module).into_iter().filter(|f| is_routine(*f)).for_each(keep_out);
}

fn keep_out(function: Value) {
    if !function.has_attribute("alwaysinline") {
        function.remove_attribute("inlinehint");
        function.add_attribute("noinline", 0);
    }
}

/// Functions of the module that can call themselves through others of it.
fn recursive(functions: &[Value]) -> HashSet<Value> {
    let mut calls = DiGraph::<Value, ()>::new();
    let nodes: HashMap<Value, _> = functions.iter().map(|f| (*f, calls.add_node(*f))).collect();
    let mut is_self_calling = HashSet::new();
    for function in functions {
        for call in function.blocks().iter().flat_map(|block| block.instructions()) {
            let is_call = matches!(call.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke));
            let Some(callee) = is_call.then(|| call.callee()).flatten() else { continue };
            if callee == *function {
                is_self_calling.insert(callee);
            } else if let Some(node) = nodes.get(&callee) {
                calls.update_edge(nodes[function], *node, ());
            }
        }
    }
    let circles = tarjan_scc(&calls).into_iter().filter(|circle| circle.len() > 1).flatten();
    is_self_calling.extend(circles.map(|node| calls[node]));
    is_self_calling
}

/// Whether there is one way through a function, but for exceptions.
fn hands_on(function: Value) -> bool {
    let mut block = function.blocks()[0];
    loop {
        let last = block.terminator();
        block = match *block.successors() {
            _ if last.opcode() == Some(Opcode::LLVMInvoke) => last.normal_destination(),
            [] => return true,
            [next] => next,
            _ => return false,
        };
    }
}

/// Whether control can come back to a block.
pub(crate) fn has_loop(function: Value) -> bool {
    let blocks = function.blocks();
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: HashMap<_, _> = blocks.iter().map(|block| (*block, graph.add_node(()))).collect();
    for block in &blocks {
        for next in block.successors() {
            graph.add_edge(nodes[block], nodes[&next], ());
        }
    }
    petgraph::algo::is_cyclic_directed(&graph)
}
