//! Distances of pointers: lengths of collections, and the steps of a pointer to its end.

use super::input::{Input, InputSource};
use super::search::Search;
use crate::ir::value::{Opcode, Value};
use crate::loops::naming::named::Kind;

impl Search<'_, '_, '_> {
    /// Handles a comparison of two pointers, if one advances by equal steps and the other one does not change.
    pub(super) fn pointers(&mut self, compare: Value) -> bool {
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
            let input_count = self.inputs.len();
            for index in &indices {
                self.visit(*index);
            }
            if self.inputs.len() > input_count {
                return;
            }
        }
        let source = InputSource::Steps(first, end, step);
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
        self.inputs.push(input);
    }

    /// Handles the difference of two pointers of a collection, and values that are computed from it: `v.size()`.
    pub(super) fn length(&mut self, value: Value) -> bool {
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
        let source = if self.all.is_inside(value, self.of) {
            InputSource::Inside(value)
        } else {
            InputSource::Before(value)
        };
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

/// Joins `v.begin()` and `v.end()`, in either order, to `v.size()`.
fn between(first: &str, end: &str) -> Option<String> {
    [(first, end), (end, first)].iter().find_map(|(front, back)| {
        let object = front.strip_suffix("begin()")?;
        (back.strip_suffix("end()")? == object).then(|| format!("{object}size()"))
    })
}
