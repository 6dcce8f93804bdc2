//! Functions whose work can grow with their input: they loop, or call themselves.

use std::collections::{HashMap, HashSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use super::origin::{Origin, origin};
use crate::flow::cycles::has_loop;
use crate::ir::value::Value;

/// Returns functions that loop, or that call a library function that does: its loop is theirs once it is inlined.
pub(super) fn looping(functions: &[Value]) -> HashSet<Value> {
    let of_libraries: HashSet<Value> =
        functions.iter().copied().filter(|function| origin(*function) != Origin::Program).collect();
    let mut callers: HashMap<Value, Vec<Value>> = HashMap::new();
    for function in functions {
        for call in function.blocks().iter().flat_map(|block| block.instructions()) {
            if let Some(callee) = call.called().filter(|callee| of_libraries.contains(callee)) {
                callers.entry(callee).or_default().push(*function);
            }
        }
    }
    let mut todo: Vec<Value> = functions.iter().copied().filter(|function| has_loop(*function)).collect();
    let mut looping: HashSet<Value> = todo.iter().copied().collect();
    while let Some(function) = todo.pop() {
        let through = callers.get(&function).into_iter().flatten();
        todo.extend(through.filter(|caller| looping.insert(**caller)));
    }
    looping
}

/// Returns the functions that can call themselves, directly or through other functions of the module.
pub(super) fn recursive(functions: &[Value]) -> HashSet<Value> {
    let mut calls = DiGraph::<Value, ()>::new();
    let nodes: HashMap<Value, _> = functions.iter().map(|f| (*f, calls.add_node(*f))).collect();
    let mut is_self_calling = HashSet::new();
    for function in functions {
        for call in function.blocks().iter().flat_map(|block| block.instructions()) {
            let Some(callee) = call.called() else { continue };
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
