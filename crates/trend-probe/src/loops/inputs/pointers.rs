//! Distances of pointers: lengths of collections, and the steps of a pointer to its end.

use super::input::{Input, InputSource};
use super::search::Search;
use crate::ir::value::{Opcode, Value};
use crate::loops::naming::named::Kind;

impl Search<'_, '_, '_> {
    /// Handles a comparison of two pointers, if one advances by equal steps and the other one does not change.
    pub(super) fn pointers(&mut self, compare: Value) -> bool {
        let all = self.all;
        if self.nodes(compare) {
            return true;
        }
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
        if from.base == to.base || all.is_kept_pointer(from.base, to.base, self.of) {
            // For `a + n` compared with `a`, the input is the addend.
            let indices: Vec<Value> =
                from.indices.iter().chain(&to.indices).map(|(index, _)| *index).collect();
            if indices.is_empty() {
                return;
            }
            let input_count = self.inputs.len();
            for index in &indices {
                self.visit(*index);
            }
            if self.inputs.len() > input_count {
                return;
            }
        }
        let (name, kind) = match self.distance_named(first, end, step) {
            Some(Distance { name, .. }) => (name, Kind::Length),
            None => match all.names.value(end, &self.view).or_else(|| all.names.value(to.base, &self.view)) {
                Some(end) if all.names.value(from.base, &self.view).is_none() => (end.name, Kind::Length),
                _ => (all.names.described(end, &self.view), Kind::Unnamed),
            },
        };
        let source = InputSource::Steps(first, end, step);
        let input = Input { name, kind, counter_of: None, source, is_unsigned: false, is_limit: false };
        self.inputs.push(input);
    }

    /// Returns the name of the distance between two pointers that have names: `v.size()`, or `end - p`.
    fn distance_named(&self, first: Value, end: Value, step: i64) -> Option<Distance> {
        let all = self.all;
        // The name of a pointer and 0, or the name of its base and the bytes from the base to the pointer.
        let named = |value: Value| {
            let offset = value.offset(all.module);
            let is_plain = offset.indices.is_empty();
            let of_base = || Some((all.names.value(offset.base, &self.view)?, offset.bytes));
            let exactly = all.names.value(value, &self.view).map(|named| (named, 0));
            exactly.or_else(|| is_plain.then(of_base).flatten())
        };
        // A pointer that goes back is ahead of its end.
        let (lower, upper) = if step < 0 { (end, first) } else { (first, end) };
        let ((lower, lower_bytes), (upper, upper_bytes)) = (named(lower)?, named(upper)?);
        let size = between(&lower.name, &upper.name);
        let is_size = size.is_some();
        let name = size.unwrap_or_else(|| format!("{} - {}", upper.name, lower.name));
        let name = match lower_bytes.wrapping_sub(upper_bytes) / step.abs().max(1) {
            0 => name,
            less @ 1.. => format!("{name} - {less}"),
            more => format!("{name} + {}", more.unsigned_abs()),
        };
        Some(Distance { name, is_size })
    }

    /// Handles the difference of two pointers, in bytes or in elements: `v.size()`.
    pub(super) fn length(&mut self, value: Value) -> bool {
        let (difference, size) = match value.opcode() {
            Some(Opcode::LLVMAShr | Opcode::LLVMLShr | Opcode::LLVMSDiv | Opcode::LLVMUDiv) => {
                let Some(by) = value.operand(1).signed() else { return false };
                let is_shift = matches!(value.opcode(), Some(Opcode::LLVMAShr | Opcode::LLVMLShr));
                (value.operand(0), if is_shift { 1 << by.clamp(0, 62) } else { by })
            }
            _ => (value, 1),
        };
        if difference.opcode() != Some(Opcode::LLVMSub) {
            return false;
        }
        let [end, first] = [difference.operand(0), difference.operand(1)];
        if end.opcode() != Some(Opcode::LLVMPtrToInt) || first.opcode() != Some(Opcode::LLVMPtrToInt) {
            return false;
        }
        let [end, first] = [end.operand(0), first.operand(0)];
        if first.offset(self.all.module).base == end.offset(self.all.module).base {
            return false;
        }
        let Some(Distance { name, is_size }) = self.distance_named(first, end, size) else { return false };
        let is_inside = self.all.is_inside(value, self.of);
        // In the loop, the pointers may move.
        let may_move = |pointer: Value| {
            pointer.opcode() != Some(Opcode::LLVMLoad)
                || !self.overwriting(pointer).is_empty()
                || self.is_written_by_calls(pointer)
        };
        if is_inside && (!is_size || may_move(first) || may_move(end)) {
            return false;
        }
        let source = if is_inside { InputSource::Inside(value) } else { InputSource::Before(value) };
        let input =
            Input { name, kind: Kind::Length, counter_of: None, source, is_unsigned: true, is_limit: false };
        self.inputs.push(input);
        true
    }

    /// Handles the difference of two pointers, one of which is computed from the other: visits the addends.
    pub(super) fn distance(&mut self, value: Value, depth: usize) -> bool {
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
}

/// Name of the distance between two pointers.
struct Distance {
    name: String,
    /// True if the pointers are the ends of a collection.
    is_size: bool,
}

/// Joins `v.begin()` and `v.end()`, in either order, to `v.size()`.
fn between(first: &str, end: &str) -> Option<String> {
    [(first, end), (end, first)].iter().find_map(|(front, back)| {
        let object = front.strip_suffix("begin()")?;
        (back.strip_suffix("end()")? == object).then(|| format!("{object}size()"))
    })
}
