//! Handles iterators of Rust's library that are in memory, or have their ends there: the number of remaining elements
//! decides.

use std::path::Path;

use super::input::{InputSource, source_of};
use super::search::Search;
use super::stored::Stored;
use crate::ir::instruction::stripped;
use crate::ir::pointer::Offset;
use crate::ir::value::{Block, Opcode, Value};
use crate::loops::debug::node::Node;
use crate::loops::naming::named::Kind;
use crate::routines::origin::is_of_standard_library;

/// Names that the iterators of maps give to the number of remaining elements.
const LEFT: [&str; 2] = ["length", "items"];

/// Parts of the names of iterators that return fewer elements than their source has, or other ones as well.
const CHOOSING: [&str; 12] = [
    "Filter",
    "FlatMap",
    "Flatten",
    "Chain<",
    "Peekable<",
    "While<",
    "Scan<",
    "Skip<",
    "Take<",
    "StepBy<",
    "Zip<",
    "Cycle<",
];

/// Maximum number of steps that values are followed.
const DEEPEST: usize = 12;

impl Search<'_, '_, '_> {
    /// Handles memory of a variable that is not the program's: its initial contents, and the loop's writes to it.
    pub(super) fn memory(&mut self, load: Value) -> bool {
        let all = self.all;
        let place = load.operand(0).offset(all.module);
        if all.names.value(load, &self.view).is_some() {
            return false;
        }
        if !self.followed.insert(load) {
            return true;
        }
        if let Some((stored, writes)) = all.stored(&place, self.bytes(load), self.of) {
            self.stored_value(load, stored);
            for write in writes {
                match write.opcode() {
                    Some(Opcode::LLVMStore) => {
                        self.visit(write.operand(0));
                        self.conditions_of(all.graph.number(write.block()));
                    }
                    _ if write.callee().is_some_and(Value::is_intrinsic) => self.changes(load),
                    _ => self.call(write),
                }
            }
            return true;
        }
        // The loop may first write to it by a call.
        let Some(writes) = all.writes(&place).filter(|writes| !writes.is_empty()) else { return false };
        let is_call = |by: &Value| matches!(by.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke));
        let inside: Vec<Value> = writes.into_iter().filter(|by| all.is_inside(*by, self.of)).collect();
        if inside.is_empty()
            || !inside.iter().all(|by| is_call(by) && !by.callee().is_some_and(Value::is_intrinsic))
        {
            return false;
        }
        for call in inside {
            self.call(call);
        }
        true
    }

    fn bytes(&self, load: Value) -> i64 {
        load.ty().size(self.all.module) as i64
    }

    fn stored_value(&mut self, load: Value, stored: Stored) {
        let (all, bytes, mut stored) = (self.all, self.bytes(load), stored);
        for _ in 0..DEEPEST {
            let place = match stored {
                Stored::Value(value) => return self.before(value, DEEPEST),
                Stored::Copy(place) => place,
            };
            if let Some(named) = all.names.memory_at(&place, 8 * bytes as u64, &self.view) {
                return self.push_as(load, named, self.source_of_read(load));
            }
            let Some(copied) = all.copied(&place, bytes, self.of) else { break };
            stored = copied;
        }
        self.push(load, self.source_of_read(load));
    }

    fn source_of_read(&self, load: Value) -> InputSource {
        if self.all.is_inside(load, self.of) { InputSource::Inside(load) } else { source_of(load) }
    }

    /// Handles a comparison in Rust with the niche that stands for `None`: an invalid value of the type, such as a
    /// null pointer or the capacity `i64::MIN`. The choice between the paths that lead to the value decides: a value
    /// that the loop moves out of memory never has this capacity, and a place in memory is never null.
    pub(super) fn is_none(&mut self, compare: Value) -> bool {
        let (value, none) = (stripped(compare.operand(0)), compare.operand(1));
        let is_rust = || {
            let source = compare.block().function().source();
            source.is_some_and(|(path, _)| Path::new(&path).extension().is_some_and(|end| end == "rs"))
        };
        if value.opcode() != Some(Opcode::LLVMPHI) || !self.all.is_inside(value, self.of) || !is_rust() {
            return false;
        }
        let is_null = none.is_null_pointer() || none.signed() == Some(0) && value.ty().is_pointer();
        let is_place = |value: Value| value.opcode() == Some(Opcode::LLVMGetElementPtr);
        let ways = value.incoming();
        let (constants, others): (Vec<_>, Vec<_>) = ways.iter().partition(|(one, _)| one.is_constant());
        let is_none = !constants.is_empty()
            && (none.signed() == Some(i64::MIN) && constants.iter().any(|(one, _)| *one == none)
                || is_null && others.iter().all(|(one, _)| is_place(*one)));
        if is_none {
            self.choice(value);
        }
        is_none
    }

    /// Handles a call for the next element of an iterator whose type has the number of remaining elements, which
    /// decides.
    pub(super) fn next(&mut self, call: Value) -> bool {
        let all = self.all;
        let Some(callee) = call.callee() else { return false };
        let is_library = callee.source().is_some_and(|(path, _)| is_of_standard_library(&path));
        let name = all.names.debug.function(callee).and_then(Node::function_name);
        let is_next =
            name.is_some_and(|(name, _)| name.split('<').next().unwrap_or_default().contains("next"));
        if !is_library || !is_next {
            return false;
        }
        for index in 0..call.arguments() {
            let object = call.operand(index).offset(all.module);
            let is_plain = |ty: &Node| {
                ty.type_name().is_some_and(|name| !CHOOSING.iter().any(|part| name.contains(part)))
            };
            let ty = all.names.type_of(object.base).filter(is_plain);
            let Some(ty) = ty.filter(|_| object.indices.is_empty()) else { continue };
            let Ok(from) = u64::try_from(8 * object.bytes) else { continue };
            let Some(bit) = ty.integers_called(&LEFT).into_iter().find(|bit| *bit >= from) else { continue };
            let place = Offset { bytes: (bit / 8) as i64, ..object };
            if let Some((Stored::Value(value), _)) = all.stored(&place, 8, self.of) {
                self.before(value, DEEPEST);
                return true;
            }
        }
        false
    }

    /// Finds the lengths from which a value without a name is computed: for example of a `VecDeque`, which consists of
    /// two pieces.
    pub(super) fn lengths_behind(&mut self, value: Value) -> bool {
        let (mut next, mut seen, mut has_length) =
            (vec![(value, DEEPEST)], std::collections::HashSet::new(), false);
        while let Some((value, depth)) = next.pop() {
            let value = stripped(value);
            if depth == 0 || value.opcode().is_none() || !seen.insert(value) {
                continue;
            }
            if let Some(named) = self.all.names.value(value, &self.view) {
                if named.kind == Kind::Length && self.is_there(value) {
                    self.push_as(value, named, InputSource::Before(value));
                    has_length = true;
                }
                continue;
            }
            let operands = match value.opcode() {
                Some(Opcode::LLVMPHI) => value.incoming().into_iter().map(|(value, _)| value).collect(),
                Some(Opcode::LLVMLoad | Opcode::LLVMCall | Opcode::LLVMInvoke) => Vec::new(),
                _ => value.operands(),
            };
            next.extend(operands.into_iter().map(|operand| (operand, depth - 1)));
        }
        has_length
    }

    /// Returns the first value and the step of a pointer that advances in a loop.
    pub(super) fn moving(&self, pointer: Value, asking: Block) -> Option<(Value, i64)> {
        let all = self.all;
        let offset = pointer.offset(all.module);
        if !offset.indices.is_empty() {
            return None;
        }
        if all.header_of(offset.base) == Some(self.of) {
            let step = all.step(offset.base, self.of, Some(asking))?;
            let (first, next) = all.first_and_next(offset.base, self.of);
            let (first, step) =
                (first?, next.into_iter().fold(step, |step, next| self.of_elements(step, next)));
            return Some((self.entry_of(first).unwrap_or(first), step));
        }
        // The pointer is in memory: the loop reads it, and writes it once.
        if offset.base.opcode() != Some(Opcode::LLVMLoad) || !all.is_inside(offset.base, self.of) {
            return None;
        }
        let place = offset.base.operand(0).offset(all.module);
        let (stored, writes) = all.stored(&place, 8, self.of)?;
        let (Stored::Value(first), [write]) = (stored, &writes[..]) else { return None };
        if write.opcode() != Some(Opcode::LLVMStore) {
            return None;
        }
        let next = write.operand(0).offset(all.module);
        let is_same = next.base.opcode() == Some(Opcode::LLVMLoad)
            && next.base.operand(0).offset(all.module) == place
            && next.indices.is_empty()
            && next.bytes != 0;
        is_same.then(|| (first, self.of_elements(next.bytes, write.operand(0))))
    }

    /// Reduces the step of a pointer that advances by several of its elements (`p += 3`) to one element.
    fn of_elements(&self, step: i64, next: Value) -> i64 {
        let size = next.element_size(self.all.module).map_or(0, u64::cast_signed);
        if size > 0 && step % size == 0 { step.signum() * size } else { step }
    }

    /// Returns the value that was stored in the place where a pointer without a name is read.
    pub(super) fn entry_of(&self, pointer: Value) -> Option<Value> {
        let all = self.all;
        if pointer.opcode() != Some(Opcode::LLVMLoad) || all.names.value(pointer, &self.view).is_some() {
            return None;
        }
        match all.stored(&pointer.operand(0).offset(all.module), 8, self.of)? {
            (Stored::Value(value), writes) if writes.is_empty() || !all.is_inside(pointer, self.of) => {
                Some(value)
            }
            _ => None,
        }
    }
}
