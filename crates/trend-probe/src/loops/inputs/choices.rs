//! Finds the conditions that decide if a block is executed: those that it is control dependent on, and those that these
//! depend on.
//!
//! ```text
//!   if (a || b) n = 1;       n = 1 depends on a and on b, n = 2 on b, and b on a:
//!   else n = 2;              a and b decide n
//! ```
//!
//! Source: J. Ferrante, K. J. Ottenstein, J. D. Warren, *The Program Dependence Graph and Its Use in Optimization*,
//! TOPLAS 9(3), 1987.

use std::collections::BTreeSet;

use super::search::Search;
use crate::ir::value::Value;

impl Search<'_, '_, '_> {
    /// Visits the condition at the end of a block.
    pub(super) fn condition_of(&mut self, block: usize) {
        if let Some(condition) = self.all.graph.blocks[block].terminator().condition() {
            self.visit(condition);
        }
    }

    /// Visits the conditions that choose the value of a phi.
    pub(super) fn choice(&mut self, phi: Value) {
        let graph = self.all.graph;
        let block = graph.number(phi.block());
        if let Some(fork) = graph.dominator(block) {
            self.conditions(graph.predecessors[block].clone(), fork);
        }
    }

    /// Visits the conditions that decide if a trip of the loop passes a block.
    pub(super) fn conditions_of(&mut self, block: usize) {
        self.conditions(vec![block], self.all.loops[self.of].header);
    }

    /// Visits the conditions that decide which of some blocks a path from `fork` leads to.
    pub(super) fn conditions(&mut self, blocks: Vec<usize>, fork: usize) {
        let graph = self.all.graph;
        let is_in_trip = blocks.iter().all(|block| self.all.loops[self.of].blocks.contains(block));
        let decided_by = if is_in_trip { &self.decided_by } else { &graph.decided_by };
        let (mut next, mut deciding) = (blocks, BTreeSet::new());
        while let Some(at) = next.pop() {
            let conditions = decided_by[at].iter().filter(|by| at != fork && graph.dominates(fork, **by));
            next.extend(conditions.filter(|by| deciding.insert(**by)));
        }
        deciding.into_iter().rev().for_each(|block| self.condition_of(block));
    }
}
