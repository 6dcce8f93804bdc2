//! Records activations where loops are left, one by one or in groups.

use super::counters::{Counters, Watcher};
use super::groups::{Count, Group, Range};
use super::watched::Watched;
use crate::ir::value::Value;
use crate::loops::facts::LoopFacts;

impl Watcher<'_, '_> {
    /// Records a loop at its exits, or at the exits of the loop around its group.
    pub(super) fn record(&self, one: &Watched, counters: &Counters, facts: &mut LoopFacts) {
        if let Some(group) = &one.group {
            for exit in self.exits_of(group.around) {
                self.exit_group(exit, one, group, counters, facts);
            }
            for exit in self.exits_of(one.number) {
                self.add_to_group(exit, one, group, counters);
            }
            return;
        }
        for exit in self.exits_of(one.number) {
            self.exit(exit, one, counters, facts);
        }
        if self.may_be_abandoned(&self.loops[one.number]) {
            facts.is_start_counted = true;
            let front = self.in_front(&self.loops[one.number]);
            self.builder.before(front).call(self.hooks.start, &[one.descriptor]);
        }
    }

    /// Records an activation at an exit of its loop.
    fn exit(&self, exit: usize, one: &Watched, counters: &Counters, facts: &LoopFacts) {
        let trips = self.at(exit).trips_since(one.number, counters, one.trips);
        let mut arguments = vec![one.descriptor, trips, self.cost_of(one, counters)];
        arguments.append(&mut self.values(one));
        let entry = self.builder.call(self.hooks.exit(one.inputs.len(), one.has_cost), &arguments);
        self.trips_inside(entry, one, counters, facts);
    }

    /// Adds an activation to its group at an exit of its loop.
    pub(super) fn add_to_group(&self, exit: usize, one: &Watched, group: &Group, counters: &Counters) {
        let (builder, long) = (self.builder, self.builder.int64());
        let trips = self.at(exit).trips_since(one.number, counters, one.trips);
        let grow = |variable: Value, by: Value| {
            builder.store(builder.add(builder.load(long, variable), by), variable);
        };
        let extend = |range: Range, value: Value| match range {
            Range::One(variable) => builder.store(value, variable),
            Range::Of(least, greatest) => {
                builder.store(builder.lesser(builder.load(long, least), value), least);
                builder.store(builder.greater(builder.load(long, greatest), value), greatest);
            }
        };
        if let Count::In(variable) = group.count {
            grow(variable, builder.constant(long, 1));
        }
        extend(group.seen, trips);
        if let Some((range, sum)) = group.cost {
            let cost = self.cost_of(one, counters);
            extend(range, cost);
            grow(sum, cost);
        }
    }

    /// Records a group at an exit of the loop around it.
    pub(super) fn exit_group(
        &self,
        exit: usize,
        one: &Watched,
        group: &Group,
        counters: &Counters,
        facts: &LoopFacts,
    ) {
        let (builder, long) = (self.builder, self.builder.int64());
        let sum = self.at(exit).trips_since(one.number, counters, group.trips);
        let load = |variable: Value| builder.load(long, variable);
        let range = |range: Range| match range {
            Range::One(variable) => [load(variable); 2],
            Range::Of(least, greatest) => [load(least), load(greatest)],
        };
        let count = match group.count {
            Count::In(variable) => load(variable),
            Count::Trips(parent, before) => self.trips_since(parent, counters, before),
        };
        let [least, greatest] = range(group.seen);
        let mut arguments = vec![one.descriptor, count, least, greatest, sum];
        match group.cost {
            Some((cost, all)) => arguments.extend(range(cost).into_iter().chain([load(all)])),
            None => arguments.extend([builder.constant(long, 0); 3]),
        }
        arguments.append(&mut self.values(one));
        let entry = builder.call(self.hooks.exits(one.inputs.len(), one.has_cost), &arguments);
        self.trips_inside(entry, one, counters, facts);
    }

    /// Records the trips of the inner loops in an entry, at the position of the builder.
    pub(super) fn trips_inside(&self, entry: Value, one: &Watched, counters: &Counters, facts: &LoopFacts) {
        for (place, (inside, before)) in facts.inner.iter().flatten().zip(&one.inner).enumerate() {
            let trips = self.trips_since(*inside, counters, *before);
            let place = self.builder.constant(self.builder.int64(), place as u64);
            self.builder.call(self.hooks.inner, &[entry, place, trips]);
        }
    }
}
