//! Dominators of a graph, and the blocks that decide if others are executed.

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

pub(super) fn immediate(successors: &[Vec<usize>], first: usize) -> Vec<Option<usize>> {
    let mut graph = DiGraph::<(), ()>::with_capacity(successors.len(), successors.len());
    let nodes: Vec<NodeIndex> = successors.iter().map(|_| graph.add_node(())).collect();
    for (from, all) in successors.iter().enumerate() {
        graph.extend_with_edges(all.iter().map(|to| (nodes[from], nodes[*to])));
    }
    let tree: Dominators<NodeIndex> = simple_fast(&graph, nodes[first]);
    nodes.iter().map(|node| tree.immediate_dominator(*node).map(NodeIndex::index)).collect()
}

pub(super) fn is_above(tree: &[Option<usize>], above: usize, below: usize) -> bool {
    std::iter::successors(Some(below), |at| tree.get(*at).copied().flatten()).any(|at| at == above)
}

/// Returns the blocks that each block is control dependent on. `backward` has the predecessors of each block.
pub(super) fn deciding(backward: &[Vec<usize>], post_dominators: &[Option<usize>]) -> Vec<Vec<usize>> {
    let end = post_dominators.len();
    let mut decided_by = vec![Vec::new(); end];
    for (to, all) in backward[..end].iter().enumerate() {
        for from in all {
            let mut decided = Some(to);
            while let Some(at) = decided.filter(|at| Some(*at) != post_dominators[*from] && *at != end) {
                decided_by[at].push(*from);
                decided = post_dominators[at];
            }
        }
    }
    decided_by
}
