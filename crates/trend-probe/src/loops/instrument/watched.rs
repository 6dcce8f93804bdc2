//! Values that a watched loop has when it begins.

use trend_runtime::loop_record::MOST_INPUTS;

use super::counters::{Counters, Watcher};
use super::entry::Entry;
use super::groups::Group;
use crate::flow::loops::Loop;
use crate::ir::value::Value;
use crate::loops::facts::LoopFacts;
use crate::loops::inputs::input::{Input, InputSource};

/// A loop whose activations are recorded.
pub(super) struct Watched {
    pub(super) number: usize,
    pub(super) descriptor: Value,
    pub(super) inputs: Vec<InputValue>,
    /// Trips and cost before the loop.
    pub(super) trips: Value,
    cost: Value,
    /// Trips of the inner loops before the recorded activations.
    pub(super) inner: Vec<Value>,
    pub(super) group: Option<Group>,
    /// True if the cost of the loop must be measured.
    pub(super) has_cost: bool,
}

/// Location of an input's value.
#[derive(Clone, Copy)]
pub(super) enum InputValue {
    Value(Value),
    /// The value is in a variable.
    In(Value),
}

impl Watcher<'_, '_> {
    /// Inserts code for the values that must exist before a loop begins.
    pub(super) fn front(
        &self,
        number: usize,
        inputs: &[Input],
        counters: &Counters,
        weights: &[u64],
        facts: &[LoopFacts],
    ) -> Watched {
        let (builder, long) = (self.builder, self.builder.int64());
        let one = &self.loops[number];
        let around = self.group_around(number, inputs, counters);
        let trips = self.builder_in_front(one).trips(number, counters);
        let outer = &self.loops[around.unwrap_or(number)];
        let end = self.in_front(outer);

        let input_value = |input: &Input| match input.source {
            InputSource::Before(value) => {
                Some(InputValue::Value(builder.before(end).number(value, input.is_unsigned)))
            }
            InputSource::Count(first, bytes) => {
                let place = builder.before(end).offset(first.operand(0), bytes);
                Some(InputValue::Value(builder.own_load(long, place)))
            }
            InputSource::IsThere(pointer) => Some(InputValue::Value(builder.before(end).is_there(pointer))),
            InputSource::Steps(first, last, step) if !self.is_in(last, one) => {
                Some(InputValue::Value(builder.before(end).steps(first, last, step)))
            }
            InputSource::Steps(first, last, step) => {
                if let Some(last) = self.at_entry(last, one) {
                    return Some(InputValue::Value(builder.steps(first, last, step)));
                }
                let place = last.next()?;
                let value = builder.before(place).steps(first, last, step);
                Some(self.keep(number, place, value, trips, counters))
            }
            InputSource::Inside(value) => {
                if let Some(value) = self.at_entry(value, one) {
                    return Some(InputValue::Value(builder.number(value, input.is_unsigned)));
                }
                let place = value.next()?;
                let value = builder.before(place).number(value, input.is_unsigned);
                Some(self.keep(number, place, value, trips, counters))
            }
            InputSource::Changes => None,
        };
        let inputs: Vec<InputValue> = inputs.iter().filter_map(input_value).take(MOST_INPUTS).collect();
        let inside = facts[number].inner.iter().flatten();
        let inner: Vec<Value> =
            inside.map(|inside| self.builder_in_front(outer).trips(*inside, counters)).collect();
        let short = |value: usize| builder.constant(builder.int32(), value as u64);
        let table = facts[number].table.unwrap_or_default();
        let values = [short(0), short(table), short(inputs.len()), short(inner.len()), self.facts];
        let descriptor = builder.record(c"trend.loop", &values);
        let has_cost = facts[number].affine_cost.is_none();
        let is_folded = one.blocks.iter().all(|block| weights[*block] == 0);
        let group = around.map(|around| self.group(around, number, counters, is_folded, facts));
        let cost = builder.before(self.in_front(one)).load(long, counters.cost);
        Watched { number, descriptor, inputs, trips, cost, inner, group, has_cost }
    }

    /// Returns a value that is read in a loop, with its contents at the beginning of the loop. Leaves the builder
    /// there.
    fn at_entry(&self, value: Value, one: &Loop) -> Option<Value> {
        let entry = Entry::new(self.module, self.graph, one, value)?;
        let none = self.variable();
        self.builder_in_front(one);
        Some(entry.read(self.builder, none))
    }

    /// Keeps the first value of an activation that is computed in a loop, before `place`. `before` is the number of
    /// trips before the loop.
    fn keep(&self, of: usize, place: Value, value: Value, before: Value, counters: &Counters) -> InputValue {
        let (builder, long) = (self.builder, self.builder.int64());
        let one = &self.loops[of];
        let variable = self.variable();
        if self.graph.number(place.block()) == one.header {
            builder.before(place);
            let now = self.trips(of, counters);
            let kept = builder.load(long, variable);
            builder.store(builder.if_equal(now, before, value, kept), variable);
        } else {
            // If the loop is left before the value is computed, 0 is recorded.
            let is_new = self.variable();
            builder.before(self.in_front(one)).store(builder.constant(long, 0), variable);
            builder.store(builder.constant(long, 1), is_new);
            builder.before(place);
            let (kept, none) = (builder.load(long, variable), builder.constant(long, 0));
            let first = builder.if_equal(builder.load(long, is_new), none, kept, value);
            builder.store(first, variable);
            builder.store(none, is_new);
        }
        InputValue::In(variable)
    }

    /// Returns the values of the inputs at the position of the builder, and 0 for missing ones.
    pub(super) fn values(&self, one: &Watched) -> Vec<Value> {
        let (builder, long) = (self.builder, self.builder.int64());
        let values = one.inputs.iter().map(|value| match value {
            InputValue::Value(value) => *value,
            InputValue::In(variable) => builder.load(long, *variable),
        });
        let mut values: Vec<Value> = values.collect();
        values.resize(MOST_INPUTS, builder.constant(long, 0));
        values
    }

    pub(super) fn cost_of(&self, one: &Watched, counters: &Counters) -> Value {
        if one.has_cost {
            self.since(counters.cost, one.cost)
        } else {
            self.builder.constant(self.builder.int64(), 0)
        }
    }
}
