//! Blocks of a function, with their dominators.

use std::collections::HashMap;

use super::dominators::{deciding, immediate, is_above};
use super::exceptions::{abnormal, cleanup};
use crate::ir::value::{Block, Value};

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
    pub(crate) decided_by: Vec<Vec<usize>>,
    /// True for blocks that can only lead to an abnormal end: an exception, or a call that does not return.
    pub(crate) is_abnormal: Vec<bool>,
    /// True for blocks that run only while an exception leaves the function: code that compilers generate to drop and
    /// destroy values.
    pub(crate) is_cleanup: Vec<bool>,
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

    pub(crate) fn dominator(&self, block: usize) -> Option<usize> {
        self.dominators[block]
    }

    pub(super) fn is_reachable(&self, block: usize) -> bool {
        block == 0 || self.dominators[block].is_some()
    }
}
