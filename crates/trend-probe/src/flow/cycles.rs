//! Functions with a cycle of blocks, and functions with a single path.

use std::collections::HashMap;

use petgraph::graph::DiGraph;

use crate::ir::value::{Opcode, Value};

/// Returns true if control can come back to a block of a function.
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

/// Returns true if there is only one path through a function, apart from exceptions.
pub(crate) fn hands_on(function: Value) -> bool {
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
