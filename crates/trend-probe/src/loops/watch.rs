//! Puts counters into loops, before the code is optimized.
//!
//! ```text
//!   entry:      trips = 0, cost = 0                  for each loop; they run on from activation to activation
//!   preheader:  trips₀ = trips, cost₀ = cost, inputs
//!   latch:      trips += 1
//!   exits:      left(trips − trips₀, cost − cost₀, inputs), inner(trips of the loops inside − what they were)
//! ```
//!
//! The variables become registers. Of a loop whose trips can be computed the optimizer computes the sums, and what is left of
//! it is vectorized and unrolled as without them. The functions that are called have no bodies until that is done, and touch
//! nothing of the program's.

use std::collections::HashMap;

use super::facts::KnownLoop;
use super::graph::{Graph, Loop};
use super::inputs::{Input, Source};
use crate::costs::may_not_return;
use crate::ir::{Builder, Opcode, Value};

/// The inputs of a loop that are watched.
pub(crate) const MOST_INPUTS: usize = 4;
/// Loops inside another one whose trips are told apart in it.
const MOST_INNER: usize = 64;
/// `memory(inaccessiblemem: readwrite)`.
const INACCESSIBLE: u64 = 0b1100;

/// The functions that watched loops call.
pub(crate) struct Hooks {
    start: Value,
    inner: Value,
    /// By the number of inputs.
    exits: Vec<Value>,
}

impl Hooks {
    pub(crate) fn declare(builder: &Builder) -> Self {
        let (pointer, long) = (builder.pointer(), builder.int64());
        let hook = |value: Value| {
            value.add_attribute("memory", INACCESSIBLE);
            value.add_attribute("nounwind", 0);
            // Not that it returns: what only fills memory that nobody reads would be removed with its loops.
            value
        };
        let exit = |inputs: usize| {
            let parameters = [pointer, long, long, long, long, long, long];
            hook(builder.declare_returning(pointer, &format!("trend.loop.exit.{inputs}"), &parameters))
        };
        Self {
            start: hook(builder.declare("trend.loop.start", &[pointer])),
            inner: hook(builder.declare("trend.loop.inner", &[pointer, long, long])),
            exits: (0..=MOST_INPUTS).map(exit).collect(),
        }
    }

    /// The text of the hooks, with an exit for each number of inputs.
    pub(crate) fn source() -> String {
        let mut text = include_str!("loops.ll").to_owned();
        for inputs in 0..=MOST_INPUTS {
            text += &exit_of(inputs);
        }
        text
    }
}

/// An activation ends: it is added to the last entry where that has its inputs.
fn exit_of(inputs: usize) -> String {
    use std::fmt::Write as _;

    let mut text = format!(
        "define hidden ptr @trend.loop.exit.{inputs}(ptr %loop, i64 %trips, i64 %cost, i64 %a, i64 %b, i64 %c, i64 %d) \
         alwaysinline nounwind {{\nbegin:\n  %table = call ptr @trend.loop.table(ptr %loop)\n  %entry = load ptr, ptr %table\n  \
         %same.0 = icmp eq i64 0, 0\n"
    );
    for (index, name) in ["a", "b", "c", "d"].into_iter().enumerate().take(inputs) {
        let next = index + 1;
        let _ = write!(
            text,
            "  %at.{index} = getelementptr i64, ptr %entry, i64 {index}\n  %was.{index} = load i64, ptr %at.{index}\n  \
             %is.{index} = icmp eq i64 %was.{index}, %{name}\n  %same.{next} = and i1 %same.{index}, %is.{index}\n"
        );
    }
    let _ = write!(
        text,
        "  br i1 %same.{inputs}, label %same, label %other\nother:\n  %missed = call preserve_mostcc ptr \
         @trend.loop.missed(ptr %table, i64 %trips, i64 %cost, i64 %a, i64 %b, i64 %c, i64 %d)\n  br label %done\nsame:\n  \
         call void @trend.loop.add(ptr %entry, i64 %trips, i64 %cost)\n  br label %done\ndone:\n  %found = phi ptr [ %entry, \
         %same ], [ %missed, %other ]\n  ret ptr %found\n}}\n"
    );
    text
}

/// Watches the loops of one function.
pub(crate) struct Watcher<'a> {
    pub(crate) builder: &'a Builder,
    pub(crate) hooks: &'a Hooks,
    pub(crate) graph: &'a Graph,
    pub(crate) loops: &'a [Loop],
    /// The variable of the module with what is known of its loops.
    pub(crate) facts: Value,
}

/// What there is in front of one loop.
struct Front {
    trips: Value,
    cost: Value,
    /// The trips of the loops inside.
    inner: Vec<Value>,
    inputs: Vec<Told>,
}

/// Where an input's value is.
#[derive(Clone, Copy)]
enum Told {
    Value(Value),
    /// In a variable.
    In(Value),
}

/// Variables of the function.
struct Counters {
    /// Trips of each loop; none of one that cannot be counted.
    trips: Vec<Option<Value>>,
    cost: Value,
}

impl Watcher<'_> {
    /// Watches what can be watched; fills in the numbers of tables and what is counted inside. `next` is the number of the
    /// next table.
    pub(crate) fn watch(
        &self,
        function: Value,
        inputs: &[Vec<Input>],
        known: &mut [KnownLoop],
        next: &mut usize,
    ) {
        let is_counted: Vec<bool> = self.loops.iter().map(|l| l.is_simple(self.graph)).collect();
        let is_watched = |number: usize| is_counted[number] && known[number].constant_trips.is_none();
        let watched: Vec<usize> = (0..self.loops.len()).filter(|number| is_watched(*number)).collect();
        if watched.is_empty() {
            return;
        }
        let builder = self.builder;
        let begin = function.blocks()[0].instructions()[0];
        let counters = Counters {
            trips: is_counted.iter().map(|is| is.then(|| self.variable(begin))).collect(),
            cost: self.variable(begin),
        };
        // What is in front of a loop is read before anything is added there.
        let mut fronts: Vec<(usize, Front)> = Vec::new();
        for number in watched {
            let loops = self.loops;
            let one = &loops[number];
            let inner: Vec<usize> = (0..loops.len())
                .filter(|other| one.blocks.contains(&loops[*other].header) && *other != number)
                .collect();
            let is_known = inner.len() <= MOST_INNER && inner.iter().all(|inside| is_counted[*inside]);
            known[number].inner = is_known.then_some(inner);
            known[number].table = Some(*next);
            *next += 1;
            fronts.push((number, self.front(one, number, &inputs[number], &counters, &known[number], begin)));
        }
        for (number, one) in self.loops.iter().enumerate() {
            if let Some(counter) = counters.trips[number] {
                self.add(self.graph.blocks[one.latches[0]].terminator(), counter, 1);
            }
        }
        let (mut weights, firsts) = weights(self.graph, self.loops);
        let folded: Vec<Option<Folded>> =
            (0..self.loops.len()).map(|of| self.folded(of, &counters, &mut weights, &firsts)).collect();
        for (block, weight) in (0..).zip(weights).filter(|(_, weight)| *weight > 0) {
            self.add(self.graph.blocks[block].first_insertion_point(), counters.cost, weight);
        }
        let mut fronts: HashMap<usize, Front> = fronts.into_iter().collect();
        // Outer loops first: what is put in front of that for an inner loop is executed before.
        for (number, one) in self.loops.iter().enumerate() {
            let Some(front) = fronts.remove(&number) else {
                if let Some(folded) = &folded[number] {
                    self.exits_of(one).into_iter().for_each(|exit| self.add_folded(exit, one, folded, &counters));
                }
                continue;
            };
            let short = |value: usize| builder.constant(builder.int32(), value as u64);
            let table = known[number].table.unwrap_or_default();
            let values =
                [short(0), short(table), short(front.inputs.len()), short(front.inner.len()), self.facts];
            let descriptor = builder.record(c"trend.loop", &values);
            for exit in self.exits_of(one) {
                self.exit(exit, number, descriptor, &front, &counters, &known[number]);
                if let Some(folded) = &folded[number] {
                    self.add_folded(exit, one, folded, &counters);
                }
            }
            if one.exits.is_empty() || self.may_be_abandoned(one) {
                known[number].is_start_counted = true;
                builder.before(self.in_front(one)).call(self.hooks.start, &[descriptor]);
            }
        }
    }

    /// Takes from the weights of a loop's blocks what is executed in each trip: that can be computed from the trips.
    fn folded(&self, of: usize, counters: &Counters, weights: &mut [u64], firsts: &[usize]) -> Option<Folded> {
        let one = &self.loops[of];
        let [latch] = one.latches[..] else { return None };
        let trips = counters.trips[of]?;
        // A block that is left to by a latch and by others does not say how often the header was executed.
        let leaves_by_latch = |exit: usize| self.graph.predecessors[exit].contains(&latch);
        let is_mixed = |exit: &usize| leaves_by_latch(*exit) && self.graph.predecessors[*exit].len() > 1;
        if self.exits_of(one).iter().any(is_mixed) {
            return None;
        }
        let header = std::mem::take(&mut weights[one.header]);
        let latch = std::mem::take(&mut weights[firsts[latch]]);
        if header + latch == 0 {
            return None;
        }
        let end = self.in_front(one);
        let before = self.builder.before(end).load(self.builder.int64(), trips);
        Some(Folded { header, latch, trips, before })
    }

    /// Adds to the cost what all trips of a loop have in common, where it is left.
    fn add_folded(&self, exit: usize, one: &Loop, folded: &Folded, counters: &Counters) {
        let (builder, long) = (self.builder, self.builder.int64());
        builder.before(self.graph.blocks[exit].first_insertion_point());
        let trips = builder.subtract(builder.load(long, folded.trips), folded.before);
        let all = builder.multiply(trips, builder.constant(long, folded.header + folded.latch));
        // The header is executed once more, but where the body ends with the question.
        let leaves_by_latch = self.graph.predecessors[exit].iter().any(|from| one.latches.contains(from));
        let once = if leaves_by_latch { 0 } else { folded.header };
        let so_far = builder.load(long, counters.cost);
        let sum = builder.add(builder.add(so_far, all), builder.constant(long, once));
        builder.store(sum, counters.cost);
    }

    fn exits_of(&self, one: &Loop) -> Vec<usize> {
        let mut exits: Vec<usize> = one.exits.iter().map(|(_, to)| *to).collect();
        exits.sort_unstable();
        exits.dedup();
        exits
    }

    /// A variable of the function, which is 0 at first.
    fn variable(&self, begin: Value) -> Value {
        let long = self.builder.int64();
        let variable = self.builder.before(begin).variable(long);
        self.builder.store(self.builder.constant(long, 0), variable);
        variable
    }

    fn add(&self, before: Value, variable: Value, amount: u64) {
        let (builder, long) = (self.builder, self.builder.int64());
        let sum = builder.before(before).load(long, variable);
        builder.store(builder.add(sum, builder.constant(long, amount)), variable);
    }

    /// Behind everything that is done before a loop.
    fn in_front(&self, one: &Loop) -> Value {
        self.graph.blocks[one.preheader.expect("only simple loops are watched")].terminator()
    }

    fn front(
        &self,
        one: &Loop,
        number: usize,
        inputs: &[Input],
        counters: &Counters,
        known: &KnownLoop,
        begin: Value,
    ) -> Front {
        let (builder, long) = (self.builder, self.builder.int64());
        let end = self.in_front(one);
        let trips = |of: usize| counters.trips[of].expect("it is counted");
        let load = |variable: Value| builder.before(end).load(long, variable);
        let so_far = load(trips(number));
        let told = |input: &Input| match input.source {
            Source::Before(value) => Some(Told::Value(builder.before(end).number(value, input.is_unsigned))),
            Source::IsThere(pointer) => Some(Told::Value(builder.before(end).is_there(pointer))),
            Source::Steps(first, last, step) if !self.is_in(last, one) => {
                Some(Told::Value(builder.before(end).steps(first, last, step)))
            }
            Source::Steps(first, last, step) => {
                let place = last.next()?;
                let value = builder.before(place).steps(first, last, step);
                Some(self.keep(one, place, value, [trips(number), so_far], begin))
            }
            Source::Inside(value) => {
                let place = value.next()?;
                let value = builder.before(place).number(value, input.is_unsigned);
                Some(self.keep(one, place, value, [trips(number), so_far], begin))
            }
            Source::Changes => None,
        };
        let inputs = inputs.iter().filter_map(told).take(MOST_INPUTS).collect();
        let inner = known.inner.iter().flatten().map(|inside| load(trips(*inside))).collect();
        Front { trips: so_far, cost: load(counters.cost), inner, inputs }
    }

    fn is_in(&self, value: Value, one: &Loop) -> bool {
        value.opcode().is_some() && one.blocks.contains(&self.graph.number(value.block()))
    }

    /// Keeps what is computed in a loop, in front of `place`: the first value of the activation where it is computed in each
    /// trip, and the last one where it is not. `trips` are the variable, and what it was before the loop.
    fn keep(&self, one: &Loop, place: Value, value: Value, trips: [Value; 2], begin: Value) -> Told {
        let (builder, long) = (self.builder, self.builder.int64());
        let variable = self.variable(begin);
        if self.graph.number(place.block()) == one.header {
            let now = builder.before(place).load(long, trips[0]);
            let before = builder.load(long, variable);
            builder.store(builder.if_equal(now, trips[1], value, before), variable);
        } else {
            // The loop can be left before it is computed.
            builder.before(self.in_front(one)).store(builder.constant(long, 0), variable);
            builder.before(place).store(value, variable);
        }
        Told::In(variable)
    }

    fn exit(
        &self,
        exit: usize,
        number: usize,
        descriptor: Value,
        front: &Front,
        counters: &Counters,
        known: &KnownLoop,
    ) {
        let (builder, long) = (self.builder, self.builder.int64());
        let trips = |of: usize| counters.trips[of].expect("it is counted");
        builder.before(self.graph.blocks[exit].first_insertion_point());
        let since = |variable: Value, before: Value| builder.subtract(builder.load(long, variable), before);
        let mut arguments =
            vec![descriptor, since(trips(number), front.trips), since(counters.cost, front.cost)];
        arguments.extend(front.inputs.iter().map(|told| match told {
            Told::Value(value) => *value,
            Told::In(variable) => builder.load(long, *variable),
        }));
        arguments.resize(3 + MOST_INPUTS, builder.constant(long, 0));
        let entry = builder.call(self.hooks.exits[front.inputs.len()], &arguments);
        for (place, (inside, before)) in known.inner.iter().flatten().zip(&front.inner).enumerate() {
            let place = builder.constant(long, place as u64);
            builder.call(self.hooks.inner, &[entry, place, since(trips(*inside), *before)]);
        }
    }

    /// Whether a loop makes calls that may not come back.
    fn may_be_abandoned(&self, one: &Loop) -> bool {
        let mut instructions = one.blocks.iter().flat_map(|block| self.graph.blocks[*block].instructions());
        instructions.any(may_not_return)
    }
}

/// What is executed in each trip of a loop.
struct Folded {
    /// Blocks that are executed whenever the header is.
    header: u64,
    /// Those that are executed whenever the latch is; none where that is the header.
    latch: u64,
    /// The variable with the trips, and what it was before the loop.
    trips: Value,
    before: Value,
}

/// What each block adds to the cost, and the block at which what it costs is added: what is executed as often as one before it in the same loop is added there. Blocks that
/// do nothing but go on cost nothing, as a loop has them or not as the compiler likes it.
fn weights(graph: &Graph, loops: &[Loop]) -> (Vec<u64>, Vec<usize>) {
    let innermost: Vec<Option<usize>> = (0..graph.blocks.len())
        .map(|block| (0..loops.len()).rev().find(|of| loops[*of].blocks.contains(&block)))
        .collect();
    let mut weights = vec![0; graph.blocks.len()];
    let mut firsts: Vec<usize> = (0..graph.blocks.len()).collect();
    for block in (0..graph.blocks.len()).filter(|block| innermost[*block].is_some()) {
        let mut first = block;
        let mut above = graph.dominator(block);
        while let Some(at) = above {
            if innermost[at] == innermost[block] {
                if !graph.post_dominates(block, at) {
                    break;
                }
                first = at;
            }
            above = graph.dominator(at);
        }
        firsts[block] = first;
        if does_something(graph, block) {
            weights[first] += 1;
        }
    }
    (weights, firsts)
}

fn does_something(graph: &Graph, block: usize) -> bool {
    let block = graph.blocks[block];
    block.terminator().condition().is_some()
        || block
            .instructions()
            .iter()
            .any(|of| !matches!(of.opcode(), Some(Opcode::LLVMPHI | Opcode::LLVMBr)))
}
