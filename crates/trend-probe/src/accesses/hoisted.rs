//! Moves the watching of memory that each trip of a loop accesses to a position before the loop, where it is done
//! once.
//!
//! ```text
//!   for (i = 0; i < n; i++) sum += a[i];      reads n elements, beginning at a
//! ```
//!
//! The result is the same if nothing in the loop accesses these cells with the other kind of access (read or write),
//! calls a function, or ends the loop before its last trip. A range that was moved out of an inner loop can move out of
//! the outer loop as well.
//!
//! The optimizer skips an inner loop without trips by a test in front of it. A range behind such a test moves out of the
//! outer loop if the test's condition comes from before that loop. Where the test fails, the range is empty.

use std::collections::HashSet;

use inkwell::module::Module;

use super::access::{Access, Kind, Size};
use super::addresses::{self, Address, Number};
use super::placed::Placed;
use super::ranges::Ranges;
use crate::flow::graph::Graph;
use crate::flow::loops::Loop;
use crate::ir::builder::Builder;
use crate::ir::value::{Opcode, Value};
use crate::routines::calls::may_not_return;

/// Bytes that are accessed in a block.
#[derive(Clone)]
struct Item {
    block: usize,
    kind: Kind,
    address: Address,
    /// Number of bytes; `None` if only the program knows it.
    length: Option<Number>,
    /// Access that the item was made from.
    from: Access,
    /// True if the item is before a loop and not at the access.
    is_moved: bool,
    /// Tests that the item was behind. Its bytes are accessed if they all hold.
    tests: Vec<Test>,
}

/// A condition, and the value that it must have.
type Test = (Value, bool);

/// Maximum number of tests that an item is moved across in one loop.
const MOST_TESTS: usize = 4;

/// Moves accesses out of loops where that is possible.
pub(crate) fn hoisted(function: Value, all: Vec<Placed>, module: &Module<'_>) -> Vec<Placed> {
    let graph = Graph::new(function);
    let loops = graph.loops();
    if loops.is_empty() || all.is_empty() {
        return all;
    }
    let mut items: Vec<Item> = all
        .into_iter()
        .map(|Placed { access, address }| Item {
            block: graph.number(access.at.block()),
            kind: access.kind,
            address,
            length: match access.size {
                Size::Known(size) => Some(Number { constant: size.cast_signed(), ..Number::default() }),
                Size::Computed(_) => None,
            },
            from: access,
            is_moved: false,
            tests: Vec::new(),
        })
        .collect();
    // Inner loops come first.
    for one in loops.iter().rev() {
        if let Some(trip) = Trip::new(&graph, one, module) {
            items = trip.moved(items);
        }
    }
    let builder = Builder::new(module);
    items.into_iter().map(|item| item.placed(&graph, &builder)).collect()
}

impl Item {
    /// Turns the item into an access, and inserts code for its address and length.
    fn placed(self, graph: &Graph, builder: &Builder) -> Placed {
        let Self { block, address, length, from, is_moved, tests, .. } = self;
        let (Some(length), true) = (length, is_moved) else { return Placed { access: from, address } };
        let at = graph.blocks[block].terminator();
        builder.before(at);
        let number = Number { terms: address.sum.terms.clone(), constant: 0 };
        let pointer = builder.offset_by(address.sum.base, number.computed(builder));
        let size = match length {
            Number { terms, constant } if terms.is_empty() && tests.is_empty() => {
                Size::Known(constant.unsigned_abs())
            }
            length => {
                let none = builder.constant(builder.int64(), 0);
                let if_true = |length, (condition, is_true): Test| {
                    let [yes, no] = if is_true { [length, none] } else { [none, length] };
                    builder.choose(condition, yes, no)
                };
                Size::Computed(tests.into_iter().fold(length.computed(builder), if_true))
            }
        };
        let access = Access { at, pointer, offset: address.offset, size, ..from };
        Placed { access, address }
    }
}

/// Facts about the trips of a loop.
struct Trip<'a, 'm> {
    graph: &'a Graph,
    one: &'a Loop,
    module: &'a Module<'m>,
    preheader: usize,
    latch: usize,
    /// The only block that leaves the loop, if the loop calls nothing.
    exit: Option<usize>,
    /// Growth of the loop's counter per trip, and its total growth until the loop is left.
    count: Option<(i64, Number)>,
}

impl<'a, 'm> Trip<'a, 'm> {
    fn new(graph: &'a Graph, one: &'a Loop, module: &'a Module<'m>) -> Option<Self> {
        let preheader = one.preheader?;
        let [latch] = one.latches[..] else { return None };
        let calls = |block: &usize| graph.blocks[*block].instructions().into_iter().any(may_not_return);
        let exit = match one.exits[..] {
            [(exit, _)] if graph.dominates(exit, latch) && !one.blocks.iter().any(calls) => Some(exit),
            _ => None,
        };
        let mut trip = Self { graph, one, module, preheader, latch, exit, count: None };
        trip.count = exit.and_then(|exit| trip.counted(exit));
        Some(trip)
    }

    fn is_inside(&self, value: Value) -> bool {
        value.opcode().is_some() && self.one.blocks.contains(&self.graph.number(value.block()))
    }

    /// Returns the value of a phi on the first trip, and its growth per trip.
    fn induction(&self, phi: Value) -> Option<(Value, i64)> {
        if phi.opcode() != Some(Opcode::LLVMPHI) || self.graph.number(phi.block()) != self.one.header {
            return None;
        }
        let (mut first, mut next) = (None, None);
        for (value, from) in phi.incoming() {
            let is_back = self.graph.number(from) == self.latch;
            *(if is_back { &mut next } else { &mut first }) = Some(value);
        }
        let Number { terms, constant } = Number::from_value(next?, self.module).tidy();
        (terms == [(phi, 1)]).then_some((first?, constant))
    }

    fn counted(&self, exit: usize) -> Option<(i64, Number)> {
        let condition = self.graph.blocks[exit].terminator().condition()?;
        if condition.opcode() != Some(Opcode::LLVMICmp) {
            return None;
        }
        let goes_on = self.graph.numbers_of_successor(exit, usize::from(condition.is_equality()?))?;
        if !self.one.blocks.contains(&goes_on) {
            return None;
        }
        let operands = [condition.operand(0), condition.operand(1)];
        let [inside, bound] = match operands.map(|of| self.is_inside(of)) {
            [true, false] => operands,
            [false, true] => [operands[1], operands[0]],
            _ => return None,
        };
        let is_wide = inside.ty().is_pointer() || inside.ty().bits() == 64;
        let Number { terms, constant } = Number::from_value(inside, self.module).tidy();
        let [(phi, 1)] = terms[..] else { return None };
        let (first, step) = self.induction(phi).filter(|(_, step)| is_wide && *step != 0)?;
        let mut grows = Number::from_value(bound, self.module);
        grows.add_number(&Number::from_value(first, self.module), -1);
        grows.constant = grows.constant.wrapping_sub(constant);
        Some((step, grows.tidy()))
    }

    /// Returns an address on the first trip, and its growth per trip.
    fn first(&self, address: &Address) -> Option<(Address, i64)> {
        let mut base = address.sum.base;
        let mut number = Number { terms: Vec::new(), constant: address.offset };
        let mut stride = 0_i64;
        if self.is_inside(base) {
            let (first, step) = self.induction(base)?;
            let first = addresses::address_of(first, self.module);
            base = first.sum.base;
            number.add_number(&Number { terms: first.sum.terms, constant: first.offset }, 1);
            stride = step;
        }
        for (value, scale) in &address.sum.terms {
            if self.is_inside(*value) {
                let (first, step) = self.induction(*value)?;
                number.add_number(&Number::from_value(first, self.module), *scale);
                stride = stride.wrapping_add(step.wrapping_mul(*scale));
            } else {
                number.add_number(&Number { terms: vec![(*value, 1)], constant: 0 }, *scale);
            }
        }
        Some((Address::new(base, number), stride))
    }

    /// Returns the object that an address is in, as far as it is known.
    fn object(&self, address: &Address) -> Value {
        self.first(address).map_or(address.sum.base, |(first, _)| first.sum.base)
    }

    /// Returns the tests that decide if a trip executes a block, the last one first. Returns `None` if something else
    /// decides, such as a condition that is computed in the loop, or if there are too many tests.
    fn tests(&self, mut block: usize, exit: usize) -> Option<Vec<Test>> {
        let mut tests = Vec::new();
        while !self.graph.dominates(block, exit) {
            let [above] = self.graph.predecessors[block][..] else { return None };
            let last = self.graph.blocks[above].terminator();
            if self.graph.successors[above].len() > 1 {
                let is_branch = last.opcode() == Some(Opcode::LLVMBr);
                let condition = last.condition().filter(|one| is_branch && !self.is_inside(*one))?;
                tests.push((condition, self.graph.numbers_of_successor(above, 0) == Some(block)));
            }
            if tests.len() > MOST_TESTS || !self.one.blocks.contains(&above) {
                return None;
            }
            block = above;
        }
        Some(tests)
    }

    fn moved(&self, items: Vec<Item>) -> Vec<Item> {
        let (inside, mut outside): (Vec<Item>, Vec<Item>) =
            items.into_iter().partition(|item| self.one.blocks.contains(&item.block));
        let objects: Vec<(Kind, Value)> =
            inside.iter().map(|item| (item.kind, self.object(&item.address))).collect();
        let is_alone = |item: &Item, object: Value| {
            objects.iter().all(|(kind, other)| *kind == item.kind || are_distinct(object, *other))
        };
        // Finds accesses that are first on the first trip: neither an access of the other kind nor a call comes before
        // them.
        let instructions = self.graph.blocks[self.one.header].instructions();
        let count = instructions.len();
        let early: HashSet<Value> = instructions.into_iter().take_while(|of| !may_not_return(*of)).collect();
        let first_of = |kind| {
            let is_it = |item: &Item| item.block == self.one.header && item.kind == kind;
            inside.iter().position(is_it).unwrap_or(usize::MAX)
        };
        let (read, write) = (first_of(Kind::Read), first_of(Kind::Write));
        let is_first = |index: usize| {
            let item = &inside[index];
            let is_early = if item.is_moved { early.len() == count } else { early.contains(&item.from.at) };
            let other = if item.kind == Kind::Read { write } else { read };
            item.block == self.one.header && is_early && index < other
        };
        let mut is_moved = vec![false; inside.len()];
        // For each item that may be moved: its address on the first trip, the growth of the address per trip, and the
        // tests that it is behind.
        let firsts: Vec<Option<(Address, i64, Vec<Test>)>> = inside
            .iter()
            .zip(&objects)
            .enumerate()
            .map(|(index, (item, (_, object)))| {
                let is_inside = |value: &Value| self.is_inside(*value);
                let is_invariant = !item.length.as_ref()?.terms.iter().any(|(of, _)| is_inside(of))
                    && !item.tests.iter().any(|(condition, _)| is_inside(condition));
                let (address, stride) = self.first(&item.address).filter(|_| is_invariant)?;
                let tests = self.exit.and_then(|exit| self.tests(item.block, exit));
                let tests = match tests.filter(|_| is_alone(item, *object)) {
                    Some(tests) => tests,
                    None => (stride == 0 && is_first(index)).then(Vec::new)?,
                };
                // Where an outer test fails, an inner one may have no value.
                let tests = [&item.tests[..], &tests].concat();
                (tests.len() <= MOST_TESTS).then_some((address, stride, tests))
            })
            .collect();
        for index in 0..inside.len() {
            let (Some((first, stride, tests)), false) = (&firsts[index], is_moved[index]) else { continue };
            let item = &inside[index];
            if *stride == 0 {
                is_moved[index] = true;
                let address = first.clone();
                let tests = tests.clone();
                outside.push(Item { block: self.preheader, address, is_moved: true, tests, ..item.clone() });
                continue;
            }
            let is_like = |other: &usize| {
                inside[*other].kind == item.kind
                    && matches!(&firsts[*other], Some((of, by, behind)) if of.sum == first.sum && by == stride && behind == tests)
                    && inside[*other].length.as_ref().is_some_and(|length| length.terms.is_empty())
            };
            let bytes = |of: usize| {
                let from = firsts[of].as_ref()?.0.offset;
                Some((from, from.checked_add(inside[of].length.as_ref()?.constant)?))
            };
            let mut ranges = Ranges::default();
            let members: Vec<usize> =
                (index..inside.len()).filter(|of| !is_moved[*of] && is_like(of)).collect();
            members.iter().filter_map(|of| bytes(*of)).for_each(|bytes| ranges.add(bytes));
            for (from, to) in ranges.iter() {
                let Some((start, length)) = self.whole(from, to, *stride) else { continue };
                for of in &members {
                    is_moved[*of] |= bytes(*of).is_some_and(|bytes| from <= bytes.0 && bytes.1 <= to);
                }
                let mut number = Number { terms: first.sum.terms.clone(), constant: 0 };
                number.add_number(&start, 1);
                let address = Address::new(first.sum.base, number);
                outside.push(Item {
                    block: self.preheader,
                    address,
                    length: Some(length),
                    from: Access { alignment: 1, ..item.from },
                    is_moved: true,
                    tests: tests.clone(),
                    ..*item
                });
            }
        }
        let left = inside.into_iter().zip(is_moved).filter(|(_, is_moved)| !is_moved).map(|(item, _)| item);
        left.chain(outside).collect()
    }

    /// Returns the start and the length of the bytes that all trips access together. Returns `None` if there are gaps
    /// between trips.
    fn whole(&self, from: i64, to: i64, stride: i64) -> Option<(Number, Number)> {
        let (step, grows) = self.count.as_ref()?;
        if stride % step != 0 || stride.unsigned_abs() > from.abs_diff(to) {
            return None;
        }
        let mut start = Number { terms: Vec::new(), constant: from };
        let mut length = Number { terms: Vec::new(), constant: to - from };
        let times = stride / step;
        length.add_number(grows, if stride > 0 { times } else { -times });
        if stride < 0 {
            start.add_number(grows, times);
        }
        Some((start, length.tidy()))
    }
}

/// Returns true if two objects have no byte in common.
fn are_distinct(one: Value, other: Value) -> bool {
    let is_own = |of: Value| of.is_global_variable() || of.opcode() == Some(Opcode::LLVMAlloca);
    let is_known = |of: Value| is_own(of) || of.is_argument();
    one != other
        && ((is_own(one) && is_own(other))
            || [one, other].iter().any(|of| of.is_argument_alone()) && is_known(one) && is_known(other))
}
