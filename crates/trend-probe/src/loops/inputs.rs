//! Finds the inputs that decide the trip count of a loop: the slice of its exit conditions, back to values from before
//! the loop.
//!
//! ```text
//!   for (i = lo; i < m->rows; i += 2)      condition i < m->rows: i comes from lo, and m->rows from m
//!                                          inputs: lo, m.rows
//! ```
//!
//! Values that are computed in the loop are followed to their operands. If one of several values is chosen, or a trip
//! does not pass an exit, the conditions that decide this are followed as well. Reads and calls whose operands do not
//! change in the loop are inputs themselves, with their first value. If their operands change, they are inputs without
//! a value.

use std::collections::HashSet;

use inkwell::module::Module;

use super::Kind;
use super::debug::Node;
use super::graph::{Graph, Loop};
use super::limits::{limit, pointers_compared};
use super::names::{Named, Names, View, stripped};
use super::written::Writes;
use crate::ir::{Block, Opcode, Value};

/// Maximum number of steps that values are followed in front of the loop.
const DEEPEST: usize = 12;
/// Maximum number of inputs that are searched for.
const MOST: usize = 24;

/// A value from outside that a loop depends on.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Outer loop whose counter the input is.
    pub(crate) counter_of: Option<usize>,
    pub(crate) source: Source,
    pub(crate) is_unsigned: bool,
    /// True if the loop always ends at the input.
    pub(crate) is_limit: bool,
}

/// Source of the value of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A value from before the loop.
    Before(Value),
    /// A value that is computed in the loop, and is the same in every trip as far as this can be known. Its first value
    /// is recorded.
    Inside(Value),
    /// The number of steps of a size in bytes from one pointer to another. The second pointer may be computed in the
    /// loop.
    Steps(Value, Value, i64),
    /// 1 if a pointer is not null, and 0 otherwise.
    IsThere(Value),
    /// The value changes from trip to trip.
    Changes,
}

/// Finds the inputs of the loops of one function.
pub(crate) struct Slicer<'a, 'b> {
    pub(crate) module: &'a Module<'b>,
    pub(crate) graph: &'a Graph,
    pub(crate) loops: &'a [Loop],
    pub(crate) names: &'a Names<'a, 'b>,
    pub(crate) writes: &'a Writes,
}

/// Search for the inputs of one loop.
pub(super) struct Search<'a, 'b, 'c> {
    pub(super) all: &'c Slicer<'a, 'b>,
    pub(super) of: usize,
    pub(super) view: View,
    seen: HashSet<Value>,
    /// Reads of memory that were followed to the stored value.
    pub(super) followed: HashSet<Value>,
    pub(super) found: Vec<Input>,
    /// See [`Graph::decided_in`].
    pub(super) decided_by: Vec<Vec<usize>>,
    /// Counters that are multiplied while the values that they are compared with move.
    pub(super) irregular: HashSet<Value>,
}

impl Slicer<'_, '_> {
    /// Returns the inputs of a loop. Those with a value come first; otherwise, inputs are in the order of the exits and
    /// their conditions.
    pub(crate) fn inputs(&self, of: usize) -> Vec<Input> {
        let header = self.graph.blocks[self.loops[of].header];
        let view = View {
            scope: self.scope(of),
            changed: self.names.changed(|value| self.is_inside(value, of)),
            stale: self.stale(of),
            ..View::default()
        };
        let (seen, followed) = (HashSet::new(), HashSet::new());
        let decided_by = self.graph.decided_in(&self.loops[of]);
        let (found, irregular) = (Vec::new(), HashSet::new());
        let mut search = Search { all: self, of, view, seen, followed, found, decided_by, irregular };
        let mut exiting: Vec<usize> = self.normal_exits(of).map(|(from, _)| from).collect();
        exiting.sort_by_key(|from| self.graph.blocks[*from] != header);
        exiting.dedup();
        let conditions = exiting.iter().filter_map(|from| self.graph.blocks[*from].terminator().condition());
        search.irregular = conditions.flat_map(|one| search.multiplied_on_both_sides(one)).collect();
        for from in &exiting {
            search.condition_of(*from);
        }
        for from in &exiting {
            search.conditions_of(*from);
        }
        let mut found = std::mem::take(&mut search.found);
        search.seen.clear();
        search.followed.clear();
        for from in exiting {
            if let Some(limit) = limit(self.graph, &self.loops[of], from) {
                search.limit(limit);
            } else if let Some(condition) = pointers_compared(self.graph, &self.loops[of], from) {
                search.pointers(condition);
            }
        }
        for input in &mut found {
            let is_it = |one: &Input| {
                (&one.name, one.counter_of, one.source) == (&input.name, input.counter_of, input.source)
            };
            input.is_limit |= search.found.iter().any(is_it);
        }
        found.sort_by_key(|input| input.source == Source::Changes);
        // A pointer alone says little, only if it is null.
        let is_number = |input: &Input| !matches!(input.source, Source::Changes | Source::IsThere(_));
        if found.iter().any(is_number) {
            found.retain(|input| !matches!(input.source, Source::IsThere(_)));
        }
        let mut names = HashSet::new();
        found.retain(|input| names.insert((input.name.clone(), input.counter_of)));
        found
    }

    /// Returns the exits, except for exceptions and calls that do not return.
    pub(crate) fn normal_exits(&self, of: usize) -> impl Iterator<Item = (usize, usize)> {
        self.loops[of].exits.iter().copied().filter(|(_, to)| !self.graph.is_abnormal[*to])
    }

    /// Returns the names of values from in front of an outer loop, for variables that have another value in each of its
    /// trips.
    fn stale(&self, of: usize) -> HashSet<(Value, Node)> {
        let outer = std::iter::successors(self.loops[of].parent, |at| self.loops[*at].parent);
        let of_loop = |outer: usize| {
            let header = self.graph.blocks[self.loops[outer].header].instructions();
            let phis: Vec<Value> =
                header.into_iter().take_while(|at| at.opcode() == Some(Opcode::LLVMPHI)).collect();
            self.names.stale(&phis, |value| !self.is_inside(value, outer))
        };
        outer.flat_map(of_loop).collect()
    }

    /// Returns the scope of the source that a loop is in.
    fn scope(&self, of: usize) -> Option<Node> {
        let header = self.graph.blocks[self.loops[of].header];
        let instructions = header.instructions();
        instructions.iter().rev().find_map(|at| self.names.debug.scope(*at))
    }

    pub(super) fn is_inside(&self, value: Value, of: usize) -> bool {
        value.opcode().is_some() && self.loops[of].blocks.contains(&self.graph.number(value.block()))
    }

    /// Returns true if a value is in a loop nested in this one, at any depth.
    pub(super) fn is_in_loop_inside(&self, value: Value, of: usize) -> bool {
        // Nested loops have higher numbers.
        (of + 1..self.loops.len()).any(|inner| self.is_inside(value, inner))
    }

    /// Returns the loop whose header contains a phi.
    pub(super) fn header_of(&self, phi: Value) -> Option<usize> {
        if phi.opcode() != Some(Opcode::LLVMPHI) {
            return None;
        }
        let block = self.graph.number(phi.block());
        self.loops.iter().position(|l| l.header == block)
    }

    /// Returns true if a loop is around another one.
    fn is_around(&self, outer: usize, inner: usize) -> bool {
        std::iter::successors(self.loops[inner].parent, |at| self.loops[*at].parent).any(|at| at == outer)
    }

    /// Returns the first value of a phi in a header, and the values that it gets by the back edges.
    pub(super) fn first_and_next(&self, phi: Value, of: usize) -> (Option<Value>, Vec<Value>) {
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
    pub(super) fn step(&self, phi: Value, of: usize, asking: Option<Block>) -> Option<i64> {
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

impl Search<'_, '_, '_> {
    /// Visits a value in the loop, or in front of it.
    pub(super) fn visit(&mut self, value: Value) {
        if value.is_constant() || value.is_function() || self.found.len() > MOST || !self.seen.insert(value) {
            return;
        }
        if !self.all.is_inside(value, self.of) {
            self.before(value, DEEPEST);
            return;
        }
        match value.opcode() {
            Some(Opcode::LLVMPHI) => self.phi(value),
            Some(Opcode::LLVMLoad) => self.load(value),
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => self.call(value),
            Some(Opcode::LLVMICmp) if value.operand(0).ty().is_pointer() && self.pointers(value) => {}
            Some(Opcode::LLVMICmp) if self.is_none(value) => {}
            Some(Opcode::LLVMGetElementPtr) => {
                let offset = value.offset(self.all.module);
                if offset.indices.is_empty() || self.all.is_inside(offset.base, self.of) {
                    self.visit(offset.base);
                }
                offset.indices.iter().for_each(|(index, _)| self.visit(*index));
            }
            Some(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => self.changes(value),
            _ if self.length(value) => {}
            _ => value.operands().into_iter().for_each(|operand| self.visit(operand)),
        }
    }

    fn phi(&mut self, phi: Value) {
        let all = self.all;
        let header_of = all.header_of(phi);
        let incoming = phi.incoming();
        // The first value alone decides nothing.
        let is_irregular = header_of == Some(self.of) && self.is_irregular(phi);
        if is_irregular {
            // If the compiler took a value out of memory, it has the name of the place that it was read from.
            let (first, view) = (all.first_and_next(phi, self.of).0, &self.view);
            let named = first.and_then(|first| all.names.shared(phi, first, view));
            let named = named.or_else(|| all.names.changing(phi, view));
            let named = named.or_else(|| first.and_then(|first| all.names.value(first, view)));
            let named = named.unwrap_or_else(|| all.names.unnamed(phi, view));
            self.push_as(phi, named, Source::Changes);
        }
        for (value, _) in &incoming {
            if !is_irregular || all.is_inside(*value, self.of) {
                self.visit(*value);
            }
        }
        match header_of {
            Some(of) if of == self.of => {}
            // The result of an inner loop depends on its trip count.
            Some(inner) => {
                for (from, _) in all.normal_exits(inner).collect::<Vec<_>>() {
                    self.condition_of(from);
                    self.conditions(vec![from], all.loops[inner].header);
                }
            }
            None if incoming.iter().any(|way| way.0 != incoming[0].0) => self.choice(phi),
            None => {}
        }
    }

    fn load(&mut self, load: Value) {
        let offset = load.operand(0).offset(self.all.module);
        let is_fixed = !self.all.is_inside(offset.base, self.of)
            && offset.indices.iter().all(|(index, _)| !self.all.is_inside(*index, self.of));
        if is_fixed {
            if !self.memory(load) {
                if self.is_irregular(load) || self.is_written_by_calls(load) {
                    self.changes(load);
                } else {
                    self.push(load, Source::Inside(load));
                }
                self.overwritten(load);
            }
            return;
        }
        self.changes(load);
        self.walk(offset.base);
    }

    /// Visits the first pointer of a list, or of a similar structure that the loop walks through.
    fn walk(&mut self, pointer: Value) {
        if self.all.header_of(pointer) == Some(self.of)
            && let (Some(first), _) = self.all.first_and_next(pointer, self.of)
        {
            self.visit(first);
        }
    }

    pub(super) fn call(&mut self, call: Value) {
        let Some(callee) = call.callee() else { return self.changes(call) };
        if self.next(call) {
            return;
        }
        if callee.is_intrinsic() {
            let operands = (0..call.arguments()).map(|index| call.operand(index));
            return operands.for_each(|operand| self.visit(operand));
        }
        let mut operands = (0..call.arguments()).map(|index| call.operand(index));
        let is_fixed = operands.all(|operand| !self.all.is_inside(operand, self.of));
        let is_length =
            self.all.names.value(call, &self.view).is_some_and(|named| named.kind == Kind::Length);
        if is_fixed && call.opcode() == Some(Opcode::LLVMCall) && (is_length || callee.only_reads()) {
            self.push(call, Source::Inside(call));
        } else {
            self.changes(call);
        }
    }

    /// Handles a comparison of two pointers, if one advances by equal steps and the other one does not change.
    fn pointers(&mut self, compare: Value) -> bool {
        let all = self.all;
        for (moving, end) in [(0, 1), (1, 0)] {
            let (moving, end) = (compare.operand(moving), compare.operand(end));
            if end.is_null_pointer() {
                continue;
            }
            let Some((first, step)) = self.moving(moving, compare.block()) else { continue };
            let end = self.entry_of(end).unwrap_or(end);
            let is_before = !all.is_inside(end, self.of);
            let is_fixed_read = end.opcode() == Some(Opcode::LLVMLoad) && {
                let at = end.operand(0).offset(all.module);
                !all.is_inside(at.base, self.of) && at.indices.is_empty()
            };
            if !(is_before || is_fixed_read) {
                continue;
            }
            // If the pointer goes back, both the step and the distance to the end are negative.
            self.steps(first, end, step);
            return true;
        }
        false
    }

    fn steps(&mut self, first: Value, end: Value, step: i64) {
        let all = self.all;
        let [from, to] = [first, end].map(|pointer| pointer.offset(all.module));
        if from.base == to.base {
            // For `a + n` compared with `a`, the input is the addend.
            let indices: Vec<Value> =
                from.indices.iter().chain(&to.indices).map(|(index, _)| *index).collect();
            if indices.is_empty() {
                return;
            }
            let known = self.found.len();
            for index in &indices {
                self.visit(*index);
            }
            if self.found.len() > known {
                return;
            }
        }
        let source = Source::Steps(first, end, step);
        let named = |value: Value, base| {
            all.names.value(value, &self.view).or_else(|| all.names.value(base, &self.view))
        };
        let ahead = from.bytes.wrapping_sub(to.bytes) / step.abs().max(1);
        let (name, kind) = match (named(first, from.base), named(end, to.base)) {
            (Some(first), Some(end)) => match between(&first.name, &end.name) {
                Some(name) if ahead > 0 => (format!("{name} - {ahead}"), Kind::Length),
                Some(name) => (name, Kind::Length),
                None => (format!("{} - {}", end.name, first.name), Kind::Length),
            },
            (None, Some(end)) => (end.name, Kind::Length),
            _ => (all.names.described(end, &self.view), Kind::Unnamed),
        };
        let input = Input { name, kind, counter_of: None, source, is_unsigned: false, is_limit: false };
        self.found.push(input);
    }

    /// Handles the difference of two pointers of a collection, and values that are computed from it: `v.size()`.
    fn length(&mut self, value: Value) -> bool {
        let difference = match value.opcode() {
            Some(Opcode::LLVMAShr | Opcode::LLVMLShr | Opcode::LLVMSDiv | Opcode::LLVMUDiv) => {
                if !value.operand(1).is_constant() {
                    return false;
                }
                value.operand(0)
            }
            _ => value,
        };
        if difference.opcode() != Some(Opcode::LLVMSub) {
            return false;
        }
        let [end, first] = [difference.operand(0), difference.operand(1)];
        if end.opcode() != Some(Opcode::LLVMPtrToInt) || first.opcode() != Some(Opcode::LLVMPtrToInt) {
            return false;
        }
        let named = |value: Value| self.all.names.value(value.operand(0), &self.view);
        let (Some(end), Some(first)) = (named(end), named(first)) else { return false };
        let Some(name) = between(&first.name, &end.name) else { return false };
        let source =
            if self.all.is_inside(value, self.of) { Source::Inside(value) } else { Source::Before(value) };
        let input =
            Input { name, kind: Kind::Length, counter_of: None, source, is_unsigned: true, is_limit: false };
        self.found.push(input);
        true
    }

    /// Handles the difference of two pointers, one of which is computed from the other: visits the addends.
    fn distance(&mut self, value: Value, depth: usize) -> bool {
        if value.opcode() != Some(Opcode::LLVMSub) || depth == 0 {
            return false;
        }
        let ends = [0, 1].map(|index| value.operand(index));
        if ends.iter().any(|end| end.opcode() != Some(Opcode::LLVMPtrToInt)) {
            return false;
        }
        let [to, from] = ends.map(|end| end.operand(0).offset(self.all.module));
        let is_from_other = to.base == from.base && !(to.indices.is_empty() && from.indices.is_empty());
        if is_from_other {
            let indices: Vec<Value> =
                to.indices.iter().chain(&from.indices).map(|(index, _)| *index).collect();
            for index in indices {
                self.before(index, depth - 1);
            }
        }
        is_from_other
    }

    /// Handles a value from before the loop: by its name, or by the names of the values that it is computed from.
    pub(super) fn before(&mut self, value: Value, depth: usize) {
        if value.is_constant() || value.is_function() || self.found.len() > MOST {
            return;
        }
        let all = self.all;
        // The next value of a counter has the counter's name as well.
        let counter = value.operands().into_iter().find(|operand| {
            all.header_of(*operand).is_some_and(|outer| {
                all.is_around(outer, self.of) && all.first_and_next(*operand, outer).1.contains(&value)
            })
        });
        if let Some(counter) = counter.filter(|_| value.opcode() != Some(Opcode::LLVMPHI)) {
            return self.before(counter, depth);
        }
        let is_sum = value.shifted().is_some();
        let is_fit = !is_sum || all.names.is_in_scope(value, &self.view);
        if let Some(named) = all.names.lasting(value, &self.view).filter(|_| is_fit) {
            return self.push_named(value, named);
        }
        if self.length(value) || self.distance(value, depth) {
            return;
        }
        // A variable that the loop changes names its first value only if nothing else does: `i = n - 1` gets its name
        // from `n`.
        if let (Some(of), Some(deeper)) = (value.shifted(), depth.checked_sub(1))
            && (all.names.lasting(of, &self.view).is_some() || of.opcode() == Some(Opcode::LLVMLoad))
        {
            return self.before(of, deeper);
        }
        let is_read =
            matches!(value.opcode(), Some(Opcode::LLVMLoad | Opcode::LLVMCall | Opcode::LLVMInvoke));
        let is_named = !is_read && (!is_sum || depth == 0);
        if let Some(named) = all.names.variable(value, &self.view).filter(|_| is_named) {
            return self.push_named(value, named);
        }
        let Some(deeper) = depth.checked_sub(1) else { return self.push(value, source_of(value)) };
        let is_cast = stripped(value) != value;
        match value.opcode() {
            _ if is_cast => self.before(stripped(value), deeper),
            Some(
                Opcode::LLVMAdd
                | Opcode::LLVMSub
                | Opcode::LLVMMul
                | Opcode::LLVMShl
                | Opcode::LLVMLShr
                | Opcode::LLVMAShr
                | Opcode::LLVMUDiv
                | Opcode::LLVMSDiv
                | Opcode::LLVMURem
                | Opcode::LLVMSRem
                | Opcode::LLVMAnd
                | Opcode::LLVMOr
                | Opcode::LLVMXor
                | Opcode::LLVMFAdd
                | Opcode::LLVMFSub
                | Opcode::LLVMFMul
                | Opcode::LLVMFDiv
                | Opcode::LLVMFNeg
                | Opcode::LLVMICmp
                | Opcode::LLVMFCmp
                | Opcode::LLVMSelect
                | Opcode::LLVMExtractValue
                | Opcode::LLVMInsertValue,
            ) => value.operands().into_iter().for_each(|operand| self.before(operand, deeper)),
            Some(Opcode::LLVMCall) if value.callee().is_some_and(Value::is_intrinsic) => {
                let operands = (0..value.arguments()).map(|index| value.operand(index));
                operands.for_each(|operand| self.before(operand, deeper));
            }
            Some(Opcode::LLVMPHI) => match all.header_of(value) {
                Some(outer) if all.is_around(outer, self.of) => self.push(value, source_of(value)),
                // The value is the result of an earlier loop.
                Some(_) => self.push(value, source_of(value)),
                None => {
                    let incoming = value.incoming();
                    // A value that comes by one of several paths need not exist on the others.
                    if incoming.iter().all(|(value, _)| value.is_constant())
                        || !incoming.iter().all(|(value, _)| self.is_there(*value))
                    {
                        if !self.lengths_behind(value) {
                            self.push(value, source_of(value));
                        }
                    } else {
                        for (one, _) in incoming {
                            if self.seen.insert(one) {
                                self.before(one, deeper);
                            }
                        }
                    }
                }
            },
            Some(Opcode::LLVMGetElementPtr) => {
                // The end depends on the addends, and not on the beginning.
                let offset = value.offset(all.module);
                if offset.indices.iter().all(|(index, _)| index.is_constant()) {
                    self.before(offset.base, deeper);
                }
                offset.indices.iter().for_each(|(index, _)| self.before(*index, deeper));
            }
            Some(Opcode::LLVMAlloca) => {}
            Some(Opcode::LLVMLoad) if self.memory(value) => {}
            _ => self.push(value, source_of(value)),
        }
    }

    /// Returns true if a value exists in front of the loop, on every path to it.
    pub(super) fn is_there(&self, value: Value) -> bool {
        let graph = self.all.graph;
        let one = &self.all.loops[self.of];
        value.opcode().is_none()
            || graph.dominates(graph.number(value.block()), one.preheader.unwrap_or(one.header))
    }

    pub(super) fn changes(&mut self, value: Value) {
        let named = self.all.names.changing(value, &self.view);
        let named = named.unwrap_or_else(|| self.all.names.unnamed(value, &self.view));
        self.push_as(value, named, Source::Changes);
    }

    pub(super) fn push(&mut self, value: Value, source: Source) {
        let named = self.all.names.value(value, &self.view);
        let named = named.unwrap_or_else(|| self.all.names.unnamed(value, &self.view));
        self.push_as(value, named, source);
    }

    fn push_named(&mut self, value: Value, named: Named) {
        self.push_as(value, named, source_of(value));
    }

    pub(super) fn push_as(&mut self, value: Value, named: Named, source: Source) {
        let counter_of = self.all.header_of(value).filter(|outer| self.all.is_around(*outer, self.of));
        let is_unsigned = named
            .ty
            .and_then(Node::is_unsigned)
            .unwrap_or(value.ty().is_any_integer() && value.ty().bits() == 1);
        let is_value = value.ty().is_integer() || value.ty().is_floating() || value.ty().is_pointer();
        let source = match source {
            _ if !is_value => Source::Changes,
            Source::Before(value) | Source::IsThere(value) if !self.is_there(value) => Source::Changes,
            Source::Inside(pointer) if pointer.ty().is_pointer() => Source::Changes,
            source => source,
        };
        let Named { name, kind, .. } = named;
        self.found.push(Input { name, kind, counter_of, source, is_unsigned, is_limit: false });
    }
}

/// Returns the source of a value from before the loop.
pub(super) fn source_of(value: Value) -> Source {
    if value.ty().is_pointer() { Source::IsThere(value) } else { Source::Before(value) }
}

/// Joins `v.begin()` and `v.end()`, in either order, to `v.size()`.
fn between(first: &str, end: &str) -> Option<String> {
    [(first, end), (end, first)].iter().find_map(|(front, back)| {
        let object = front.strip_suffix("begin()")?;
        (back.strip_suffix("end()")? == object).then(|| format!("{object}size()"))
    })
}
