//! Records activations of a loop together if its inputs stay the same while a loop around it runs.
//!
//! ```text
//!   for (i < n) for (j < m) …        activations of the inner loop are added up in registers,
//!                                    and recorded together where the outer loop is left
//! ```
//!
//! This is not done if the loop around it makes calls, which may never return. If its inputs and its counter alone
//! decide when a loop ends, all activations of a group are alike, and one stands for all.

use std::collections::HashSet;

use super::counters::{Counters, Trips, Watcher};
use crate::flow::loops::around;
use crate::ir::instruction::is_computed;
use crate::ir::value::{Opcode, Value};
use crate::loops::facts::LoopFacts;
use crate::loops::inputs::input::{Input, InputSource};

/// Variables of activations that are recorded together.
pub(super) struct Group {
    /// Loop at whose exits the group is recorded.
    pub(super) around: usize,
    /// Trips before that loop.
    pub(super) trips: Value,
    pub(super) count: Count,
    pub(super) seen: Range,
    /// Range of the costs, and their sum, if costs are measured.
    pub(super) cost: Option<(Range, Value)>,
}

/// Number of activations in a group.
#[derive(Clone, Copy)]
pub(super) enum Count {
    /// The number is in a variable.
    In(Value),
    /// One activation for each trip of the parent. The value is the parent's trips before the group.
    Trips(usize, Value),
}

/// Variables for the least and the greatest value of a group.
#[derive(Clone, Copy)]
pub(super) enum Range {
    Of(Value, Value),
    /// One variable, since all values are alike.
    One(Value),
}

impl Watcher<'_, '_> {
    /// Returns the outermost loop around a loop during which its inputs stay the same.
    pub(super) fn group_around(&self, number: usize, inputs: &[Input], counters: &Counters) -> Option<usize> {
        let values = inputs.iter().flat_map(|input| match input.source {
            InputSource::Before(value)
            | InputSource::Inside(value)
            | InputSource::IsThere(value)
            | InputSource::Count(value, _) => vec![value],
            InputSource::Steps(first, last, _) => vec![first, last],
            InputSource::Changes => Vec::new(),
        });
        let values: Vec<Value> = values.collect();
        let holds = |outer: &usize| {
            let one = &self.loops[*outer];
            counters.trips[*outer].is_some()
                && !one.exits.is_empty()
                && !self.may_be_abandoned(one)
                && values.iter().all(|value| !self.is_in(*value, one))
        };
        around(self.loops, number).take_while(holds).last()
    }

    /// Creates the variables of a group. They are reset before the loop around it.
    pub(super) fn group(
        &self,
        around: usize,
        of: usize,
        counters: &Counters,
        is_folded: bool,
        facts: &[LoopFacts],
    ) -> Group {
        let (builder, long) = (self.builder, self.builder.int64());
        let end = self.in_front(&self.loops[around]);
        let trips = self.builder_in_front(&self.loops[around]).trips(of, counters);
        let from = |value: u64| {
            let variable = self.variable();
            builder.before(end).store(builder.constant(long, value), variable);
            variable
        };
        let range =
            |is_one: bool| if is_one { Range::One(from(0)) } else { Range::Of(from(u64::MAX), from(0)) };
        let count = match self.is_in_every_trip(of, facts) {
            Some(parent) if self.is_counted_in(parent, around, counters) => {
                Count::Trips(parent, self.builder_in_front(&self.loops[around]).trips(parent, counters))
            }
            _ => Count::In(from(0)),
        };
        let is_alike = self.is_decided_outside(of, around);
        let seen = range(is_alike);
        let cost = facts[of].affine_cost.is_none().then(|| {
            let is_part = |inside: usize| {
                self.is_in_every_trip(inside, facts).is_some() && self.is_decided_outside(inside, around)
            };
            let is_alike = is_alike && is_folded && self.inside(of).into_iter().all(is_part);
            (range(is_alike), from(0))
        });
        Group { around, trips, count, seen, cost }
    }

    /// Returns true if the trips of a loop are counted while another one around it runs. Constant ones are counted with
    /// the trips of the parent.
    fn is_counted_in(&self, of: usize, around: usize, counters: &Counters) -> bool {
        match counters.trips[of] {
            None => false,
            Some(Trips::In(_)) => self.loops[around].blocks.contains(&self.loops[of].header),
            Some(Trips::Times(_, parent)) => self.is_counted_in(parent, around, counters),
        }
    }

    /// Returns true if only values that do not change in an outer loop decide the trip count of a loop inside it.
    fn is_decided_outside(&self, of: usize, around: usize) -> bool {
        let (one, around) = (&self.loops[of], &self.loops[around]);
        let Some((from, _)) =
            one.exits.first().filter(|(from, _)| one.exits.iter().all(|other| other.0 == *from))
        else {
            return false;
        };
        // An exit that some trips skip does not decide alone.
        if !one.always_passes(self.graph, *from) {
            return false;
        }
        let (mut next, mut seen) =
            (Vec::from_iter(self.graph.blocks[*from].terminator().condition()), HashSet::new());
        while let Some(value) = next.pop() {
            if !self.is_in(value, around) || !seen.insert(value) {
                continue;
            }
            match value.opcode() {
                Some(Opcode::LLVMPHI) if self.graph.number(value.block()) == one.header => {
                    next.extend(value.incoming().into_iter().map(|(value, _)| value));
                }
                Some(opcode) if is_computed(opcode) => next.extend(value.operands()),
                _ => return false,
            }
        }
        true
    }
}
