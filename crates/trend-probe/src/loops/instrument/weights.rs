//! Costs of the blocks in loops, before optimization.

use crate::flow::graph::Graph;
use crate::flow::loops::Loop;
use crate::ir::value::Opcode;

/// Returns the cost that is added at each block, and the block at which a block's own cost is added. If a block is
/// executed as often as an earlier one in the same loop, its cost is added there. A cycle with several entries can
/// contain another one that is not a loop of its own, so each of its blocks keeps its own cost. Blocks that only
/// branch to another one cost nothing, since compilers are free to insert or remove them.
pub(crate) fn weights(graph: &Graph, loops: &[Loop]) -> (Vec<u64>, Vec<usize>) {
    let innermost: Vec<Option<usize>> = (0..graph.blocks.len())
        .map(|block| (0..loops.len()).rev().find(|of| loops[*of].blocks.contains(&block)))
        .collect();
    let mut weights = vec![0; graph.blocks.len()];
    let mut firsts: Vec<usize> = (0..graph.blocks.len()).collect();
    for block in (0..graph.blocks.len()).filter(|block| innermost[*block].is_some()) {
        let mut first = block;
        let mut above = graph.dominator(block);
        let has_several_entries = innermost[block].is_some_and(|of| loops[of].has_several_entries);
        while let Some(at) = above.filter(|_| !has_several_entries) {
            if innermost[at] == innermost[block] {
                if !graph.post_dominates(block, at) {
                    break;
                }
                first = at;
            }
            above = graph.dominator(at);
        }
        firsts[block] = first;
        if does_something(graph, block) {
            weights[first] += 1;
        }
    }
    (weights, firsts)
}

fn does_something(graph: &Graph, block: usize) -> bool {
    let block = graph.blocks[block];
    block.terminator().condition().is_some()
        || block
            .instructions()
            .iter()
            .any(|of| !matches!(of.opcode(), Some(Opcode::LLVMPHI | Opcode::LLVMBr)))
}
