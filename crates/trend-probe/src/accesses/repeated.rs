//! Finds accesses that every trip of a loop repeats. They are watched only in its first trip.
//!
//! ```text
//!   for (i = 0; i < n; i++)
//!     for (j = 0; j < m; j++) s += b[j * stride];      each trip of i reads the same cells as the first
//! ```
//!
//! Only the first access of an activation to a cell can count. The trips of a loop repeat an access if three things
//! depend only on values from before the loop and on counters of inner loops: its address, its length, and the branches
//! that lead to it.

use std::collections::{HashMap, HashSet};

use inkwell::module::Module;

use super::access::{Access, Size};
use crate::flow::graph::Graph;
use crate::flow::loops::Loop;
use crate::ir::builder::Builder;
use crate::ir::instruction::is_computed;
use crate::ir::value::{Opcode, Value};

/// Maximum number of values that are followed for an access in one loop.
const MOST: usize = 256;

/// Maximum number of loops times blocks of a function. Each pair takes 24 bytes and more.
const LARGEST: usize = 1 << 20;

/// Gives each repeated access a variable that is 1 in the first trip of the outermost loop that repeats it, and 0 in
/// later trips.
pub(super) fn mark_repeated(function: Value, accesses: &mut [Access], module: &Module<'_>) {
    let graph = Graph::new(function);
    let loops = graph.loops();
    if loops.is_empty() || loops.len() * graph.blocks.len() > LARGEST {
        return;
    }
    let decided_in: Vec<_> = loops.iter().map(|one| graph.decided_in(one)).collect();
    let trips = |of| Trips { graph: &graph, loops: &loops, decided_in: &decided_in, of };
    let builder = Builder::new(module);
    let mut variables: HashMap<usize, Value> = HashMap::new();
    let can_repeat: Vec<bool> = loops.iter().map(|one| can_repeat(&graph, one)).collect();
    for access in accesses {
        let block = graph.number(access.at.block());
        let around = (0..loops.len()).filter(|of| loops[*of].blocks.contains(&block) && can_repeat[*of]);
        let repeating = around.into_iter().find(|of| trips(*of).repeat(access));
        access.first_trip = repeating.map(|of| {
            *variables.entry(of).or_insert_with(|| first_trip(&builder, &graph, &loops[of], function))
        });
    }
}

/// Returns true if a variable can be set before a loop and at the end of its trips, and if no trip catches an
/// exception, which may skip accesses.
fn can_repeat(graph: &Graph, one: &Loop) -> bool {
    let catches = |block: &usize| {
        let instructions = graph.blocks[*block].instructions();
        instructions.iter().any(|of| of.opcode() == Some(Opcode::LLVMLandingPad))
    };
    one.preheader.is_some() && !one.blocks.iter().any(catches)
}

/// Creates a variable that is 1 in the first trip of a loop, and 0 in later trips.
fn first_trip(builder: &Builder, graph: &Graph, one: &Loop, function: Value) -> Value {
    let long = builder.int64();
    let variable = builder.before(function.blocks()[0].instructions()[0]).variable(long);
    let set = |block: usize, value: u64| {
        builder.before(graph.blocks[block].terminator()).store(builder.constant(long, value), variable);
    };
    one.preheader.into_iter().for_each(|front| set(front, 1));
    one.latches.iter().for_each(|latch| set(*latch, 0));
    variable
}

/// Trips of a loop.
struct Trips<'a> {
    graph: &'a Graph,
    loops: &'a [Loop],
    /// For each loop and block: the blocks that decide if a trip passes the block.
    decided_in: &'a [Vec<Vec<usize>>],
    of: usize,
}

impl Trips<'_> {
    /// Returns true if all trips access the same cells as the first.
    fn repeat(&self, access: &Access) -> bool {
        let block = self.graph.number(access.at.block());
        let mut values = vec![(access.pointer, block)];
        if let Size::Computed(length) = access.size {
            values.push((length, block));
        }
        self.conditions_of(block).is_some_and(|conditions| {
            values.extend(conditions);
            self.are_alike(values)
        })
    }

    /// Returns the conditions that decide how often a trip executes a block, each with the block that branches on it;
    /// `None` if something other than a condition decides. Exits of the loop are ignored, because no trip follows them.
    fn conditions_of(&self, block: usize) -> Option<Vec<(Value, usize)>> {
        let one = &self.loops[self.of];
        let mut conditions = Vec::new();
        let (mut next, mut seen) = (vec![block], HashSet::new());
        while let Some(block) = next.pop() {
            // Each loop around the block can end its trip before it reaches the block.
            let around = (self.of..self.loops.len()).filter(|of| self.loops[*of].blocks.contains(&block));
            for around in around {
                if self.loops[around].has_several_entries {
                    return None;
                }
                for deciding in &self.decided_in[around][block] {
                    if !seen.insert(*deciding) {
                        continue;
                    }
                    next.push(*deciding);
                    let inside = self.graph.successors[*deciding].iter().filter(|to| one.blocks.contains(to));
                    if inside.count() > 1 {
                        let last = self.graph.blocks[*deciding].terminator();
                        conditions.push((last.condition()?, *deciding));
                    }
                }
            }
        }
        Some(conditions)
    }

    /// Returns true if each of these values takes the same sequence of values in every trip. Each one comes with the
    /// block that uses it.
    fn are_alike(&self, mut next: Vec<(Value, usize)>) -> bool {
        let mut seen = HashSet::new();
        while let Some((value, user)) = next.pop() {
            let Some(opcode) = value.opcode() else { continue };
            let block = self.graph.number(value.block());
            if !self.loops[self.of].blocks.contains(&block) {
                continue;
            }
            // Outside an inner loop, a value has the state of that loop's last trip, and the data may decide which trip
            // is the last.
            let mut inner = self.loops[self.of + 1..].iter().filter(|inner| inner.blocks.contains(&block));
            if inner.any(|inner| !inner.blocks.contains(&user)) {
                return false;
            }
            if !seen.insert(value) {
                continue;
            }
            if seen.len() > MOST || !(is_computed(opcode) || self.is_inner_counter(value)) {
                return false;
            }
            if opcode == Opcode::LLVMPHI {
                next.extend(
                    value.incoming().into_iter().map(|(value, from)| (value, self.graph.number(from))),
                );
            } else {
                next.extend(value.operands().into_iter().map(|operand| (operand, block)));
            }
        }
        true
    }

    /// Returns true for a phi in the header of an inner loop.
    fn is_inner_counter(&self, phi: Value) -> bool {
        let block = self.graph.number(phi.block());
        let mut inner = self.loops[self.of + 1..].iter().filter(|inner| !inner.has_several_entries);
        // With one way in and one way back, no branch chooses the phi's value.
        let is_simple = |inner: &Loop| inner.preheader.is_some() && inner.latches.len() == 1;
        phi.opcode() == Some(Opcode::LLVMPHI)
            && block != self.loops[self.of].header
            && inner.any(|inner| inner.header == block && is_simple(inner))
    }
}
