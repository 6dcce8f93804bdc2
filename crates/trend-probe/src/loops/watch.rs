//! Inserts counters into loops, before optimization.
//!
//! ```text
//!   entry:      trips = 0, cost = 0                  for each loop; they run on from activation to activation
//!   preheader:  trips₀ = trips, cost₀ = cost, inputs
//!   latch:      trips += 1
//!   exits:      exit(trips − trips₀, cost − cost₀, inputs), inner(trips of inner loops − their trips before)
//! ```
//!
//! The variables become registers. If the trips of a loop can be computed, the optimizer computes the sums. The rest of
//! the loop is vectorized and unrolled as without them. Until then, the called functions have no bodies, and access
//! nothing of the program.

use inkwell::module::Module;

use super::entry::Entry;
use super::facts::{KnownLoop, MOST_INPUTS};
use super::graph::{Graph, Loop};
use super::groups::Group;
use super::hooks::Hooks;
use super::inputs::{Input, Source};
use super::weights::weights;
use crate::ir::{Builder, Value};
use crate::routines::may_not_return;

/// Maximum number of inner loops whose trips are counted separately.
const MOST_INNER: usize = 64;

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

/// A loop whose activations are recorded.
pub(super) struct Watched {
    pub(super) number: usize,
    pub(super) descriptor: Value,
    pub(super) inputs: Vec<Told>,
    /// Trips and cost in front of the loop.
    pub(super) trips: Value,
    cost: Value,
    /// Trips of the inner loops in front of the recorded activations.
    inner: Vec<Value>,
    group: Option<Group>,
    /// True if the cost of the loop must be measured.
    pub(super) has_cost: bool,
}

/// Location of an input's value.
#[derive(Clone, Copy)]
pub(super) enum Told {
    Value(Value),
    /// The value is in a variable.
    In(Value),
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
    header: u64,
    /// Cost of the blocks that are executed whenever the latch is; 0 if these are the same blocks as for the header.
    latch: u64,
    /// Trips in front of the loop.
    before: Value,
}

impl Watcher<'_, '_> {
    /// Watches the loops that can be watched. Stores the numbers of their tables, and the inner loops that are counted,
    /// in `known`. `next` is the number of the next table.
    pub(crate) fn watch(&self, inputs: &[Vec<Input>], known: &mut [KnownLoop], next: &mut usize) {
        let is_counted: Vec<bool> = self.loops.iter().map(|l| l.is_simple(self.graph)).collect();
        let is_watched = |number: &usize| is_counted[*number] && known[*number].constant_trips.is_none();
        let watched: Vec<usize> = (0..self.loops.len()).filter(is_watched).collect();
        if watched.is_empty() {
            return;
        }
        let (mut weights, firsts) = weights(self.graph, self.loops);
        let mut counters = Counters {
            trips: (0..self.loops.len()).map(|of| self.trips_of(of, is_counted[of], known)).collect(),
            cost: self.variable(),
            folded: self.loops.iter().map(|_| None).collect(),
        };
        // Inner loops come first: a cost that arises as often as one around it is added there.
        for of in (0..self.loops.len()).rev() {
            counters.folded[of] = self.folded(of, &counters, &mut weights, &firsts);
        }
        for number in &watched {
            let inner = self.inside(*number);
            let is_known = inner.len() <= MOST_INNER && inner.iter().all(|inside| is_counted[*inside]);
            known[*number].cost = self.affine_cost(*number, &counters, &weights);
            known[*number].inner = is_known.then_some(inner);
            known[*number].table = Some(*next);
            *next += 1;
        }
        // Values in front of a loop are read before anything is added there.
        let watched: Vec<Watched> =
            watched.into_iter().map(|of| self.front(of, &inputs[of], &counters, &weights, known)).collect();
        for (number, one) in self.loops.iter().enumerate() {
            let Some(Trips::In(counter)) = counters.trips[number] else { continue };
            match known[number].constant_trips {
                Some(trips) => self.add(self.in_front(one), counter, trips),
                None => self.add(self.graph.blocks[one.latches[0]].terminator(), counter, 1),
            }
        }
        for (block, weight) in (0..).zip(weights).filter(|(_, weight)| *weight > 0) {
            self.add(self.graph.blocks[block].first_insertion_point(), counters.cost, weight);
        }
        // Each hook is inserted in front of those that are there already, so the last to be executed comes first. These
        // are groups, then outer loops, then inner loops, whose trips add to the cost of outer ones.
        let mut watched = watched.into_iter().peekable();
        for (number, known) in known.iter_mut().enumerate() {
            let of_loop = watched.next_if(|one| one.number == number);
            if let Some(one) = &of_loop {
                self.record(one, &counters, known);
            }
            if let Some(folded) = &counters.folded[number] {
                let exits = self.exits_of(number).into_iter();
                exits.for_each(|exit| self.add_folded(exit, number, folded, &counters));
            }
        }
    }

    /// Records a loop at its exits, or at the exits of the loop around its group.
    fn record(&self, one: &Watched, counters: &Counters, known: &mut KnownLoop) {
        if let Some(group) = &one.group {
            for exit in self.exits_of(group.around) {
                self.exit_group(exit, one, group, counters, known);
            }
            for exit in self.exits_of(one.number) {
                self.add_to_group(exit, one, group, counters);
            }
            return;
        }
        for exit in self.exits_of(one.number) {
            self.exit(exit, one, counters, known);
        }
        let is_left = !self.loops[one.number].exits.is_empty();
        if !is_left || self.may_be_abandoned(&self.loops[one.number]) {
            known.is_start_counted = true;
            let front = self.in_front(&self.loops[one.number]);
            self.builder.before(front).call(self.hooks.start, &[one.descriptor]);
        }
    }

    /// Returns the loops inside a loop, at any depth.
    pub(super) fn inside(&self, number: usize) -> Vec<usize> {
        let one = &self.loops[number];
        (0..self.loops.len())
            .filter(|other| one.blocks.contains(&self.loops[*other].header) && *other != number)
            .collect()
    }

    /// Returns the location of a loop's trips. If their number is constant, and the loop is part of every trip of its
    /// parent, they are counted with the parent's trips.
    fn trips_of(&self, of: usize, is_counted: bool, known: &[KnownLoop]) -> Option<Trips> {
        is_counted.then(|| match (known[of].constant_trips, self.is_in_every_trip(of, known)) {
            (Some(times), Some(parent)) => Trips::Times(times, parent),
            _ => Trips::In(self.variable()),
        })
    }

    /// Returns the parent of a loop if each completed trip of the parent activates the loop once, and no other trip
    /// does.
    pub(super) fn is_in_every_trip(&self, of: usize, known: &[KnownLoop]) -> Option<usize> {
        let parent = self.loops[of].parent?;
        let outer = &self.loops[parent];
        let is_left_before = outer.exits.iter().all(|(from, _)| {
            outer.latches.contains(from) || self.graph.dominates(*from, self.loops[of].header)
        });
        (outer.is_simple(self.graph) && !known[of].is_conditional && is_left_before).then_some(parent)
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

    /// Removes the costs that arise in each trip from the weights of a loop's blocks: they can be computed from the
    /// trips.
    fn folded(
        &self,
        of: usize,
        counters: &Counters,
        weights: &mut [u64],
        firsts: &[usize],
    ) -> Option<Folded> {
        let one = &self.loops[of];
        let [latch] = one.latches[..] else { return None };
        let trips = counters.trips[of]?;
        // If a latch and other blocks leave to one block, the number of executions of the header is unknown there.
        let is_mixed = |exit: &usize| {
            let from = &self.graph.predecessors[*exit];
            from.contains(&latch) && from.len() > 1
        };
        if self.exits_of(of).iter().any(is_mixed) {
            return None;
        }
        let header = std::mem::take(&mut weights[one.header]);
        let latch = std::mem::take(&mut weights[firsts[latch]]);
        if let Trips::Times(times, parent) = trips
            && let Some(parent) = self.loops[parent].latches.first()
        {
            let is_late = self.exits_of(of).iter().any(|exit| self.leaves_by_latch(*exit, of));
            weights[firsts[*parent]] += (header + latch) * times + if is_late { 0 } else { header };
            return None;
        }
        let before = self.builder_in_front(one).trips(of, counters);
        Some(Folded { header, latch, before })
    }

    /// Returns true if the latch of a loop leads to a block.
    fn leaves_by_latch(&self, exit: usize, of: usize) -> bool {
        self.graph.predecessors[exit].iter().any(|from| self.loops[of].latches.contains(from))
    }

    /// Returns the cost of an activation for each trip, and its fixed cost, if these are the same for all activations.
    fn affine_cost(&self, of: usize, counters: &Counters, weights: &[u64]) -> Option<[u64; 2]> {
        let folded = counters.folded[of].as_ref()?;
        let has_others = self.loops[of].blocks.iter().any(|block| weights[*block] > 0);
        let mut once = self
            .exits_of(of)
            .into_iter()
            .map(|exit| if self.leaves_by_latch(exit, of) { 0 } else { folded.header });
        let first = once.next()?;
        let is_same = once.all(|other| other == first);
        let mut inside = self.inside(of).into_iter();
        let are_in_trips = inside.all(|inside| matches!(counters.trips[inside], Some(Trips::Times(..))));
        (is_same && !has_others && are_in_trips).then_some([folded.header + folded.latch, first])
    }

    /// Adds the cost that all trips of a loop have in common, at an exit of the loop.
    fn add_folded(&self, exit: usize, of: usize, folded: &Folded, counters: &Counters) {
        if folded.header + folded.latch == 0 {
            return;
        }
        let (builder, long) = (self.builder, self.builder.int64());
        let trips = self.at(exit).trips_since(of, counters, folded.before);
        let all = builder.multiply(trips, builder.constant(long, folded.header + folded.latch));
        // The header is executed once more, unless the condition is at the end of the body.
        let once = if self.leaves_by_latch(exit, of) { 0 } else { folded.header };
        let so_far = builder.load(long, counters.cost);
        let sum = builder.add(builder.add(so_far, all), builder.constant(long, once));
        builder.store(sum, counters.cost);
    }

    fn exits_of(&self, of: usize) -> Vec<usize> {
        let mut exits: Vec<usize> = self.loops[of].exits.iter().map(|(_, to)| *to).collect();
        exits.sort_unstable();
        exits.dedup();
        exits
    }

    /// Moves the builder to the front of a block.
    pub(super) fn at(&self, block: usize) -> &Self {
        self.builder.before(self.graph.blocks[block].first_insertion_point());
        self
    }

    /// Moves the builder behind everything that is done before a loop.
    pub(super) fn builder_in_front(&self, one: &Loop) -> &Self {
        self.builder.before(self.in_front(one));
        self
    }

    pub(super) fn trips_since(&self, of: usize, counters: &Counters, before: Value) -> Value {
        self.builder.subtract(self.trips(of, counters), before)
    }

    /// Returns the growth of a variable.
    fn since(&self, variable: Value, before: Value) -> Value {
        self.builder.subtract(self.builder.load(self.builder.int64(), variable), before)
    }

    /// Creates a variable of the function that is 0 at first.
    pub(super) fn variable(&self) -> Value {
        let long = self.builder.int64();
        let variable = self.builder.before(self.begin).variable(long);
        self.builder.store(self.builder.constant(long, 0), variable);
        variable
    }

    fn add(&self, before: Value, variable: Value, amount: u64) {
        let (builder, long) = (self.builder, self.builder.int64());
        let sum = builder.before(before).load(long, variable);
        builder.store(builder.add(sum, builder.constant(long, amount)), variable);
    }

    /// Returns the position behind everything that is done before a loop.
    pub(super) fn in_front(&self, one: &Loop) -> Value {
        self.graph.blocks[one.preheader.expect("only simple loops are watched")].terminator()
    }

    /// Inserts code for the values that must exist before a loop begins.
    fn front(
        &self,
        number: usize,
        inputs: &[Input],
        counters: &Counters,
        weights: &[u64],
        known: &[KnownLoop],
    ) -> Watched {
        let (builder, long) = (self.builder, self.builder.int64());
        let one = &self.loops[number];
        let around = self.group_around(number, inputs, counters);
        let trips = self.builder_in_front(one).trips(number, counters);
        let outer = &self.loops[around.unwrap_or(number)];
        let end = self.in_front(outer);

        let told = |input: &Input| match input.source {
            Source::Before(value) => Some(Told::Value(builder.before(end).number(value, input.is_unsigned))),
            Source::IsThere(pointer) => Some(Told::Value(builder.before(end).is_there(pointer))),
            Source::Steps(first, last, step) if !self.is_in(last, one) => {
                Some(Told::Value(builder.before(end).steps(first, last, step)))
            }
            Source::Steps(first, last, step) => {
                if let Some(last) = self.at_entry(last, one) {
                    return Some(Told::Value(builder.steps(first, last, step)));
                }
                let place = last.next()?;
                let value = builder.before(place).steps(first, last, step);
                Some(self.keep(number, place, value, trips, counters))
            }
            Source::Inside(value) => {
                if let Some(value) = self.at_entry(value, one) {
                    return Some(Told::Value(builder.number(value, input.is_unsigned)));
                }
                let place = value.next()?;
                let value = builder.before(place).number(value, input.is_unsigned);
                Some(self.keep(number, place, value, trips, counters))
            }
            Source::Changes => None,
        };
        let inputs: Vec<Told> = inputs.iter().filter_map(told).take(MOST_INPUTS).collect();
        let inside = known[number].inner.iter().flatten();
        let inner: Vec<Value> =
            inside.map(|inside| self.builder_in_front(outer).trips(*inside, counters)).collect();
        let short = |value: usize| builder.constant(builder.int32(), value as u64);
        let table = known[number].table.unwrap_or_default();
        let values = [short(0), short(table), short(inputs.len()), short(inner.len()), self.facts];
        let descriptor = builder.record(c"trend.loop", &values);
        let has_cost = known[number].cost.is_none();
        let is_folded = one.blocks.iter().all(|block| weights[*block] == 0);
        let group = around.map(|around| self.group(around, number, counters, is_folded, known));
        let cost = builder.before(self.in_front(one)).load(long, counters.cost);
        Watched { number, descriptor, inputs, trips, cost, inner, group, has_cost }
    }

    pub(super) fn is_in(&self, value: Value, one: &Loop) -> bool {
        value.opcode().is_some() && one.blocks.contains(&self.graph.number(value.block()))
    }

    /// Returns a value that is read in a loop, with its contents at the beginning of the loop. Leaves the builder
    /// there.
    fn at_entry(&self, value: Value, one: &Loop) -> Option<Value> {
        let entry = Entry::of(self.module, self.graph, one, value)?;
        let none = self.variable();
        self.builder_in_front(one);
        Some(entry.read(self.builder, none))
    }

    /// Keeps the first value of an activation that is computed in a loop, in front of `place`. `before` is the number
    /// of trips before the loop.
    fn keep(&self, of: usize, place: Value, value: Value, before: Value, counters: &Counters) -> Told {
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
        Told::In(variable)
    }

    /// Returns the values of the inputs at the position of the builder, and 0 for missing ones.
    pub(super) fn values(&self, one: &Watched) -> Vec<Value> {
        let (builder, long) = (self.builder, self.builder.int64());
        let told = one.inputs.iter().map(|told| match told {
            Told::Value(value) => *value,
            Told::In(variable) => builder.load(long, *variable),
        });
        let mut values: Vec<Value> = told.collect();
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

    /// Records an activation at an exit of its loop.
    fn exit(&self, exit: usize, one: &Watched, counters: &Counters, known: &KnownLoop) {
        let trips = self.at(exit).trips_since(one.number, counters, one.trips);
        let mut arguments = vec![one.descriptor, trips, self.cost_of(one, counters)];
        arguments.append(&mut self.values(one));
        let entry = self.builder.call(self.hooks.exit(one.inputs.len(), one.has_cost), &arguments);
        self.trips_inside(entry, one, counters, known);
    }

    /// Records the trips of the inner loops in an entry, at the position of the builder.
    pub(super) fn trips_inside(&self, entry: Value, one: &Watched, counters: &Counters, known: &KnownLoop) {
        for (place, (inside, before)) in known.inner.iter().flatten().zip(&one.inner).enumerate() {
            let trips = self.trips_since(*inside, counters, *before);
            let place = self.builder.constant(self.builder.int64(), place as u64);
            self.builder.call(self.hooks.inner, &[entry, place, trips]);
        }
    }

    /// Returns true if a loop makes calls that may not return.
    pub(super) fn may_be_abandoned(&self, one: &Loop) -> bool {
        let mut instructions = one.blocks.iter().flat_map(|block| self.graph.blocks[*block].instructions());
        instructions.any(may_not_return)
    }
}
