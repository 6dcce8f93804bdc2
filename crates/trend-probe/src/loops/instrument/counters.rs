//! Variables that count trips and costs, and the positions around a loop.

use inkwell::module::Module;

use super::hooks::Hooks;
use crate::flow::graph::Graph;
use crate::flow::loops::{Loop, around};
use crate::ir::builder::Builder;
use crate::ir::value::Value;
use crate::loops::facts::LoopFacts;
use crate::routines::calls::may_not_return;

/// Watches the loops of one function.
pub(crate) struct Watcher<'a, 'b> {
    pub(crate) module: &'a Module<'b>,
    pub(crate) builder: &'a Builder,
    pub(crate) hooks: &'a Hooks,
    pub(crate) graph: &'a Graph,
    pub(crate) loops: &'a [Loop],
    /// Variable of the module with the facts of its loops.
    pub(crate) facts: Value,
    /// First instruction of the function.
    pub(crate) begin: Value,
}

/// Variables of the function that count.
pub(super) struct Counters {
    /// Trips of each loop; `None` for a loop that cannot be counted.
    pub(super) trips: Vec<Option<Trips>>,
    pub(super) cost: Value,
    pub(super) folded: Vec<Option<Folded>>,
}

/// Location of a loop's trips.
#[derive(Clone, Copy)]
pub(super) enum Trips {
    /// The trips are in a variable.
    In(Value),
    /// Each trip of the parent has a constant number of trips.
    Times(u64, usize),
}

/// Costs of each trip of a loop.
pub(super) struct Folded {
    /// Cost of the blocks that are executed whenever the header is.
    pub(super) header: u64,
    /// Cost of the blocks that are executed whenever the latch is; 0 if these are the same blocks as for the header.
    pub(super) latch: u64,
    /// Trips before the loop.
    pub(super) before: Value,
}

impl Watcher<'_, '_> {
    /// Returns the loops inside a loop, at any depth.
    pub(super) fn inside(&self, number: usize) -> Vec<usize> {
        (0..self.loops.len()).filter(|of| around(self.loops, *of).any(|outer| outer == number)).collect()
    }

    pub(super) fn exits_of(&self, of: usize) -> Vec<usize> {
        let mut exits: Vec<usize> = self.loops[of].exits.iter().map(|(_, to)| *to).collect();
        exits.sort_unstable();
        exits.dedup();
        exits
    }

    pub(super) fn is_in(&self, value: Value, one: &Loop) -> bool {
        value.opcode().is_some() && one.blocks.contains(&self.graph.number(value.block()))
    }

    /// Returns true if a loop makes calls that may not return.
    pub(super) fn may_be_abandoned(&self, one: &Loop) -> bool {
        let mut instructions = one.blocks.iter().flat_map(|block| self.graph.blocks[*block].instructions());
        instructions.any(may_not_return)
    }

    /// Returns the location of a loop's trips. If their number is constant, and the loop is part of every trip of its
    /// parent, they are counted with the parent's trips.
    pub(super) fn trips_of(&self, of: usize, is_counted: bool, facts: &[LoopFacts]) -> Option<Trips> {
        is_counted.then(|| match (facts[of].constant_trips, self.is_in_every_trip(of, facts)) {
            (Some(times), Some(parent)) => Trips::Times(times, parent),
            _ => Trips::In(self.variable()),
        })
    }

    /// Returns the parent of a loop if each completed trip of the parent activates the loop once, and no other trip
    /// does.
    pub(super) fn is_in_every_trip(&self, of: usize, facts: &[LoopFacts]) -> Option<usize> {
        let parent = self.loops[of].parent?;
        let outer = &self.loops[parent];
        let is_left_before = outer.exits.iter().all(|(from, _)| {
            outer.latches.contains(from) || self.graph.dominates(*from, self.loops[of].header)
        });
        (outer.is_simple(self.graph) && !facts[of].is_conditional && is_left_before).then_some(parent)
    }

    /// Returns the trips of a loop so far, at the position of the builder.
    pub(super) fn trips(&self, of: usize, counters: &Counters) -> Value {
        let (builder, long) = (self.builder, self.builder.int64());
        match counters.trips[of].expect("only loops that can be counted are watched") {
            Trips::In(variable) => builder.load(long, variable),
            Trips::Times(times, parent) => {
                builder.multiply(self.trips(parent, counters), builder.constant(long, times))
            }
        }
    }

    pub(super) fn trips_since(&self, of: usize, counters: &Counters, before: Value) -> Value {
        self.builder.subtract(self.trips(of, counters), before)
    }

    /// Returns the growth of a variable.
    pub(super) fn since(&self, variable: Value, before: Value) -> Value {
        self.builder.subtract(self.builder.load(self.builder.int64(), variable), before)
    }

    /// Creates a variable of the function that is 0 at first.
    pub(super) fn variable(&self) -> Value {
        let long = self.builder.int64();
        let variable = self.builder.before(self.begin).variable(long);
        self.builder.store(self.builder.constant(long, 0), variable);
        variable
    }

    pub(super) fn add(&self, before: Value, variable: Value, amount: u64) {
        let (builder, long) = (self.builder, self.builder.int64());
        let sum = builder.before(before).load(long, variable);
        builder.store(builder.add(sum, builder.constant(long, amount)), variable);
    }

    /// Returns the position after all code that is executed before a loop.
    pub(super) fn in_front(&self, one: &Loop) -> Value {
        self.graph.blocks[one.preheader.expect("only simple loops are watched")].terminator()
    }

    /// Moves the builder to the position after all code that is executed before a loop.
    pub(super) fn builder_in_front(&self, one: &Loop) -> &Self {
        self.builder.before(self.in_front(one));
        self
    }

    /// Moves the builder to the front of a block.
    pub(super) fn at(&self, block: usize) -> &Self {
        self.builder.before(self.graph.blocks[block].first_insertion_point());
        self
    }
}
