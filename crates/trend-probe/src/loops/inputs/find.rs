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

use super::input::{Input, InputSource};
use super::limits::{limit, pointers_compared};
use super::search::{DEEPEST, MOST, Search};
use super::slicer::Slicer;
use crate::ir::value::{Opcode, Value};
use crate::loops::naming::named::Kind;
use crate::loops::naming::names::View;

impl Slicer<'_, '_> {
    /// Returns the inputs of a loop. Those with a value come first; otherwise, inputs are in the order of the exits and
    /// their conditions. A cycle with several entries has none, because no block precedes all of its trips.
    pub(crate) fn inputs(&self, of: usize) -> Vec<Input> {
        if self.loops[of].has_several_entries {
            return Vec::new();
        }
        let header = self.graph.blocks[self.loops[of].header];
        let view = View {
            scope: self.scope(of),
            changed: self.names.changed(|value| self.is_inside(value, of)),
            stale: self.stale(of),
            ..View::default()
        };
        let (seen, followed) = (HashSet::new(), HashSet::new());
        let decided_by = self.graph.decided_in(&self.loops[of]);
        let (inputs, irregular) = (Vec::new(), HashSet::new());
        let mut search = Search { all: self, of, view, seen, followed, inputs, decided_by, irregular };
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
        let mut inputs = std::mem::take(&mut search.inputs);
        search.seen.clear();
        search.followed.clear();
        for from in exiting {
            if let Some(limit) = limit(self.graph, &self.loops[of], from) {
                search.limit(limit);
            } else if let Some(condition) = pointers_compared(self.graph, &self.loops[of], from) {
                search.pointers(condition);
            }
        }
        for input in &mut inputs {
            let is_it = |one: &Input| {
                (&one.name, one.counter_of, one.source) == (&input.name, input.counter_of, input.source)
            };
            input.is_limit |= search.inputs.iter().any(is_it);
        }
        inputs.sort_by_key(|input| input.source == InputSource::Changes);
        // A pointer only says if it is null, so it is kept only if there is no number.
        let is_number =
            |input: &Input| !matches!(input.source, InputSource::Changes | InputSource::IsThere(_));
        if inputs.iter().any(is_number) {
            inputs.retain(|input| !matches!(input.source, InputSource::IsThere(_)));
        }
        let mut names = HashSet::new();
        inputs.retain(|input| names.insert((input.name.clone(), input.counter_of)));
        inputs
    }
}

impl Search<'_, '_, '_> {
    /// Visits a value in the loop, or before it.
    pub(super) fn visit(&mut self, value: Value) {
        if value.is_constant() || value.is_function() || self.inputs.len() > MOST || !self.seen.insert(value)
        {
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
            self.push_as(phi, named, InputSource::Changes);
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
                    self.push(load, InputSource::Inside(load));
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
            self.push(call, InputSource::Inside(call));
        } else {
            self.changes(call);
        }
    }

    /// Visits everything that decides the loop's own writes to a place that it reads: their positions, their values,
    /// and their conditions.
    pub(super) fn overwritten(&mut self, load: Value) {
        for write in self.overwriting(load) {
            let at = if write.opcode() == Some(Opcode::LLVMStore) {
                self.visit(write.operand(0));
                write.operand(1)
            } else {
                self.changes(load);
                write.operand(0)
            };
            at.offset(self.all.module).indices.into_iter().for_each(|(index, _)| self.visit(index));
            self.conditions_of(self.all.graph.number(write.block()));
        }
    }

    /// Handles a value at which a loop ends. The value, or the value that differs from it by 1, becomes an input if
    /// it does not change in the loop and is an input by itself.
    pub(super) fn limit(&mut self, value: Value) {
        let uncast = |value| self.all.names.uncast(value, &self.view);
        let mut end = uncast(value);
        if matches!(end.opcode(), Some(Opcode::LLVMAdd | Opcode::LLVMSub))
            && end.operand(1).signed().is_some_and(|number| number.abs() <= 1)
        {
            end = uncast(end.operand(0));
        }
        let is_fixed_read = end.opcode() == Some(Opcode::LLVMLoad) && self.overwriting(end).is_empty();
        if self.all.is_inside(end, self.of) && !is_fixed_read {
            return;
        }
        let input_count = self.inputs.len();
        self.visit(end);
        let is_itself = |input: &Input| match input.source {
            InputSource::Before(source) | InputSource::Inside(source) => {
                self.all.names.uncast(source, &self.view) == end
            }
            _ => false,
        };
        if !matches!(&self.inputs[input_count..], [one] if is_itself(one)) {
            self.inputs.truncate(input_count);
        }
    }
}
