//! Which conditions decide the way that a loop takes, and with it the value that comes by it.

use std::collections::{HashMap, HashSet};

use super::inputs::Search;
use crate::ir::Value;

impl Search<'_, '_, '_> {
    /// The condition at the end of a block.
    pub(super) fn condition_of(&mut self, block: usize) {
        if let Some(condition) = self.all.graph.blocks[block].terminator().condition() {
            self.visit(condition);
        }
    }

    /// The conditions that decide which of its values a phi has: those of blocks from which one way leads to other values than
    /// another way.
    pub(super) fn choice(&mut self, phi: Value) {
        let graph = self.all.graph;
        let block = graph.number(phi.block());
        let Some(fork) = graph.dominator(block) else { return };
        let incoming = phi.incoming();
        let mut leads_to: HashMap<usize, HashSet<Value>> = HashMap::new();
        let value_from = |from: usize| {
            incoming
                .iter()
                .find(|(_, at)| graph.number(*at) == from)
                .map(|(value, _)| HashSet::from([*value]))
        };
        let of_way = |from: usize, to: usize, leads_to: &HashMap<usize, HashSet<Value>>| {
            if to == block {
                value_from(from).unwrap_or_default()
            } else {
                leads_to.get(&to).cloned().unwrap_or_default()
            }
        };
        let mut next = graph.predecessors[block].clone();
        while let Some(at) = next.pop() {
            let ways = graph.successors[at].iter().map(|to| of_way(at, *to, &leads_to));
            let all: HashSet<Value> = ways.flatten().collect();
            if leads_to.get(&at) != Some(&all) {
                leads_to.insert(at, all);
                if at != fork {
                    next.extend(&graph.predecessors[at]);
                }
            }
        }
        let mut deciding: Vec<usize> = leads_to.keys().copied().collect();
        deciding.sort_unstable_by(|a, b| b.cmp(a));
        for at in deciding {
            let ways = graph.successors[at].iter().map(|to| of_way(at, *to, &leads_to));
            let mut ways = ways.filter(|values| !values.is_empty());
            let first = ways.next();
            if ways.any(|other| Some(&other) != first.as_ref()) {
                self.condition_of(at);
            }
        }
    }

    /// What decides whether the loop comes by an instruction in a trip.
    pub(super) fn conditions_of(&mut self, instruction: Value) {
        let (graph, header) = (self.all.graph, self.all.loops[self.of].header);
        let block = graph.number(instruction.block());
        let above = std::iter::successors(Some(block), |at| graph.dominator(*at).filter(|_| *at != header));
        for at in above.skip(1) {
            if !graph.post_dominates(block, at) {
                self.condition_of(at);
            }
        }
    }
}
