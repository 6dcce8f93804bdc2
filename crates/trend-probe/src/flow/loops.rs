//! Loops of a function.
//!
//! ```text
//!   preheader ─▶ header ─▶ … ─▶ latch ─▶ header          the latch's edge is the back edge
//!                  │  exiting blocks
//!                  ▼
//!                exits
//! ```
//!
//! A cycle that can be entered at more than one block is not a natural loop: no block begins every trip. For example, a
//! `switch` may jump into a loop. Natural loops inside it and around it are found like others.

use std::collections::{HashMap, HashSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::dominators::{deciding, immediate};
use super::graph::Graph;

/// A loop of a function.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// The block that begins every trip. In a cycle with several entries, the first of its blocks.
    pub(crate) header: usize,
    /// True for a cycle with several entries. It has no preheader and no latches.
    pub(crate) has_several_entries: bool,
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
    /// Returns the loops, except those that run only while an exception leaves the function. Outer loops come before
    /// their inner loops; otherwise, loops are in the order of their headers.
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
                Loop::new(header, latches, blocks)
            })
            .collect();
        loops.extend(self.cycles_with_several_entries(&loops));
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
                let mut renumbered = loops[*old].clone();
                renumbered.parent = parents[*old].map(|parent| places[&parent]);
                let mut inside: Vec<usize> = renumbered.blocks.iter().copied().collect();
                inside.sort_unstable();
                for from in inside {
                    let left = self.successors[from].iter().filter(|to| !renumbered.blocks.contains(to));
                    renumbered.exits.extend(left.map(|to| (from, *to)));
                }
                let outside: Vec<usize> = self.predecessors[renumbered.header]
                    .iter()
                    .copied()
                    .filter(|from| !renumbered.blocks.contains(from))
                    .collect();
                renumbered.preheader = match outside[..] {
                    [one] if self.successors[one].len() == 1 && !renumbered.has_several_entries => Some(one),
                    _ => None,
                };
                renumbered
            })
            .collect()
    }

    /// Returns the cycles that can be entered at more than one block, given all natural loops. Without the back edges
    /// of natural loops, only these cycles are left.
    fn cycles_with_several_entries(&self, natural: &[Loop]) -> Vec<Loop> {
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<NodeIndex> = self.blocks.iter().map(|_| graph.add_node(())).collect();
        for (from, all) in self.successors.iter().enumerate().filter(|(from, _)| self.is_reachable(*from)) {
            for to in all.iter().filter(|to| !self.dominates(**to, from) && !self.is_cleanup[**to]) {
                graph.add_edge(nodes[from], nodes[*to], ());
            }
        }
        let cycles = tarjan_scc(&graph).into_iter().filter(|cycle| cycle.len() > 1);
        cycles
            .map(|cycle| {
                let mut blocks: HashSet<usize> = cycle.iter().map(|node| node.index()).collect();
                let header = blocks.iter().copied().min().expect("a cycle has blocks");
                let inside = natural.iter().filter(|one| cycle.contains(&nodes[one.header]));
                inside.for_each(|one| blocks.extend(&one.blocks));
                Loop { has_several_entries: true, ..Loop::new(header, Vec::new(), blocks) }
            })
            .collect()
    }

    /// Returns the blocks of a loop whose last instructions directly decide if a trip passes each block. In the whole
    /// function, later trips count as well: a block with the only exit is always passed in the end.
    pub(crate) fn decided_in(&self, of: &Loop) -> Vec<Vec<usize>> {
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
}

/// Returns the loops around a loop, the innermost first.
pub(crate) fn around(loops: &[Loop], of: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(loops[of].parent, |at| loops[*at].parent)
}

impl Loop {
    /// Creates a natural loop whose surroundings are not known yet.
    fn new(header: usize, latches: Vec<usize>, blocks: HashSet<usize>) -> Self {
        let (exits, has_several_entries) = (Vec::new(), false);
        Self { header, has_several_entries, preheader: None, latches, blocks, exits, parent: None }
    }

    /// Returns true if every completed trip passes a block.
    pub(crate) fn always_passes(&self, graph: &Graph, block: usize) -> bool {
        !self.has_several_entries && self.latches.iter().all(|latch| graph.dominates(block, *latch))
    }

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
