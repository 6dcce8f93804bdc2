//! Loops over the nodes of a container of libstdc++ that keeps their number.

use super::input::{Input, InputSource};
use super::search::Search;
use super::slicer::Slicer;
use crate::ir::value::{Opcode, Value};
use crate::loops::naming::named::Named;

/// Distance in bytes between two fields of libstdc++'s trees and lists: the pointer to the first node, and the number
/// of nodes.
const BEHIND_FIRST: i64 = 16;

/// Distance in bytes between the same two fields of libstdc++'s hash tables.
const BEHIND_FIRST_OF_CHAIN: i64 = 8;

/// Start of the symbols of the functions of libstdc++ that return the next node of a tree.
const NEXT_IN_TREE: &str = "_ZSt18_Rb_tree_increment";

impl Slicer<'_, '_> {
    /// Returns the instruction that reads the pointer to a container's first node. `compare` must be the comparison that
    /// ends a loop over all nodes: with the header of a tree or a list, or with the null pointer at the end of a chain.
    pub(crate) fn first_node(&self, compare: Value, of: usize) -> Option<Value> {
        [(0, 1), (1, 0)].into_iter().find_map(|(node, end)| {
            let (node, end) = (compare.operand(node), compare.operand(end));
            if self.header_of(node) != Some(of) {
                return None;
            }
            let (first, next) = self.first_and_next(node, of);
            let [next] = next[..] else { return None };
            let first = first.filter(|first| first.opcode() == Some(Opcode::LLVMLoad))?;
            let is_step = match next.opcode()? {
                Opcode::LLVMCall => {
                    next.operand(0) == node && next.callee()?.name().starts_with(NEXT_IN_TREE)
                }
                Opcode::LLVMLoad => next.operand(0) == node,
                _ => false,
            };
            let (place, header) = (first.operand(0).offset(self.module), end.offset(self.module));
            // The header of a tree or a list contains the pointer to the first node.
            let is_header = self.is_same_object(&header, &place)
                && header.indices.is_empty()
                && header.bytes <= place.bytes;
            let is_walk = is_step && (end.is_null_pointer() || is_header) && place.indices.is_empty();
            (is_walk && self.is_kept_until(first, of)).then_some(first)
        })
    }
}

impl Search<'_, '_, '_> {
    /// Handles a comparison that tests whether a loop has passed all nodes, if their container keeps their number.
    pub(super) fn nodes(&mut self, compare: Value) -> bool {
        let counted = self.all.first_node(compare, self.of).and_then(|first| {
            let place = first.operand(0).offset(self.all.module);
            let is_chain = [0, 1].iter().any(|side| compare.operand(*side).is_null_pointer());
            let distance = if is_chain { BEHIND_FIRST_OF_CHAIN } else { BEHIND_FIRST };
            let named = self.all.names.count_of_nodes(&place, distance, &self.view)?;
            (!self.all.is_count_written(first, distance, self.of)).then_some((first, named, distance))
        });
        let Some((first, named, distance)) = counted else { return false };
        let source = InputSource::Count(first, distance);
        let Named { name, kind, .. } = named;
        let (graph, one) = (self.all.graph, &self.all.loops[self.of]);
        let block = graph.number(compare.block());
        let is_limit = one.always_passes(graph, block);
        let input = Input { name, kind, counter_of: None, source, is_unsigned: true, is_limit };
        self.inputs.push(input);
        true
    }
}
