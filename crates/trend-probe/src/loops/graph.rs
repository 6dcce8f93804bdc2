//! Dominators and natural loops of a function.
//!
//! ```text
//!   preheader ─▶ header ─▶ … ─▶ latch ─▶ header          the latch's edge is the back edge
//!                  │  exiting blocks
//!                  ▼
//!                exits
//! ```
//!
//! A cycle that can be entered at more than one block is no natural loop, and is not found.

use std::collections::{HashMap, HashSet};

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::ir::{Block, Opcode, Value};

/// Blocks of a function, and the edges between them.
pub(crate) struct Graph {
    pub(crate) blocks: Vec<Block>,
    numbers: HashMap<Block, usize>,
    pub(crate) successors: Vec<Vec<usize>>,
    pub(crate) predecessors: Vec<Vec<usize>>,
    /// Immediate dominator of each block; `None` for the first block and for blocks that cannot be reached.
    dominators: Vec<Option<usize>>,
    /// Immediate post-dominator of each block, without edges that end the function abnormally.
    post_dominators: Vec<Option<usize>>,
    /// Blocks whose last instruction directly decides if a block is executed.
    pub(super) decided_by: Vec<Vec<usize>>,
    /// True for blocks that can only lead to an abnormal end: an exception, or a call that does not return.
    pub(crate) is_abnormal: Vec<bool>,
    /// True for blocks that run only while an exception leaves the function: code that compilers generate to drop and
    /// destroy values.
    pub(crate) is_cleanup: Vec<bool>,
}

/// A natural loop of a function.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) header: usize,
    /// The only block outside the loop that leads to the header, if it leads to nothing else.
    pub(crate) preheader: Option<usize>,
    /// Blocks where the back edges start.
    pub(crate) latches: Vec<usize>,
    pub(crate) blocks: HashSet<usize>,
    /// Edges that leave the loop.
    pub(crate) exits: Vec<(usize, usize)>,
    pub(crate) parent: Option<usize>,
}

impl Graph {
    pub(crate) fn new(function: Value) -> Self {
        let blocks = function.blocks();
        let numbers: HashMap<Block, usize> = blocks.iter().copied().zip(0..).collect();
        let successors: Vec<Vec<usize>> = blocks
            .iter()
            .map(|block| {
                let mut next: Vec<usize> = block.successors().iter().map(|b| numbers[b]).collect();
                next.sort_unstable();
                next.dedup();
                next
            })
            .collect();
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (from, all) in successors.iter().enumerate() {
            for to in all {
                predecessors[*to].push(from);
            }
        }
        let is_abnormal = abnormal(&blocks, &successors, &predecessors);
        let is_cleanup = cleanup(&blocks, &successors, &predecessors);
        let dominators = immediate(&successors, 0);
        // A virtual end follows all blocks without a normal successor.
        let end = blocks.len();
        let mut backward: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
        for (from, all) in successors.iter().enumerate().filter(|(from, _)| !is_abnormal[*from]) {
            let mut normal = all.iter().filter(|to| !is_abnormal[**to]).peekable();
            if normal.peek().is_none() {
                backward[end].push(from);
            }
            normal.for_each(|to| backward[*to].push(from));
        }
        let mut post_dominators = immediate(&backward, end);
        post_dominators.truncate(end);
        let decided_by = deciding(&backward, &post_dominators);
        Self {
            blocks,
            numbers,
            successors,
            predecessors,
            dominators,
            post_dominators,
            decided_by,
            is_abnormal,
            is_cleanup,
        }
    }

    pub(crate) fn number(&self, block: Block) -> usize {
        self.numbers[&block]
    }

    /// Returns true if every path to `b` leads through `a`.
    pub(crate) fn dominates(&self, a: usize, b: usize) -> bool {
        is_above(&self.dominators, a, b)
    }

    /// Returns true if every normal path from `b` to the end leads through `a`.
    pub(crate) fn post_dominates(&self, a: usize, b: usize) -> bool {
        is_above(&self.post_dominators, a, b)
    }

    /// Returns the block that the first, second, … edge of a block's last instruction leads to.
    pub(crate) fn numbers_of_successor(&self, block: usize, way: usize) -> Option<usize> {
        self.blocks[block].successors().get(way).map(|to| self.numbers[to])
    }

    /// Returns the blocks of a loop whose last instructions directly decide if a trip passes each block. In the whole
    /// function, later trips count as well: a block with the only exit is always passed in the end.
    pub(super) fn decided_in(&self, of: &Loop) -> Vec<Vec<usize>> {
        let end = self.blocks.len();
        let mut backward: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
        for from in of.blocks.iter().copied().filter(|from| !self.is_abnormal[*from]) {
            for to in self.successors[from].iter().filter(|to| !self.is_abnormal[**to]) {
                let is_in_trip = *to != of.header && of.blocks.contains(to);
                backward[if is_in_trip { *to } else { end }].push(from);
            }
        }
        let mut post_dominators = immediate(&backward, end);
        post_dominators.truncate(end);
        deciding(&backward, &post_dominators)
    }

    pub(crate) fn dominator(&self, block: usize) -> Option<usize> {
        self.dominators[block]
    }

    fn is_reachable(&self, block: usize) -> bool {
        block == 0 || self.dominators[block].is_some()
    }

    /// Returns the natural loops, except those that run only while an exception leaves the function. Outer loops come
    /// before their inner loops; otherwise, loops are in the order of their headers.
    pub(crate) fn loops(&self) -> Vec<Loop> {
        let mut latches: HashMap<usize, Vec<usize>> = HashMap::new();
        for (from, all) in self.successors.iter().enumerate().filter(|(from, _)| self.is_reachable(*from)) {
            for to in all.iter().filter(|to| self.dominates(**to, from)) {
                latches.entry(*to).or_default().push(from);
            }
        }
        let mut headers: Vec<usize> =
            latches.keys().copied().filter(|header| !self.is_cleanup[*header]).collect();
        headers.sort_unstable();
        let mut loops: Vec<Loop> = headers
            .into_iter()
            .map(|header| {
                let latches = latches.remove(&header).expect("each header has one");
                let mut blocks = HashSet::from([header]);
                let mut next = latches.clone();
                while let Some(block) = next.pop() {
                    if self.is_reachable(block) && blocks.insert(block) {
                        next.extend(&self.predecessors[block]);
                    }
                }
                Loop { header, preheader: None, latches, blocks, exits: Vec::new(), parent: None }
            })
            .collect();
        // An outer loop has more blocks than a loop nested in it.
        loops.sort_by_key(|l| std::cmp::Reverse(l.blocks.len()));
        let mut order: Vec<usize> = Vec::new();
        let parents: Vec<Option<usize>> = (0..loops.len())
            .map(|inner| (0..inner).rev().find(|outer| loops[*outer].blocks.contains(&loops[inner].header)))
            .collect();
        let mut stack: Vec<usize> = children(&loops, &parents, None);
        while let Some(next) = stack.pop() {
            order.push(next);
            stack.extend(children(&loops, &parents, Some(next)));
        }
        let places: HashMap<usize, usize> = order.iter().copied().zip(0..).collect();
        order
            .iter()
            .map(|old| {
                let mut found = loops[*old].clone();
                found.parent = parents[*old].map(|parent| places[&parent]);
                let mut inside: Vec<usize> = found.blocks.iter().copied().collect();
                inside.sort_unstable();
                for from in inside {
                    let left = self.successors[from].iter().filter(|to| !found.blocks.contains(to));
                    found.exits.extend(left.map(|to| (from, *to)));
                }
                let outside: Vec<usize> = self.predecessors[found.header]
                    .iter()
                    .copied()
                    .filter(|from| !found.blocks.contains(from))
                    .collect();
                found.preheader = match outside[..] {
                    [one] if self.successors[one].len() == 1 => Some(one),
                    _ => None,
                };
                found
            })
            .collect()
    }
}

impl Loop {
    /// Returns true if counters can be put around the loop: it has a preheader, a single latch, and exit blocks of its
    /// own.
    pub(crate) fn is_simple(&self, graph: &Graph) -> bool {
        self.preheader.is_some()
            && self.latches.len() == 1
            && self
                .exits
                .iter()
                .all(|(_, to)| graph.predecessors[*to].iter().all(|p| self.blocks.contains(p)))
    }
}

/// Returns the loops nested directly in a loop, the last in the source first.
fn children(loops: &[Loop], parents: &[Option<usize>], of: Option<usize>) -> Vec<usize> {
    let mut all: Vec<usize> = (0..loops.len()).filter(|l| parents[*l] == of).collect();
    all.sort_by_key(|l| std::cmp::Reverse(loops[*l].header));
    all
}

/// Returns true for each block that cannot reach a `ret` without an exception. Blocks in an endless cycle are not
/// included.
fn abnormal(blocks: &[Block], successors: &[Vec<usize>], predecessors: &[Vec<usize>]) -> Vec<bool> {
    let mut is_abnormal = vec![false; blocks.len()];
    let mut next: Vec<usize> = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let begins_with_exception =
            block.instructions().iter().any(|of| of.opcode() == Some(Opcode::LLVMLandingPad));
        let ends_badly =
            matches!(block.terminator().opcode(), Some(Opcode::LLVMUnreachable | Opcode::LLVMResume));
        if begins_with_exception || ends_badly {
            is_abnormal[number] = true;
            next.extend(&predecessors[number]);
        }
    }
    while let Some(block) = next.pop() {
        if !is_abnormal[block]
            && !successors[block].is_empty()
            && successors[block].iter().all(|to| is_abnormal[*to])
        {
            is_abnormal[block] = true;
            next.extend(&predecessors[block]);
        }
    }
    is_abnormal
}

/// Returns true for each block that is only reached by an exception that is not caught, and that cannot reach a `ret`.
fn cleanup(blocks: &[Block], successors: &[Vec<usize>], predecessors: &[Vec<usize>]) -> Vec<bool> {
    let is_landing = |number: usize| {
        blocks[number].instructions().iter().any(|of| of.opcode() == Some(Opcode::LLVMLandingPad))
    };
    let returns =
        (0..blocks.len()).filter(|number| blocks[*number].terminator().opcode() == Some(Opcode::LLVMRet));
    let catches = |number: &usize| {
        let calls = blocks[*number].instructions().into_iter();
        let calls = calls.filter(|of| of.opcode() == Some(Opcode::LLVMCall) && !of.is_assembly());
        let mut callees = calls.filter_map(Value::callee);
        callees.any(|callee| callee.name() == "__cxa_begin_catch")
    };
    let is_caught = reached((0..blocks.len()).filter(catches).collect(), successors, |_| true);
    let is_normal = reached(vec![0], successors, |number| !is_landing(number));
    let may_return = reached(returns.collect(), predecessors, |_| true);
    (0..blocks.len()).map(|of| !is_normal[of] && !may_return[of] && !is_caught[of]).collect()
}

/// Returns true for each block that can be reached by edges through blocks for which `may_be` is true.
fn reached(mut next: Vec<usize>, edges: &[Vec<usize>], may_be: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut is_reached = vec![false; edges.len()];
    while let Some(block) = next.pop() {
        if !is_reached[block] && may_be(block) {
            is_reached[block] = true;
            next.extend(&edges[block]);
        }
    }
    is_reached
}

fn immediate(successors: &[Vec<usize>], first: usize) -> Vec<Option<usize>> {
    let mut graph = DiGraph::<(), ()>::with_capacity(successors.len(), successors.len());
    let nodes: Vec<NodeIndex> = successors.iter().map(|_| graph.add_node(())).collect();
    for (from, all) in successors.iter().enumerate() {
        graph.extend_with_edges(all.iter().map(|to| (nodes[from], nodes[*to])));
    }
    let found: Dominators<NodeIndex> = simple_fast(&graph, nodes[first]);
    nodes.iter().map(|node| found.immediate_dominator(*node).map(NodeIndex::index)).collect()
}

/// Returns the blocks that each block is control dependent on. `backward` has the predecessors of each block.
fn deciding(backward: &[Vec<usize>], post_dominators: &[Option<usize>]) -> Vec<Vec<usize>> {
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

fn is_above(tree: &[Option<usize>], above: usize, below: usize) -> bool {
    std::iter::successors(Some(below), |at| tree.get(*at).copied().flatten()).any(|at| at == above)
}
