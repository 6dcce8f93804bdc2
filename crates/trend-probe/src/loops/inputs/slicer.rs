//! Loops of a function, and how values relate to them.

use std::collections::HashSet;

use inkwell::module::Module;

use super::written::Writes;
use crate::flow::graph::Graph;
use crate::flow::loops::{Loop, around};
use crate::ir::value::{Block, Opcode, Value};
use crate::loops::debug::node::Node;
use crate::loops::naming::names::Names;

/// Finds the inputs of the loops of one function.
pub(crate) struct Slicer<'a, 'b> {
    pub(crate) module: &'a Module<'b>,
    pub(crate) graph: &'a Graph,
    pub(crate) loops: &'a [Loop],
    pub(crate) names: &'a Names<'a, 'b>,
    pub(crate) writes: &'a Writes,
}

impl Slicer<'_, '_> {
    /// Returns the exits, except for exceptions and calls that do not return.
    pub(crate) fn normal_exits(&self, of: usize) -> impl Iterator<Item = (usize, usize)> {
        self.loops[of].exits.iter().copied().filter(|(_, to)| !self.graph.is_abnormal[*to])
    }

    /// Returns the scope of the source that a loop is in.
    pub(super) fn scope(&self, of: usize) -> Option<Node> {
        let header = self.graph.blocks[self.loops[of].header];
        let instructions = header.instructions();
        instructions.iter().rev().find_map(|at| self.names.debug.scope(*at))
    }

    /// Returns the names of values from before an outer loop, for variables that have another value in each of its
    /// trips.
    pub(super) fn stale(&self, of: usize) -> HashSet<(Value, Node)> {
        let of_loop = |outer: usize| {
            let header = self.graph.blocks[self.loops[outer].header].instructions();
            let phis: Vec<Value> =
                header.into_iter().take_while(|at| at.opcode() == Some(Opcode::LLVMPHI)).collect();
            self.names.stale(&phis, |value| !self.is_inside(value, outer))
        };
        around(self.loops, of).flat_map(of_loop).collect()
    }

    pub(crate) fn is_inside(&self, value: Value, of: usize) -> bool {
        value.opcode().is_some() && self.loops[of].blocks.contains(&self.graph.number(value.block()))
    }

    /// Returns true if a value is in a loop nested in this one, at any depth.
    pub(super) fn is_in_loop_inside(&self, value: Value, of: usize) -> bool {
        // Nested loops have higher numbers.
        (of + 1..self.loops.len()).any(|inner| self.is_inside(value, inner))
    }

    /// Returns the loop whose header contains a phi.
    pub(crate) fn header_of(&self, phi: Value) -> Option<usize> {
        if phi.opcode() != Some(Opcode::LLVMPHI) {
            return None;
        }
        let block = self.graph.number(phi.block());
        self.loops.iter().position(|l| l.header == block && !l.has_several_entries)
    }

    /// Returns true if a loop is around another one.
    pub(super) fn is_around(&self, outer: usize, inner: usize) -> bool {
        around(self.loops, inner).any(|at| at == outer)
    }

    /// Returns the first value of a phi in a header, and the values that it gets by the back edges.
    pub(crate) fn first_and_next(&self, phi: Value, of: usize) -> (Option<Value>, Vec<Value>) {
        let (mut first, mut next) = (None, Vec::new());
        for (value, from) in phi.incoming() {
            if self.loops[of].blocks.contains(&self.graph.number(from)) {
                next.push(value);
            } else {
                first = Some(value);
            }
        }
        (first, next)
    }

    /// Returns the growth of a phi in a header per trip, in bytes for a pointer. In the last trip it need not grow: on
    /// the edge that block `asking` takes when it finds the end.
    pub(crate) fn step(&self, phi: Value, of: usize, asking: Option<Block>) -> Option<i64> {
        let (_, next) = self.first_and_next(phi, of);
        let ways = next.into_iter().flat_map(|next| {
            if next.opcode() == Some(Opcode::LLVMPHI) && next != phi && self.is_inside(next, of) {
                let ways = next.incoming().into_iter();
                ways.filter(|(value, from)| *value != phi || Some(*from) != asking)
                    .map(|(value, _)| value)
                    .collect()
            } else {
                vec![next]
            }
        });
        let steps: Option<Vec<i64>> = ways
            .map(|next| {
                if phi.ty().is_pointer() {
                    let offset = next.offset(self.module);
                    (offset.base == phi && offset.indices.is_empty()).then_some(offset.bytes)
                } else {
                    let by = next.operands();
                    match next.opcode()? {
                        Opcode::LLVMAdd if by[0] == phi => by[1].signed(),
                        Opcode::LLVMAdd if by[1] == phi => by[0].signed(),
                        Opcode::LLVMSub if by[0] == phi => by[1].signed().map(i64::wrapping_neg),
                        _ => None,
                    }
                }
            })
            .collect();
        let steps = steps?;
        let first = *steps.first()?;
        steps.iter().all(|step| *step == first && first != 0).then_some(first)
    }
}
